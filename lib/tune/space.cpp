// Which placements a problem has, and why one of them is not legal on this device.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "tune/model.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using strings = std::vector<std::string>;
constexpr double price_of_a_step = 1.3;   // × the predicted time, for each step away from the default
constexpr double price_of_a_place = 1.1;  // × the default's, for each place behind it in the row's own list
constexpr std::size_t most_usual = 6;     // of that list that are raced
constexpr std::size_t most_alike = 2;     // of a shortlist, with the same scope, home and body, while there are others
constexpr std::size_t most_tunings = 64;  // combinations of tunables that are considered
constexpr int most_local_bytes = 16 << 10;  // of a thread, before it counts as spilled beyond reason
constexpr int most_problems_per_task = 1 << 16;

const strings scopes = {"thread", "tile2", "tile4", "tile8", "tile16", "warp"};
const strings block_scopes = {"block32", "block64", "block128", "block256"};

[[noreturn]] void refuse(const bound_problem& p, const std::string& message, const std::string& hint = {}) {
  throw error(errc::invalid_argument, stage::tune, p.description.name + ": " + message, hint);
}

bool contains(const strings& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_block(const std::string& scope) {
  const std::string digits = scope.rfind("block", 0) == 0 ? scope.substr(5) : "";
  if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos) return false;
  const int n = std::stoi(digits);
  return n >= 32 && n <= 1024 && n % 32 == 0;
}

strings values_of(const tunable& t) {
  strings names;
  for (const auto& v : t.values) names.push_back(last_name(v.text));
  return names;
}

// Fills in what a name leaves out; a word that is not of this operation is an error.
placement normalise(const bound_problem& p, placement c) {
  const operation_description& d = p.description;
  if (c.variant != "fused" && c.variant != "split")
    refuse(p, "there is no variant '" + c.variant + "'." + did_you_mean(c.variant, {"fused", "split"}));
  if (!contains(scopes, c.scope) && !is_block(c.scope))
    refuse(p, "there is no scope '" + c.scope + "'." + did_you_mean(c.scope, scopes),
           "Scopes are thread, tile2, tile4, tile8, tile16, warp and block32, block64 … block1024.");
  if (c.home != "global" && c.home != "shared")
    refuse(p, "there is no home '" + c.home + "'." + did_you_mean(c.home, {"global", "shared"}));
  if (c.pack < 1) refuse(p, "pack=" + std::to_string(c.pack) + " is not at least 1.");
  if (c.body.empty() && !d.bodies.empty()) c.body = d.bodies.front();
  c.body = last_name(c.body);
  if (const strings bodies = body_names(d); !c.body.empty() && !contains(bodies, c.body))
    refuse(p, "there is no body '" + c.body + "'." + did_you_mean(c.body, bodies),
           bodies.empty() ? "It has one body and the placement names none."
                          : "Its bodies are " + join(bodies, ", ") + ".");
  strings known;
  for (const auto& t : d.tunables) {
    const strings values = values_of(t);
    std::string& value = c.tunables[t.name];
    value = value.empty() ? values.front() : last_name(value);
    if (!contains(values, value))
      refuse(p, t.name + " has no value '" + value + "'.", "Its values are " + join(values, ", ") + ".");
    known.push_back(t.name);
  }
  for (const auto& [name, value] : c.tunables)
    if (!contains(known, name)) refuse(p, "there is no tunable '" + name + "'." + did_you_mean(name, known));
  return c;
}

bool stages_nothing(const bound_problem& p, const placement& c) {
  return std::none_of(p.operands.begin(), p.operands.end(),
                      [&](const bound_operand& o) { return o.what->access != access::scratch && lies_in_group(o, c); });
}

