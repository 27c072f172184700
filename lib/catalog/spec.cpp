// The JSON of descriptions, problems and manifests, both ways.
#include "catalog/spec.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catalog/catalog.hpp"
#include "catalog/spec_reader.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

constexpr auto invalid = errc::invalid_argument;

// Extents that are integers are written as such.
json expression(const std::string& text) {
  const bool integer = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  return integer ? json(std::stoi(text)) : json(text);
}

json operand_json(const operand& o) {
  json shape = json::array();
  for (const auto& e : o.shape) shape.push_back(expression(e.text()));
  return {{"name", o.name},
          {"access", name(o.access)},
          {"shape", shape},
          {"kind", name(o.kind)},
          {"example", o.example},
          {"order", name(o.order)},
          {"ld", expression(o.ld)},
          {"stride", expression(o.stride)},
          {"broadcast", o.broadcast},
          {"when", o.when},
          {"type", o.type}};
}

operand operand_from(const json& v, const std::string& where) {
  const object_reader r(
      v, where, {"name", "access", "shape", "kind", "example", "order", "ld", "stride", "broadcast", "when", "type"});
  r.require("name");
  r.require("access");
  operand o;
  r.read("name", o.name);
  r.read("access", o.access,
         {access::in, access::out, access::inout, access::scratch, access::scalar, access::info, access::workspace});
  r.each("shape",
         [&](const json& e, const std::string& at) { o.shape.emplace_back(object_reader::expression_of(e, at)); });
  r.read("kind", o.kind,
         {kind::general, kind::spd, kind::lower, kind::upper, kind::positive, kind::index, kind::unit_quaternion});
  if (o.access == access::scalar && !r.has("example"))
    refuse(invalid, where + ": the scalar '" + o.name + "' has no 'example', the value that tuning and checks use.");
  r.read("example", o.example);
  r.read("order", o.order, {order::col, order::row, order::interleaved});
  if (r.has("ld")) o.ld = object_reader::expression_of(v["ld"], r.at("ld"));
  if (r.has("stride")) o.stride = object_reader::expression_of(v["stride"], r.at("stride"));
  r.read("broadcast", o.broadcast);
  r.read("when", o.when);
  r.read("type", o.type);
  return o;
}

void strings_from(const object_reader& r, const char* key, std::vector<std::string>& to) {
  r.each(key, [&](const json& e, const std::string& at) { to.push_back(object_reader::string_of(e, at)); });
}

operation_description description_from(const json& v, const std::string& where) {
  const object_reader r(
      v, where,
      {"name", "text", "header", "operands", "sizes", "options", "tunables", "stages", "bodies", "in_step", "exchange",
       "rules", "defaults", "flops", "bytes", "bound", "revision", "contract"});
  r.require("name");
  r.require("operands");
  operation_description d;
  r.read("name", d.name);
  r.read("text", d.text);
  r.read("header", d.header);
  r.each("operands", [&](const json& e, const std::string& at) { d.operands.push_back(operand_from(e, at)); });
  r.each("sizes", [&](const json& e, const std::string& at) {
    const object_reader s(e, at, {"name", "fallback", "least", "most", "fallback_size"});
    s.require("name");
    size_parameter p;
    s.read("name", p.name), s.read("fallback", p.fallback), s.read("least", p.least), s.read("most", p.most),
        s.read("fallback_size", p.fallback_size);
    d.sizes.push_back(p);
  });
  r.each("options", [&](const json& e, const std::string& at) {
    const object_reader s(e, at, {"name", "values"});
    s.require("name"), s.require("values");
    option o;
    s.read("name", o.name);
    strings_from(s, "values", o.values);
    d.options.push_back(o);
  });
  r.each("tunables", [&](const json& e, const std::string& at) {
    const object_reader s(e, at, {"name", "values"});
    s.require("name"), s.require("values");
    tunable t;
    s.read("name", t.name);
    s.each("values", [&](const json& x, const std::string& there) {
      t.values.emplace_back(object_reader::expression_of(x, there));
    });
    d.tunables.push_back(t);
  });
  strings_from(r, "stages", d.stages);
  strings_from(r, "bodies", d.bodies);
  strings_from(r, "in_step", d.in_step);
  r.read("exchange", d.exchange);
  r.each("rules", [&](const json& e, const std::string& at) {
    const object_reader s(e, at, {"when", "require", "reason"});
    s.require("require"), s.require("reason");
    rule u;
    s.read("when", u.when), s.read("require", u.require), s.read("reason", u.reason);
    d.rules.push_back(u);
  });
  r.each("defaults", [&](const json& e, const std::string& at) {
    const object_reader s(e, at, {"when", "placement"});
    s.require("placement");
    usual u;
    s.read("when", u.when), s.read("placement", u.placement);
    d.defaults.push_back(u);
  });
  r.read("flops", d.flops);
  r.read("bytes", d.bytes);
  r.read("bound", d.bound);
  r.read("revision", d.revision);
  r.read("contract", d.contract);
  return d;
}

