// glass report: what a pack or a cache holds, as one page that needs nothing else. The page is report.html.in with the
// data as JSON in it; the script inside it draws.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/stored.hpp"

namespace glass::jit::cli {

extern const char report_page[];

namespace {

constexpr std::size_t most_samples = 400000;  // of the whole page: it must open on a telephone

// At most `most` samples, spread evenly over their ranks, so that median and extremes stay; to four digits.
json samples_of(std::vector<double> ns, std::size_t most) {
  std::sort(ns.begin(), ns.end());
  json all = json::array();
  const std::size_t n = std::min(most, ns.size());
  for (std::size_t i = 0; i < n; ++i) {
    const double v = ns[n < 2 ? 0 : (i * (ns.size() - 1) + (n - 1) / 2) / (n - 1)];
    if (!std::isfinite(v)) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", v);
    all.push_back(std::atof(text));
  }
  return all;
}

// Texts that occur again and again are kept once, and named by their number.
class text_list {
 public:
  std::size_t operator()(const std::string& text) {
    const auto [at, fresh] = index_.emplace(text, all.size());
    if (fresh) all.push_back(text);
    return at->second;
  }
  json all = json::array();

 private:
  std::map<std::string, std::size_t> index_;
};

void add_once(json& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

// The devices in the order of how many decisions each has; where each decision finds its own.
json devices_of(const std::vector<decision_row>& rows, std::map<std::string, std::size_t>& index) {
  std::map<std::string, json> by_key;
  for (const decision_row& d : rows) {
    json& v = by_key.try_emplace(d.fingerprint + "\n" + d.power_class, json::object()).first->second;
    if (v.empty())
      v = {{"fingerprint", d.fingerprint},
           {"power_class", d.power_class},
           {"target", d.target},
           {"drivers", json::array()},
           {"compilers", json::array()},
           {"first", d.created},
           {"last", d.created},
           {"decisions", 0}};
    add_once(v["drivers"], d.driver), add_once(v["compilers"], d.compiler);
    v["first"] = std::min(v["first"].get<std::string>(), d.created);
    v["last"] = std::max(v["last"].get<std::string>(), d.created);
    v["decisions"] = v["decisions"].get<int>() + 1;
  }
  std::vector<std::pair<std::string, json>> list(by_key.begin(), by_key.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second["decisions"] > b.second["decisions"]; });
  json all = json::array();
  for (auto& [key, device] : list) {
    index[key] = all.size();
    all.push_back(std::move(device));
  }
  return all;
}

json images_of(layer& rows) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> by_target;
  for (const cache_entry& e : rows.list())
    if (e.what == "image") ++by_target[e.device].first, by_target[e.device].second += e.bytes;
  json all = json::array();
  for (const auto& [target, sum] : by_target)
    all.push_back({{"target", target}, {"count", sum.first}, {"bytes", sum.second}});
  return all;
}

json data_of(const stored& s) {
  std::vector<damaged_row> damaged;
  const std::vector<decision_row> rows = s.rows->decisions(damaged);
  std::vector<std::vector<candidate_row>> tried;
  std::size_t candidates = 0, samples = 0;
  for (const decision_row& d : rows) {
    tried.push_back(s.rows->candidates(d.key, damaged));
    candidates += tried.back().size();
    for (const candidate_row& c : tried.back()) samples += c.ns.size();
  }
  const std::size_t most = samples <= most_samples ? samples : std::max<std::size_t>(3, most_samples / candidates);
  std::map<std::string, std::size_t> device;
  json devices = devices_of(rows, device), decisions = json::array();
  text_list text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const decision_row& d = rows[i];
    json list = json::array();
    for (const candidate_row& c : tried[i])
      list.push_back(json::array({text(c.placement), text(c.state), text(c.reason), samples_of(c.ns, most)}));
    decisions.push_back({{"operation", text(d.identity.substr(0, d.identity.rfind('/')))},
                         {"sizes", text(d.sizes)},
                         {"options", text(d.options)},
                         {"type", text(d.type)},
                         {"measure", text(d.measure)},
                         {"batch", d.batch_class},
                         {"device", device[d.fingerprint + "\n" + d.power_class]},
                         {"placement", text(d.placement)},
                         {"runner_up", text(d.runner_up)},
                         {"ns", d.ns},
                         {"default_ns", d.default_ns},
                         {"samples", d.samples},
                         {"complete", d.complete},
                         {"state", text(d.state)},
                         {"created", text(d.created)},
                         {"driver", text(d.driver)},
                         {"compiler", text(d.compiler)},
                         {"key", d.key.substr(0, 12)},
                         {"candidates", std::move(list)}});
  }
  std::string note;
  if (most < samples) note = "at most " + std::to_string(most) + " samples of each candidate, evenly over their ranks";
  json all = {{"file", std::filesystem::path(s.file).filename().string()},
              {"version", GLASS_VERSION},
              {"made", utc_now()},
              {"note", note},
              {"bytes", s.rows->file_bytes()},
              {"damaged", damaged.size()},
              {"devices", std::move(devices)},
              {"images", images_of(*s.rows)},
              {"texts", std::move(text.all)},
              {"decisions", std::move(decisions)}};
  if (s.pack) {
    const pack_info& p = *s.pack;
    all["pack"] = {{"signer", p.signer}, {"made", p.made},       {"made_by", p.made_by},
                   {"glass", p.glass},   {"content", p.content}, {"targets", p.targets}};
  }
  return all;
}

// JSON that may stand inside a script element: no '<', and nothing but ASCII; text that is not UTF-8 is marked.
std::string embeddable(const json& data) {
  std::string text = data.dump(-1, ' ', true, json::error_handler_t::replace), out;
  for (const char c : text) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

}  // namespace

action add_report(CLI::App& app) {
  struct arguments {
    std::string from, html;
  };
  const auto a = std::make_shared<arguments>();
  CLI::App* sub = app.add_subcommand("report", "what a pack or cache holds, as one page to look at");
  sub->add_option("PACK", a->from, "a pack or a cache; default: the cache of this machine");
  sub->add_option("--html", a->html, "the page to write")->required();
  return [a] {
    std::string page = report_page;
    const std::string mark = "@DATA@";
    const stored s = open_stored(a->from);
    page.replace(page.find(mark), mark.size(), embeddable(data_of(s)));
    std::ofstream out(a->html, std::ios::binary);
    if (!(out << page << std::flush)) throw error(errc::io, stage::store, a->html + " cannot be written.");
    std::printf("%s, %s\n", a->html.c_str(), size_text(std::int64_t(page.size())).c_str());
    return 0;
  };
}

}  // namespace glass::jit::cli