std::string why_illegal(const bound_problem& p, const placement& c, const device_description& d) {
  const bool host = d.backend == "host", tasks = host && c.scope == "thread";
  const auto number = [](auto n) { return std::to_string(n); };
  if (c.variant == "split" && p.description.stages.empty())
    return "variant=split needs a workspace operand and stages, which " + p.description.name + " does not have.";
  if (c.variant == "split" && c.home == "shared")
    return "variant=split works in place: each stage would stage every operand for the few that it touches.";
  if (tasks && c.pack > most_problems_per_task)
    return "pack=" + number(c.pack) + " is more than a task of the pool takes.";
  if (!tasks && c.threads() > d.max_threads_per_block)
    return number(c.threads()) + " threads a block are more than the " + number(d.max_threads_per_block) +
           " of this device.";
  if (!host && c.threads() % d.warp_size != 0)
    return number(c.threads()) + " threads a block are not whole warps; the least pack for " + c.scope + " is " +
           number(std::max(1, d.warp_size / c.width())) + ".";
  if (c.is_block() && c.pack > 1 && c.body != "stream" && !from_library(c))
    return "a block takes one problem: only the bodies stream and nvidia take several.";
  if (c.home == "shared" && stages_nothing(p, c))
    return "home=shared would stage nothing: every operand is interleaved or a number.";
  if (const std::size_t bytes = group_bytes(p, c); bytes > d.shared_per_block_optin)
    return number(bytes) + " bytes of shared memory a block are more than the " + number(d.shared_per_block_optin) +
           " of this device.";
  if (const std::string reason = no_library_body(p, c, d.backend); !reason.empty()) return reason;
  return broken_rule(p, c, d.backend, d.arch());
}

// Every combination of the tunables; where they are too many, the defaults and each value alone.
std::vector<std::map<std::string, std::string>> tunings(const operation_description& d) {
  std::vector<std::map<std::string, std::string>> all(1);
  std::size_t product = 1;
  for (const auto& t : d.tunables)
    all[0][t.name] = values_of(t).front(), product = std::min(product * t.values.size(), most_tunings + 1);
  for (const auto& t : d.tunables) {
    const strings values = values_of(t);
    const std::size_t before = product > most_tunings ? 1 : all.size();
    for (std::size_t i = 0; i < before; ++i)
      for (std::size_t v = 1; v < values.size() && all.size() < most_tunings; ++v) {
        auto changed = all[i];
        changed[t.name] = values[v];
        all.push_back(std::move(changed));
      }
  }
  return all;
}

// Scopes with their packs: 32 … 256 threads a block on a GPU, tasks of the pool on the host.
std::vector<placement> shapes(const device_description& d) {
  std::vector<placement> list;
  const auto add = [&](const std::string& scope, int pack) {
    placement c;
    c.scope = scope, c.pack = pack;
    list.push_back(c);
  };
  if (d.backend == "host") {
    for (const int pack : {16, 64, 256, 1024}) add("thread", pack);
    return list;
  }
  for (const auto& scope : scopes) {
    placement one;
    one.scope = scope;
    for (const int threads : {32, 64, 128, 256})
      if (threads < 256 || scope == "warp") add(scope, threads / one.width());
  }
  for (const auto& scope : block_scopes) add(scope, 1);
  return list;
}

// How many problems a block of the body stream takes in turn: as many as leave two blocks for every multiprocessor.
std::vector<int> packs(const bound_problem& p, const placement& shape, const std::string& body,
                       const device_description& d) {
  std::vector<int> all = {shape.pack};
  if (body == "stream" && shape.is_block() && d.backend != "host")
    for (const int pack : {4, 8})
      if (p.batch_class >= 2 * pack * d.sm_count) all.push_back(pack);
  return all;
}

std::string scope_of_width(int width) {
  return width == 1    ? "thread"
         : width == 32 ? "warp"
         : width > 32  ? "block" + std::to_string(width)
                       : "tile" + std::to_string(width);
}

// Bodies in the order in which a default tries them: registers first.
strings bodies_by_default(const operation_description& d) {
  strings bodies = d.bodies.empty() ? strings{""} : d.bodies;
  std::stable_partition(bodies.begin(), bodies.end(), [](const std::string& b) { return b == "fragment"; });
  return bodies;
}

}  // namespace

