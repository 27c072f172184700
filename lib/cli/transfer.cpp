// glass transfer: what the verdicts measured on one device cost on another. The arithmetic is runtime/transfer.hpp.
#include "runtime/transfer.hpp"

#include <cstdio>

#include "cli/command.hpp"
#include "cli/stored.hpp"

namespace glass::jit::cli {
namespace {

struct transfer_arguments {
  std::string a, b, device_a, device_b;
  std::size_t most = 10;
  bool both = false, json = false;
};
struct side {
  std::string label, file;
  measured_device device;
};

// The decisions of the one device in a pack or cache that the option names; "": the only one there is.
side read_side(const char* label, const std::string& from, const std::string& named, const std::string& option) {
  const stored s = open_stored(from);
  std::vector<damaged_row> damaged;
  std::vector<measured_device::decided> rows;
  for (decision_row& d : s.rows->decisions(damaged)) {
    std::vector<candidate_row> tried = s.rows->candidates(d.key, damaged);
    rows.push_back({std::move(d), std::move(tried)});
  }
  for (const damaged_row& d : damaged)
    std::fprintf(stderr, "note: %s: a row is left out: %s\n", s.file.c_str(), d.why.c_str());
  std::vector<measured_device> devices = devices_of(std::move(rows)), chosen;
  std::string list;
  for (measured_device& d : devices) {
    list += "\n    " + d.text() + ", " + std::to_string(d.decisions.size()) + " decisions";
    if (named.empty() || d.text().find(named) != std::string::npos) chosen.push_back(std::move(d));
  }
  if (devices.empty())
    throw error(errc::store, stage::store, s.file + " holds no decision that could be compared.",
                "Decisions come from 'glass tune'.");
  if (chosen.size() != 1)
    throw error(
        errc::invalid_argument, stage::store,
        s.file + (named.empty() ? " holds decisions of several devices or power classes."
                                : (chosen.empty() ? " holds no device with '" : " holds several devices with '") +
                                      named + "' in its fingerprint or power class."),
        "Name one of these by a part of its text, with " + option + ":" + list);
  return {label, s.file, std::move(chosen[0])};
}

json to_json(const transfer_cost& c) {
  json j = {{"problems", c.problems}, {"differ", c.differ}, {"compared", c.compared}};
  const auto number = [&](double v) { return c.compared ? json(v) : json(nullptr); };
  j["geometric_mean"] = number(c.geometric_mean), j["percentile_95"] = number(c.percentile_95);
  j["worst"] = number(c.worst);
  return j;
}
json to_json(const side& s) {
  return {{"file", s.file},
          {"target", s.device.target},
          {"fingerprint", s.device.fingerprint},
          {"power_class", s.device.power_class},
          {"decisions", s.device.decisions.size()}};
}
json to_json(const side& from, const side& to, const transfer& t) {
  json cells = json::array(), not_compared = json::array();
  for (const transfer_cell& c : t.cells) {
    json j = {{"problem", c.problem},
              {"tier", name(c.how)},
              {"origin", c.origin},
              {"placement", c.placement},
              {"own_placement", c.own_placement},
              {"own_ns", c.own_ns}};
    if (c.why.empty())
      j["ns"] = c.ns, j["cost"] = c.cost(), cells.push_back(std::move(j));
    else
      j["why"] = c.why, not_compared.push_back(std::move(j));
  }
  json untuned = to_json(t.untuned);
  untuned.erase("differ");
  return {{"verdicts_of", from.label},
          {"on", to.label},
          {"exact", to_json(t.exact)},
          {"nearby_batch", to_json(t.nearby_batch)},
          {"nearby_shape", to_json(t.nearby_shape)},
          {"untuned", untuned},
          {"cells", cells},
          {"not_compared", not_compared},
          {"unserved", t.unserved}};
}

std::string cost_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", v);
  return text;
}

void print_direction(const side& from, const side& to, const transfer& t, std::size_t most) {
  std::printf("\nverdicts of %s on %s: time on %s of what %s's decisions name, over the time of %s's own choice\n",
              from.label.c_str(), to.label.c_str(), to.label.c_str(), from.label.c_str(), to.label.c_str());
  std::vector<std::vector<std::string>> rows = {
      {"by", "problems", "differ", "compared", "geometric mean", "95th percentile", "worst"}};
  const auto add = [&](const std::string& by, const transfer_cost& c, bool named) {
    if (c.problems == 0) return;
    const auto number = [&](double v) { return c.compared ? cost_text(v) : std::string("-"); };
    rows.push_back({by, std::to_string(c.problems), named ? std::to_string(c.differ) : "", std::to_string(c.compared),
                    number(c.geometric_mean), number(c.percentile_95), number(c.worst)});
  };
  add("decision of the same problem", t.exact, true);
  add("decision of another batch", t.nearby_batch, true);
  add("decision of another size", t.nearby_shape, true);
  add("for comparison: no decision, the default", t.untuned, false);
  print_table(rows);
  if (rows.size() == 1) std::printf("no problem of %s has an answer in %s\n", to.label.c_str(), from.label.c_str());

  std::vector<std::vector<std::string>> dear = {{"cost", "problem", "by", from.label + "'s placement", "ns",
                                                 to.label + "'s own", "ns"}},
                                        blind = {{"problem", "by", from.label + "'s placement", "why"}};
  for (const transfer_cell& c : t.cells) {
    const std::string by = name(c.how) + (c.origin.empty() ? std::string() : " " + c.origin);
    if (!c.why.empty())
      blind.push_back({c.problem, by, c.placement, c.why});
    else if (c.differs() && dear.size() <= most)
      dear.push_back(
          {cost_text(c.cost()), c.problem, by, c.placement, number_text(c.ns), c.own_placement, number_text(c.own_ns)});
  }
  if (dear.size() > 1) {
    std::printf("\nthe dearest:\n");
    print_table(dear);
  }
  if (blind.size() > 1) {
    std::printf("\n%zu not compared, %s has no time for:\n", blind.size() - 1, to.label.c_str());
    print_table(blind);
  }
  if (!t.unserved.empty()) {
    std::printf("\n%zu of %s that no decision of %s is near to:\n", t.unserved.size(), to.label.c_str(),
                from.label.c_str());
    for (const std::string& problem : t.unserved) std::printf("%s\n", problem.c_str());
  }
}

int run_transfer(const transfer_arguments& arguments) {
  const side a = read_side("A", arguments.a, arguments.device_a, "--device-a"),
             b = read_side("B", arguments.b, arguments.device_b, "--device-b");
  if (a.device.backend != b.device.backend)
    throw error(errc::invalid_argument, stage::store,
                "A was measured on " + a.device.text() + " and B on " + b.device.text() +
                    ": no verdict of one backend is ever used on another.");
  const bool same = a.device.same_as(b.device);
  std::vector<std::pair<const side*, const side*>> directions = {{&a, &b}};
  if (arguments.both) directions.emplace_back(&b, &a);
  json all = json::array();
  if (!arguments.json) {
    for (const side* s : {&a, &b})
      std::printf("%s  %s: %s, %zu decisions\n", s->label.c_str(), s->file.c_str(), s->device.text().c_str(),
                  s->device.decisions.size());
    if (same)
      std::printf("both on the same device in the same power class: what differs is how tuning repeats itself\n");
  }
  for (const auto& [from, to] : directions) {
    const transfer t = transfer_between(from->device, to->device);
    if (arguments.json)
      all.push_back(to_json(*from, *to, t));
    else
      print_direction(*from, *to, t, arguments.most);
  }
  if (arguments.json) print({{"a", to_json(a)}, {"b", to_json(b)}, {"same_device", same}, {"directions", all}});
  return 0;
}

}  // namespace

action add_transfer(CLI::App& app) {
  const auto a = std::make_shared<transfer_arguments>();
  CLI::App* sub = app.add_subcommand("transfer", "what the verdicts of one device or power class cost on another");
  sub->add_option("A", a->a, "a pack or a cache: whose verdicts")->required();
  sub->add_option("B", a->b, "a pack or a cache: on which they are used, and where their times are from")->required();
  sub->add_option("--device-a", a->device_a, "of A only this device: a part of its fingerprint or power class");
  sub->add_option("--device-b", a->device_b, "of B only this device");
  sub->add_option("--most", a->most, "how many of the dearest are printed (10)");
  sub->add_flag("--both", a->both, "also B's verdicts on A");
  sub->add_flag("--json", a->json, "print JSON, with every cell");
  return [a] { return run_transfer(*a); };
}

}  // namespace glass::jit::cli