const std::vector<std::string> problem_keys = {"sizes", "type", "batch", "options", "measure"};

problem problem_from(const object_reader& r) {
  problem p;
  r.pairs("sizes", [&](const std::string& size, const json& v, const std::string& at) {
    if (!v.is_object()) {
      p.sizes[size] = static_cast<int>(object_reader::integer_of(v, at, std::numeric_limits<int>::max()));
      return;
    }
    const object_reader bound(v, at, {"up_to"});
    bound.require("up_to");
    int most = 0;
    bound.read("up_to", most);
    p.sizes[size] = up_to(most);
  });
  r.read("type", p.type, {f32, f64, i32});
  r.read("batch", p.batch);
  r.pairs("options", [&](const std::string& o, const json& v, const std::string& at) {
    p.options[o] = object_reader::string_of(v, at);
  });
  r.read("measure", p.measure, {measure::throughput, measure::latency, measure::graph});
  return p;
}

operation_description with_source(operation_description d, const std::string& source_file, const std::string& where) {
  if (source_file.empty()) {
    if (d.text.empty()) refuse(invalid, where + ": neither a 'text' in the spec nor a source file is given.");
    return d;
  }
  if (!d.text.empty())
    refuse(invalid, where + ": the spec has a 'text' and the source file " + source_file + " is given too.",
           "Keep one of them.");
  d.text = read_text(source_file);
  return d;
}

}  // namespace

json parse_json(const std::string& text, const std::string& where) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::string twice;
  const auto watch = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second && twice.empty())
      twice = value.get<std::string>();
    return true;
  };
  json parsed;
  try {
    parsed = json::parse(text, watch);
  } catch (const json::exception& e) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing …"
    std::string said = e.what();
    if (const std::size_t at = said.find(" at line "); at != std::string::npos) said = said.substr(at + 4);
    refuse(invalid, where + ": not JSON, " + said + ".");
  }
  if (!twice.empty()) refuse(invalid, where + ": the key '" + twice + "' is given twice in one object.");
  return parsed;
}

std::string to_json(const operation_description& d, int indent) {
  json operands = json::array(), sizes = json::array(), options = json::array(), tunables = json::array(),
       rules = json::array(), defaults = json::array();
  for (const auto& o : d.operands) operands.push_back(operand_json(o));
  for (const auto& s : d.sizes)
    sizes.push_back({{"name", s.name},
                     {"fallback", s.fallback},
                     {"least", s.least},
                     {"most", s.most},
                     {"fallback_size", s.fallback_size}});
  for (const auto& o : d.options) options.push_back({{"name", o.name}, {"values", o.values}});
  for (const auto& t : d.tunables) {
    json values = json::array();
    for (const auto& v : t.values) values.push_back(expression(v.text));
    tunables.push_back({{"name", t.name}, {"values", values}});
  }
  for (const auto& r : d.rules) rules.push_back({{"when", r.when}, {"require", r.require}, {"reason", r.reason}});
  for (const auto& u : d.defaults) defaults.push_back({{"when", u.when}, {"placement", u.placement}});
  const json all = {{"name", d.name},         {"text", d.text},      {"header", d.header},     {"operands", operands},
                    {"sizes", sizes},         {"options", options},  {"tunables", tunables},   {"stages", d.stages},
                    {"bodies", d.bodies},     {"rules", rules},      {"defaults", defaults},   {"flops", d.flops},
                    {"bytes", d.bytes},       {"bound", d.bound},    {"revision", d.revision}, {"contract", d.contract},
                    {"exchange", d.exchange}, {"in_step", d.in_step}};
  return all.dump(indent, ' ', false, json::error_handler_t::replace);
}