launch_shape shape_of(const bound_problem& p, const placement& c, long long count) {
  launch_shape s;
  s.blocks = static_cast<unsigned>((count + c.pack - 1) / c.pack);
  s.threads = static_cast<unsigned>(c.threads());
  s.shared_bytes = group_bytes(p, c);
  s.count = count;
  if (c.variant == "split") s.stages = static_cast<unsigned>(p.description.stages.size());
  return s;
}

candidate examine(const bound_problem& p, const device_description& d, placement c) {
  candidate r;
  r.placement = normalise(p, std::move(c));
  r.illegal = why_illegal(p, r.placement, d);
  r.predicted_ns = predict(p, r.placement, d);
  return r;
}

namespace {

// Of the row's own list those that hold here, in its order.
std::vector<placement> listed_placements(const bound_problem& p, const device_description& d) {
  std::vector<placement> list;
  if (d.backend == "host") return list;
  const std::map<std::string, std::string> about = {{"arch", std::to_string(d.arch())},
                                                    {"batch", std::to_string(p.batch_class)}};
  for (const usual& u : p.description.defaults) {
    if (!u.when.empty() && evaluate(u.when, p, about) == 0) continue;
    candidate c = examine(p, d, placement::parse(u.placement));
    const std::size_t staged = group_bytes(p, c.placement) - exchange_bytes(p, c.placement);
    if (c.illegal.empty() && staged <= d.shared_per_block) list.push_back(std::move(c.placement));
  }
  return list;
}
// A problem on a GPU as the shared rule asks for it.
class usual_problem {
 public:
  usual_problem(const bound_problem& p, const device_description& d)
      : p_(p), d_(d), facts_(facts_of(p)), device_(device_of(d)), bodies_(bodies_by_default(p.description)) {}
  const dispatch::facts& facts() const { return facts_; }
  const dispatch::device& device() const { return device_; }
  int bodies() const { return static_cast<int>(bodies_.size()); }
  bool listed(placement& found) const {
    const auto all = listed_placements(p_, d_);
    if (!all.empty()) found = all.front();
    return !all.empty();
  }
  placement at(int width, int pack, bool shared, int body) const {
    placement c;
    c.scope = scope_of_width(width), c.pack = pack, c.home = shared ? "shared" : "global";
    c.body = bodies_[static_cast<std::size_t>(body)];
    return normalise(p_, std::move(c));
  }
  bool legal(const placement& c) const { return why_illegal(p_, c, d_).empty(); }
  bool in_fragments(const placement& c) const { return c.body == "fragment"; }
  long long group(const placement& c) const { return static_cast<long long>(group_bytes(p_, c)); }
  double time(const placement& c) const { return predict(p_, c, d_); }

 private:
  const bound_problem& p_;
  const device_description& d_;
  dispatch::facts facts_;
  dispatch::device device_;
  strings bodies_;
};

// The default by rule; nothing where no placement of the rule's kind is legal.
std::optional<placement> usual_placement(const bound_problem& p, const device_description& d) {
  placement c;
  const auto legal = [&](placement& x) {
    candidate r = examine(p, d, x);
    x = std::move(r.placement);
    return r.illegal.empty();
  };
  if (d.backend == "host") {
    const double work = std::max(20.0, p.flops);  // a task of some ten microseconds
    for (const auto& body : bodies_by_default(p.description))
      for (int pack = work * 64 > 3e4 ? 16 : work * 256 > 3e4 ? 64 : 256; pack >= 1; pack /= 4) {
        c = placement{}, c.pack = pack, c.body = body;
        if (legal(c)) return c;
      }
    return std::nullopt;
  }
  if (dispatch::usual(usual_problem(p, d), c)) return c;
  return std::nullopt;
}

// How many steps two placements lie apart: a doubling of lanes or of threads, another home, body or variant, and a
// quarter for each other tunable.
double distance(const placement& a, const placement& b) {
  const auto doublings = [](int m, int n) { return std::abs(std::log2(static_cast<double>(m) / n)); };
  double tunables = 0;
  for (const auto& [name, value] : a.tunables)
    if (const auto it = b.tunables.find(name); it != b.tunables.end() && it->second != value) tunables += 0.25;
  return doublings(a.width(), b.width()) + 0.5 * doublings(a.threads(), b.threads()) + 0.5 * (a.home != b.home) +
         (a.body != b.body) + (a.variant != b.variant) + tunables;
}

}  // namespace

