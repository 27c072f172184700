// glass prewarm: makes the images that a machine with another GPU will ask for, into this machine's cache, to be shipped
// from there.
#include <cstdio>
#include <filesystem>
#include <limits>
#include <mutex>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backend/cuda/cuda.hpp"
#include "backend/host/device.hpp"
#include "base/text.hpp"
#include "catalog/profile.hpp"
#include "catalog/spec.hpp"
#include "cli/command.hpp"
#include "runtime/prewarm.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  std::string manifest, profile, target, candidates = "1", memory;
  int jobs = 0;
  bool json = false;
};

// The profile named, checked against --target; or the only shipped one of that target.
device_profile chosen_profile(const arguments& a) {
  if (!a.profile.empty()) {
    device_profile p = find_profile(a.profile);
    if (!a.target.empty() && a.target != p.device.target)
      throw error(errc::invalid_argument, stage::device,
                  "the profile " + p.name + " is for " + p.device.target + ", and --target says " + a.target + ".");
    return p;
  }
  if (a.target.empty())
    throw error(errc::invalid_argument, stage::device, "no device: --device-profile or --target says which GPU.",
                "'glass info --profiles' lists the profiles that there are.");
  std::vector<std::string> names;
  for (const auto& p : shipped_profiles())
    if (p.device.target == a.target) names.push_back(p.name);
  if (names.size() != 1)
    throw error(errc::invalid_argument, stage::device,
                names.empty() ? "no shipped profile is for " + a.target + "."
                              : std::to_string(names.size()) + " shipped profiles are for " + a.target + ": " +
                                    join(names, ", ") + ".",
                "Name one with --device-profile, or a file that `glass info --profile FILE` wrote.");
  return find_profile(names.front());
}

std::size_t model_best(const std::string& text) {
  if (text == "all") return std::numeric_limits<std::size_t>::max();
  const double n = number_of(text, "--candidates");
  if (n < 0 || n > 1e6 || n != static_cast<double>(static_cast<std::size_t>(n)))
    throw error(errc::invalid_argument, stage::tune, "--candidates: '" + text + "' is neither a count nor 'all'.");
  return static_cast<std::size_t>(n);
}

int slots(const arguments& a) {
  if (a.jobs < 0) throw error(errc::invalid_argument, stage::compile, "--jobs is at least 1.");
  const long long memory = a.memory.empty() ? static_cast<long long>(available_memory() / 2) : bytes_from(a.memory);
  return std::min(a.jobs > 0 ? a.jobs : allowed_cores(), compiles_within(memory));
}

std::vector<bound_problem> problems_of(const std::string& manifest) {
  const std::string folder = std::filesystem::path(manifest).parent_path().string();
  std::vector<bound_problem> problems;
  for (const auto& e : manifest_from_json(read_text(manifest), manifest, folder)) {
    try {
      problems.push_back(bind(e.description, e.problem, e.built_in));
    } catch (const error& x) {
      throw error(x.code(), x.stage(), manifest + ": problems[" + std::to_string(problems.size()) + "]: " + x.message(),
                  x.hint());
    }
  }
  return problems;
}

// The number that follows `word`: 12 of "540.4 (CUDA 12.6)"; 0 if there is none.
int number_after(const std::string& word, const std::string& text) {
  const auto at = text.find(word);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + word.size());
}
void warn_of_a_newer_compiler(const std::string& compiler, const device_profile& p) {
  const int made_by = number_after("nvrtc ", compiler), driver = number_after("CUDA ", p.device.driver);
  if (driver > 0 && made_by > driver)
    std::fprintf(stderr,
                 "glass: the driver of %s speaks CUDA %d, and it may refuse images of NVRTC %d; "
                 "GLASS_NVRTC names an NVRTC %d.\n",
                 p.name.c_str(), driver, made_by, driver);
}

