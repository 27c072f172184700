// glass tune: a list of problems, one after the other. What is in the cache is not measured again, so a second run goes
// on where the first stopped.
#include "cli/tune.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <ctime>
#include <limits>
#include <unistd.h>

#include "base/text.hpp"
namespace glass::jit::cli {
namespace {

constexpr long long one_request = 300'000'000;  // ns: the terminal, a shell and a scheduler may all send the same one
volatile std::sig_atomic_t asked = 0;
std::atomic<long long> first_asked{0};
static_assert(std::atomic<long long>::is_always_lock_free);
void ask(int) {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  const long long now = t.tv_sec * 1'000'000'000LL + t.tv_nsec;
  if (asked == 0) first_asked = now;
  if (asked != 0 && now - first_asked > one_request) _exit(130);
  asked = 1;
}

std::vector<tune_task> tasks_of(const tune_arguments& a) {
  const std::string folder = std::filesystem::path(a.manifest).parent_path().string();
  std::vector<tune_task> tasks;
  for (auto& e : manifest_from_json(read_text(a.manifest), a.manifest, folder)) {  // all mistakes before any work
    try {
      bound_problem p = bind(e.description, e.problem, e.built_in);
      tasks.push_back({std::move(e), std::move(p)});
    } catch (const error& x) {
      throw error(x.code(), x.stage(), a.manifest + ": problems[" + std::to_string(tasks.size()) + "]: " + x.message(),
                  x.hint());
    }
  }
  return tasks;
}

// Where each problem of the list goes.
int list(const tune_arguments& a, const std::vector<tune_task>& tasks, const shard& s) {
  json all = json::array();
  std::vector<std::vector<std::string>> rows = {{"shard", "problem"}};
  for (const auto& t : tasks) {
    const int where = shard_of(t.problem, s.of);
    all.push_back({{"shard", where}, {"problem", t.problem.text()}});
    rows.push_back({std::to_string(where), t.problem.text()});
  }
  if (a.json)
    print({{"shards", s.of}, {"problems", all}});
  else
    print_table(rows);
  return 0;
}

// Throws what ends the run: errc::interrupted, device_lost.
json tune_one(runtime& rt, const tune_task& t) {
  const counters before = rt.counters();
  const auto with_counts = [&](json j) {
    const counters now = rt.counters();
    j["tuning_launches"] = now.tuning_launches - before.tuning_launches;
    j["skipped"] = now.candidates_skipped - before.candidates_skipped;
    j["compiles"] = now.compiles - before.compiles;
    return j;
  };
  try {
    const std::string& named = t.entry.placement;
    const kernel k = get_kernel(rt, t.entry.description, t.entry.built_in, t.entry.problem,
                                named.empty() ? std::nullopt : std::optional(placement::parse(named)));
    return with_counts({{"problem", t.problem.text()},
                        {"placement", k.placement().text()},
                        {"tier", name(k.tier())},
                        {"ns_per_problem", k.ns_per_problem()},
                        {"speedup_over_default", k.speedup_over_default()},
                        {"error", ""},
                        {"why", k.why()}});
  } catch (const error& x) {
    if (x.code() == errc::interrupted || x.code() == errc::device_lost) throw;
    std::fprintf(stderr, "%s: %s\n", t.problem.text().c_str(), x.what());
    json j = with_counts(failed_problem(t.problem, x.message()));
    j["hang"] = x.code() == errc::hang;
    return j;
  }
}

int tune_here(const std::vector<tune_task>& tasks, runtime& rt, tune_report& report) {
  report.device(rt.device().id);
  bool stopped = false;
  for (const auto& t : tasks) {
    if ((stopped = signalled())) break;
    try {
      report.add(tune_one(rt, t));
    } catch (const error& x) {
      if (x.code() != errc::interrupted) {
        std::fprintf(stderr, "%s: %s\n", t.problem.text().c_str(), x.what());
        throw error(x.code(), stage::tune, "the device is lost to this process after " + t.problem.text() + ".",
                    "What was measured is kept, and what did it is known: the same command goes on from there, with "
                    "--isolate by itself.");
      }
      stopped = true;
      break;
    }
  }
  return report.finish(stopped, tasks.size());
}

int tune_as_worker(const worker& w, const std::vector<tune_task>& tasks, runtime& rt, std::size_t from) {
  w.send({{"device", rt.device().id}});
  for (std::size_t i = from; i < tasks.size(); ++i) {
    try {
      json j = tune_one(rt, tasks[i]);
      const bool hangs = j.value("hang", false);
      j["index"] = i;
      w.send(j);
      if (hangs) return worker_starts_anew;
    } catch (const error& x) {
      if (x.code() == errc::interrupted) return 130;
      std::fprintf(stderr, "%s: %s\n", tasks[i].problem.text().c_str(), x.what());
      return worker_starts_anew;
    }
  }
  w.send({{"end", true}});
  return 0;
}

int run(const tune_arguments& a) {
  const shard s = a.shard.empty() ? shard{} : shard_from(a.shard);
  std::vector<tune_task> tasks = tasks_of(a);
  if (a.list) return list(a, tasks, s);
  tasks.erase(std::remove_if(tasks.begin(), tasks.end(),
                             [&](const tune_task& t) { return shard_of(t.problem, s.of) != s.number; }),
              tasks.end());
  tune_report report(a.json);
  if (a.isolate) return tune_isolated(a, tasks, report);
  runtime_options o;
  o.device = a.device;
  a.tuning.apply(o);
  if (const auto& mode = a.tuning.mode;
      (mode.empty() ? environment("GLASS_TUNE") : mode) == name(tune_mode::background))
    o.tuning.mode = tune_mode::first_use, o.tuning_from_environment = false;  // nothing else waits for this program
  o.tuning.process_budget_seconds = std::numeric_limits<double>::max();       // the list is the bound
  if (a.worker_from >= 0) {
    const worker w;
    w.apply(o.tuning);
    runtime rt(o);
    return tune_as_worker(w, tasks, rt, static_cast<std::size_t>(a.worker_from));
  }
  catch_signals();
  o.tuning.stop = signalled;
  runtime rt(o);
  return tune_here(tasks, rt, report);
}

}  // namespace

void catch_signals() {
  struct sigaction how {};
  how.sa_handler = ask;
  how.sa_flags = SA_RESTART;
  for (const int s : {SIGINT, SIGTERM}) sigaction(s, &how, nullptr);
}
bool signalled() { return asked != 0; }

json failed_problem(const bound_problem& p, const std::string& message) {
  return {{"problem", p.text()}, {"placement", ""},           {"tier", ""},
          {"ns_per_problem", 0}, {"speedup_over_default", 0}, {"error", message}};
}

void tune_report::add(json p) {
  const std::int64_t launches = p.value("tuning_launches", std::int64_t{0}),
                     skipped = p.value("skipped", std::int64_t{0});
  const bool good = p["error"].get<std::string>().empty();
  failed_ += !good, launches_ += launches, compiles_ += p.value("compiles", std::int64_t{0});
  if (good && !as_json_)
    std::printf(
        "%s  %s%s%s\n", p["problem"].get<std::string>().c_str(), p["why"].get<std::string>().c_str(),
        launches == 0 ? " (known)" : "",
        skipped > 0 ? (" (" + std::to_string(skipped) + " skipped: a process ended while they ran)").c_str() : "");
  std::fflush(stdout);
  problems_.push_back({{"problem", p["problem"]},
                       {"placement", p["placement"]},
                       {"tier", p["tier"]},
                       {"ns_per_problem", p["ns_per_problem"]},
                       {"speedup_over_default", p["speedup_over_default"]},
                       {"tuning_launches", launches},
                       {"skipped", skipped},
                       {"error", p["error"]}});
}

int tune_report::finish(bool stopped, std::size_t of) {
  if (as_json_)
    print({{"device", device_},
           {"problems", problems_},
           {"failed", failed_},
           {"stopped", stopped},
           {"compiles", compiles_},
           {"tuning_launches", launches_}});
  if (!stopped) return failed_ == 0 ? 0 : 1;
  std::fprintf(stderr,
               "glass: stopped after %zu of %zu problems. What was measured is kept; the same command goes on from "
               "there.\n",
               problems_.size(), of);
  return 130;
}

action add_tune(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("tune", "tune a list of problems; resumes where it stopped");
  const auto a = std::make_shared<tune_arguments>();
  sub->add_option("MANIFEST", a->manifest,
                  "JSON: {\"problems\": [{\"operation\": \"posv\", \"sizes\": {\"N\": 12}, \"type\": \"f32\", "
                  "\"batch\": 8192}]}")
      ->required();
  sub->add_option("--device", a->device, "host, cuda:0 …");
  sub->add_option("--shard", a->shard, "only the problems of part K of N: 2/8");
  sub->add_flag("--list", a->list, "print which problem is in which shard, tune nothing");
  sub->add_flag("--isolate", a->isolate, "in a process of its own: one that crashes or hangs costs one candidate");
  a->tuning.add_to(*sub);
  sub->add_flag("--json", a->json, "print JSON");
  sub->add_option("--worker-from", a->worker_from)->group("");  // of --isolate: hidden
  return [a] { return run(*a); };
}

}  // namespace glass::jit::cli