std::vector<candidate> candidates(const bound_problem& p, const device_description& d) {
  std::vector<candidate> list;
  const bool host = d.backend == "host";
  // The rule knows what was measured, the model only what it was told: a step away from the rule must promise
  // something.
  const std::optional<placement> usual = usual_placement(p, d);
  for (const placement& shape : shapes(d))
    for (const char* home : {"global", "shared"})
      for (const auto& body : p.description.bodies.empty() ? strings{""} : p.description.bodies)
        for (const auto& tuning : tunings(p.description))
          for (const char* variant : {"fused", "split"}) {
            if (host && std::string(home) == "shared") continue;
            if (std::string(variant) == "split" && (p.description.stages.empty() || std::string(home) == "shared"))
              continue;
            for (const int pack : packs(p, shape, body, d)) {
              placement c = shape;
              c.variant = variant, c.pack = pack, c.home = home, c.body = body, c.tunables = tuning;
              list.push_back(examine(p, d, std::move(c)));
              if (usual && !host)
                list.back().predicted_ns *= std::pow(price_of_a_step, distance(list.back().placement, *usual));
            }
          }
  // A row's list may name scopes of other widths than those above.
  const std::vector<placement> listed = listed_placements(p, d);
  for (std::size_t k = 0; k < std::min(listed.size(), most_usual); ++k) {
    auto c = std::find_if(list.begin(), list.end(), [&](const candidate& x) { return x.placement == listed[k]; });
    if (c == list.end()) c = list.insert(c, examine(p, d, listed[k]));
    c->predicted_ns = std::min(c->predicted_ns, predict(p, listed[0], d) * std::pow(price_of_a_place, k));
  }
  std::stable_sort(list.begin(), list.end(), [](const candidate& a, const candidate& b) {
    return a.illegal.empty() != b.illegal.empty() ? a.illegal.empty() : a.predicted_ns < b.predicted_ns;
  });
  return list;
}

std::vector<candidate> shortlist(std::vector<candidate> sorted, std::size_t most) {
  std::map<std::string, std::size_t> seen;
  std::vector<candidate> list, others;
  for (auto& c : sorted) {
    if (!c.illegal.empty()) continue;
    const std::string kind =
        c.placement.variant + " " + c.placement.scope + " " + c.placement.home + " " + c.placement.body;
    (seen[kind]++ < most_alike ? list : others).push_back(std::move(c));
  }
  for (auto& c : others) list.push_back(std::move(c));
  if (list.size() > most) list.resize(most);
  return list;
}

placement default_placement(const bound_problem& p, const device_description& d) {
  if (const auto usual = usual_placement(p, d)) return *usual;
  const auto all = candidates(p, d);
  for (const auto& any : all)
    if (any.illegal.empty()) return any.placement;
  throw error(errc::invalid_argument, stage::tune,
              p.text() + ": no placement is legal on " + d.name + ": " + (all.empty() ? "" : all.front().illegal),
              "Smaller sizes, static sizes or less scratch would make one legal.");
}

std::string examine_usage(const usage& u, const candidate& c, const device_description& d) {
  const int threads = c.placement.threads();
  if (d.backend == "host") return {};
  if (u.registers * threads > d.registers_per_block)
    return std::to_string(u.registers) + " registers a thread times " + std::to_string(threads) +
           " threads are more than the " + std::to_string(d.registers_per_block) + " of a block.";
  if (threads > u.max_threads)
    return "this code runs with at most " + std::to_string(u.max_threads) + " threads a block.";
  if (u.local_bytes > most_local_bytes)
    return std::to_string(u.local_bytes) + " bytes of local memory a thread: spilled beyond reason.";
  return {};
}

}  // namespace glass::jit