operation_description description_from_json(const std::string& text, const std::string& where) {
  return description_from(parse_json(text, where), where);
}

std::string to_json(const problem& p, int indent) {
  json sizes = json::object();
  for (const auto& [n, v] : p.sizes) sizes[n] = v.bound ? json{{"up_to", v.value}} : json(v.value);
  const json all = {{"sizes", sizes},
                    {"type", name(p.type)},
                    {"batch", p.batch},
                    {"options", json(p.options)},
                    {"measure", name(p.measure)}};
  return all.dump(indent, ' ', false, json::error_handler_t::replace);
}

problem problem_from_json(const std::string& text, const std::string& where) {
  const json parsed = parse_json(text, where);
  return problem_from(object_reader(parsed, where, problem_keys));
}

std::vector<manifest_entry> manifest_from_json(const std::string& text, const std::string& where,
                                               const std::string& folder) {
  const json parsed = parse_json(text, where);
  const object_reader r(parsed, where, {"problems"});
  r.require("problems");
  std::vector<manifest_entry> entries;
  r.each("problems", [&](const json& v, const std::string& at) {
    std::vector<std::string> keys = {"operation", "source", "spec", "placement"};
    keys.insert(keys.end(), problem_keys.begin(), problem_keys.end());
    const object_reader one(v, at, keys);
    std::string operation, source, spec;
    const bool inlined = v.contains("spec") && v["spec"].is_object();
    one.read("operation", operation), one.read("source", source);
    if (!inlined) one.read("spec", spec);
    if (operation.empty() == (spec.empty() && !inlined))
      refuse(invalid, at + ": either 'operation' or 'spec' (with 'source') says what to solve.");
    if (!operation.empty() && !source.empty())
      refuse(invalid, at + ": a 'source' goes with a 'spec', not with an 'operation'.");
    const auto beside = [&](const std::string& file) {
      return file.empty() ? file : (std::filesystem::path(folder) / file).string();
    };
    manifest_entry e;
    e.built_in = !operation.empty();
    try {
      e.description = e.built_in ? find_operation(operation)
                      : inlined  ? with_source(description_from(v["spec"], at + ".spec"), beside(source), at + ".spec")
                                 : description_from_files(beside(source), beside(spec));
    } catch (const error& x) { throw error(x.code(), x.stage(), at + ": " + x.message(), x.hint()); }
    e.problem = problem_from(one);
    one.read("placement", e.placement);
    entries.push_back(std::move(e));
  });
  return entries;
}

std::string identity(const manifest_entry& e) {
  const bound_problem p = bind(e.description, e.problem, e.built_in);
  return join({p.identity, p.sizes_text(), name(e.problem.type), p.options_text(), std::to_string(e.problem.batch),
               name(e.problem.measure), e.placement},
              "; ");
}

std::string manifest_to_json(const std::vector<manifest_entry>& entries) {
  return manifest_to_json(entries, R"({"problems": []})", "manifest", "");
}

std::string manifest_to_json(const std::vector<manifest_entry>& entries, const std::string& onto,
                             const std::string& where, const std::string& folder) {
  std::set<std::string> there;
  for (const auto& e : manifest_from_json(onto, where, folder)) there.insert(identity(e));
  json all = parse_json(onto, where);
  for (const auto& e : entries) {
    if (!there.insert(identity(e)).second) continue;
    json one = json::object();
    if (e.built_in)
      one["operation"] = e.description.name;
    else
      one["spec"] = json::parse(to_json(e.description));
    one.update(json::parse(to_json(e.problem)));
    if (!e.placement.empty()) one["placement"] = e.placement;
    all["problems"].push_back(std::move(one));
  }
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

operation_description description_from_files(const std::string& source_file, const std::string& spec_file) {
  return with_source(description_from_json(read_text(spec_file), spec_file), source_file, spec_file);
}

std::string read_text(const std::string& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (std::filesystem::is_directory(file)) throw error(errc::io, stage::source, file + " is a folder, not a file.");
  if (!in || (in.peek() != std::char_traits<char>::eof() && !(text << in.rdbuf())))
    throw error(errc::io, stage::source, "cannot read " + file + ": " + std::strerror(errno ? errno : EIO) + ".");
  return text.str();
}

}  // namespace glass::jit
