#include "store/shipped.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

decision_row row_of(const shipped_file& f, const shipped_row& r) {
  decision_row d;
  d.key = r.key, d.identity = r.identity, d.sizes = r.sizes, d.type = r.type, d.options = r.options;
  d.measure = r.measure, d.batch_class = r.batch_class, d.placement = r.placement, d.runner_up = r.runner_up;
  d.ns = r.ns, d.default_ns = r.default_ns, d.samples = r.samples, d.complete = true, d.created = r.created;
  for (const shipped_origin& o : f.origins) {
    if (o.number != r.origin) continue;
    d.backend = o.backend, d.target = o.target, d.fingerprint = o.fingerprint, d.power_class = o.power_class;
    d.candidate_set = o.candidate_set, d.driver = o.driver, d.compiler = o.compiler;
  }
  return d;
}

std::string quoted(const std::string& text) {
  for (const char c : text)
    if (c < ' ' || c > '~' || std::string_view("'\"\\[];").find(c) != std::string_view::npos)
      throw error(errc::invalid_argument, stage::store, "shipped decisions cannot hold this text: " + text);
  return "'" + text + "'";
}
std::string rounded(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}
// Sizes in the order of numbers: "N=8" before "N=16".
std::string sortable(const std::string& sizes) {
  std::string out, digits;
  for (const char c : sizes + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    if (!digits.empty()) out += std::string(9 - std::min<std::size_t>(9, digits.size()), '0') + digits;
    digits.clear();
    out += c;
  }
  return out;
}

using origin_fields =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string>;
origin_fields origin_of(const decision_row& d) {
  return {d.backend, d.target, d.fingerprint, d.power_class, d.candidate_set, d.driver, d.compiler};
}

}  // namespace

std::optional<decision_row> find_shipped(const std::vector<shipped_file>& files, const std::string& key,
                                         const std::string& material) {
  for (const shipped_file& f : files)
    for (const shipped_row& r : f.rows)
      if (key == r.key) {
        decision_row d = row_of(f, r);
        d.material = material;
        return d;
      }
  return {};
}

std::vector<decision_row> related_shipped(const std::vector<shipped_file>& files, const std::string& identity,
                                          const std::string& type, const std::string& options,
                                          const std::string& measure) {
  std::vector<decision_row> all;
  for (const shipped_file& f : files)
    for (const shipped_row& r : f.rows)
      if (identity == r.identity && type == r.type && options == r.options && measure == r.measure)
        all.push_back(row_of(f, r));
  return all;
}

std::vector<decision_row> all_shipped(const shipped_file& f) {
  std::vector<decision_row> all;
  for (const shipped_row& r : f.rows) all.push_back(row_of(f, r));
  return all;
}

std::string shipped_text(std::vector<decision_row> rows) {
  if (rows.empty()) throw error(errc::invalid_argument, stage::store, "there is no decision to ship.");
  const auto place = [](const decision_row& d) {
    return std::tuple(d.identity, d.options, d.type, sortable(d.sizes), d.measure, d.batch_class, d.key);
  };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::map<origin_fields, int> origins;
  std::string first = rows.front().created, last = first;
  for (const decision_row& d : rows) {
    origins.emplace(origin_of(d), 0);
    first = std::min(first, d.created), last = std::max(last, d.created);
  }
  std::string out =
      "-- Decisions that come with glass: the placement of a problem when neither the cache nor a pack knows one. Each "
      "was\n"
      "-- measured; `glass cache sql` writes this file, cache/shipped/README.md says how. Measured " +
      first.substr(0, 10) + (first.substr(0, 10) == last.substr(0, 10) ? "" : " to " + last.substr(0, 10)) + ", " +
      std::to_string(rows.size()) +
      " decisions.\n"
      "-- origin: number, backend, target, device, power class, candidate set, driver, compiler\n"
      "-- decision: origin, operation/revision, sizes, type, options, measure, batch class, placement, runner-up,\n"
      "--   ns per problem, ns of the default placement, samples, date, key\n"
      "CREATE TABLE origin (number INTEGER PRIMARY KEY, backend TEXT, target TEXT, fingerprint TEXT, power_class TEXT, "
      "candidate_set TEXT, driver TEXT, compiler TEXT) STRICT;\n"
      "CREATE TABLE decision (origin INTEGER, identity TEXT, sizes TEXT, type TEXT, options TEXT, measure TEXT, "
      "batch_class INTEGER, placement TEXT, runner_up TEXT, ns REAL, default_ns REAL, samples INTEGER, created TEXT, "
      "key TEXT PRIMARY KEY) STRICT;\n";
  int number = 0;
  for (auto& [fields, n] : origins) {
    n = ++number;
    out += "INSERT INTO origin VALUES (" + std::to_string(n);
    std::apply([&](const auto&... f) { ((out += ", " + quoted(f)), ...); }, fields);
    out += ");\n";
  }
  for (const decision_row& d : rows) {
    out += "INSERT INTO decision VALUES (" + std::to_string(origins[origin_of(d)]);
    for (const std::string* s : {&d.identity, &d.sizes, &d.type, &d.options, &d.measure}) out += ", " + quoted(*s);
    out += ", " + std::to_string(d.batch_class) + ", " + quoted(d.placement) + ", " + quoted(d.runner_up) + ", " +
           rounded(d.ns) + ", " + rounded(d.default_ns) + ", " + std::to_string(d.samples) + ", " +
           quoted(d.created.substr(0, 10)) + ", " + quoted(d.key) + ");\n";
  }
  return out;
}

}  // namespace glass::jit