// A line of progress on stderr: redrawn on a terminal; elsewhere only failures are lines.
void draw(const prewarm_progress& p, double start) {
  const bool terminal = isatty(STDERR_FILENO);
  if (p.failure)
    std::fprintf(stderr, "%s%s %s: %s\n", terminal ? "\r\033[K" : "", p.problem.c_str(), p.placement.c_str(),
                 p.failure->message().c_str());
  if (!terminal) return;
  winsize w{};
  const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1 : 119;
  const double left = (seconds_now() - start) / static_cast<double>(p.done) * static_cast<double>(p.total - p.done);
  const std::string text = "prewarm " + std::to_string(p.done) + "/" + std::to_string(p.total) + "  " +
                           number_text(left, 2) + " s left  " + p.problem;
  std::fprintf(stderr, p.done == p.total ? "\r\033[K" : "\r%s\033[K", text.substr(0, width).c_str());
}

int run(const arguments& a) {
  const device_profile profile = chosen_profile(a);
  const std::size_t best = model_best(a.candidates);
  const auto problems = problems_of(a.manifest);
  const auto device = open_absent_gpu(profile.device, slots(a));
  const std::string compiler = device->compiler();
  warn_of_a_newer_compiler(compiler, profile);
  const auto warn = std::make_shared<warner>();
  const std::shared_ptr<store> rows = store::open(store::from_environment(), warn);
  if (!rows->persistent())
    throw error(errc::store, stage::store, "the images cannot be kept: " + rows->stats().trouble,
                "Set GLASS_CACHE to a folder that can be written.");
  const double start = seconds_now();
  const prewarm_result r =
      prewarm(device, rows, warn, problems, best, [&](const prewarm_progress& p) { draw(p, start); });
  const double seconds = seconds_now() - start;
  const auto silent = std::make_shared<warner>([](const std::string&) {});
  const std::size_t lost = count_missing(*device, *store::open(store::from_environment(), silent), r.made);
  if (lost > 0)
    std::fprintf(stderr, "glass: %zu of the images were not kept; is the disk full? Run again when there is room.\n",
                 lost);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const long long peak = used.ru_maxrss * 1024LL;
  if (a.json) {
    json failures = json::array();
    for (const auto& f : r.failures)
      failures.push_back({{"problem", f.problem}, {"placement", f.placement}, {"reason", f.reason}});
    print({{"profile", profile.name},
           {"target", profile.device.target},
           {"compiler", compiler},
           {"problems", problems.size()},
           {"images", r.images},
           {"compiled", r.compiled},
           {"known", r.known},
           {"not_kept", lost},
           {"bytes", r.bytes},
           {"seconds", seconds},
           {"peak_memory_bytes", peak},
           {"failures", failures}});
  } else {
    std::printf("%zu problems, %zu images for %s (%s) by %s\n", problems.size(), r.images, profile.name.c_str(),
                profile.device.target.c_str(), compiler.c_str());
    std::printf("%zu compiled in %s s, %zu known, %zu failed; %s, peak memory %s\n", r.compiled,
                number_text(seconds).c_str(), r.known, r.failures.size(),
                size_text(static_cast<std::int64_t>(r.bytes)).c_str(), size_text(peak).c_str());
  }
  return r.failures.empty() && lost == 0 ? 0 : 1;
}

}  // namespace

action add_prewarm(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("prewarm", "compile for a GPU that is not here; resumes where it stopped");
  const auto a = std::make_shared<arguments>();
  sub->add_option("MANIFEST", a->manifest, "problems as JSON, as for `glass tune`")->required();
  sub->add_option("--device-profile", a->profile,
                  "a name from `glass info --profiles`, or a file that `glass info --profile FILE` wrote");
  sub->add_option("--target", a->target, "the architecture, sm_87: checked against the profile, or chooses it");
  sub->add_option("--candidates", a->candidates,
                  "placements a problem for which no decision is known: the model's best K, or all (default 1)");
  sub->add_option("--jobs", a->jobs, "compiles at once (default: one a core)");
  sub->add_option("--memory", a->memory, "bound for the compiles at once: 4G (default: half of what is free)");
  sub->add_flag("--json", a->json, "print JSON");
  return [a] { return run(*a); };
}

}  // namespace glass::jit::cli
