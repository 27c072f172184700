// Constant includes + the user's text unchanged + a generated tail that instantiates the one kernel template of
// kernels_src/batch.cuh.
#include "build/assemble.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace glass::jit {

namespace {

std::string code(const bound_extent& e) {
  return e.fixed() ? std::to_string(e.value) : "glass::batch::run_time(" + std::to_string(e.slot) + ")";
}

// Reserve: bytes of the launch's memory that are left to exchange.
std::string scope_type(const std::string& scope, std::size_t reserve) {
  const std::size_t digits = scope.find_first_of("0123456789");
  const std::string word = scope.substr(0, digits);
  if (digits == std::string::npos && (word == "thread" || word == "warp")) return "glass::scope::" + word;
  if (digits != std::string::npos && (word == "tile" || word == "block"))
    return "glass::scope::" + word + "<" + scope.substr(digits) + (reserve > 0 ? ", " + std::to_string(reserve) : "") +
           ">";
  throw error(errc::invalid_argument, stage::source, "no scope is called '" + scope + "'",
              "scopes are thread, tile2 … tile16, warp and blockN");
}

std::string layout(const bound_operand& o) {
  const bool stride_given = !o.natural_stride || o.what->broadcast;
  if (o.what->order == order::col && o.natural_ld && !stride_given) return "glass::batch::layout<>";
  const std::string stride = o.what->broadcast ? "0" : o.natural_stride ? "-1" : code(o.stride);
  return std::string("glass::batch::layout<glass::Order::") + name(o.what->order) + ", " +
         (o.natural_ld ? "-1" : code(o.ld)) + ", " + stride + ">";
}

std::string operand_type(const bound_operand& o) {
  if (o.what->access == access::info) return "glass::batch::info";
  if (o.what->access == access::workspace) return "glass::batch::unused";
  if (o.what->access == access::scalar) return "glass::batch::scalar<" + type_text(o.type) + ">";
  std::string out = std::string("glass::batch::") + name(o.what->access) + "<" + type_text(o.type) + ", " + layout(o);
  for (const bound_extent& e : o.shape) out += ", " + code(e);
  return out + ">";
}

// A value by its last name, as the description writes it.
std::string full_value(const std::vector<std::string>& values, const std::string& last, const std::string& what) {
  for (const std::string& v : values)
    if (last_name(v) == last_name(last)) return v;
  throw error(errc::unknown_name, stage::source, what + " has no value '" + last + "'." + did_you_mean(last, values));
}

std::string template_arguments(const bound_problem& p, const placement& where) {
  std::vector<std::string> all;
  for (const option& o : p.description.options)
    all.push_back(full_value(o.values, p.options.at(o.name), "option " + o.name));
  for (const tunable& t : p.description.tunables) {
    std::vector<std::string> values;
    for (const tunable::value& v : t.values) values.push_back(v.text);
    const auto chosen = where.tunables.find(t.name);
    all.push_back(chosen == where.tunables.end() ? values.at(0)
                                                 : full_value(values, chosen->second, "tunable " + t.name));
  }
  if (!p.description.bodies.empty() && !from_library(where)) {
    const std::string body =
        where.body.empty() ? p.description.bodies[0] : full_value(p.description.bodies, where.body, p.description.name);
    all.push_back("glass::Body::" + last_name(body));
  }
  return all.empty() ? "" : "<" + join(all, ", ") + ">";
}

}  // namespace

std::string type_text(scalar_type t) {
  return t == scalar_type::f64 ? "double" : t == scalar_type::f32 ? "float" : "int";
}

std::string handed_over(const bound_operand& o) {
  const std::string element = (o.what->access == access::in ? "const " : "") + type_text(o.type);
  const auto extent = [](const bound_extent& e) {
    return e.fixed() ? std::to_string(e.value) : std::string("glass::dynamic");
  };
  if (o.shape.empty()) return type_text(o.type);
  if (o.shape.size() == 1)
    return "glass::vector<" + element + ", " + extent(o.shape[0]) +
           (o.what->order == order::interleaved ? ", glass::dynamic>" : ">");
  std::string out = "glass::matrix<" + element + ", " + extent(o.shape[0]) + ", " + extent(o.shape[1]);
  if (o.what->order == order::row)
    out += ", " + extent(o.ld) + ", glass::Order::row";
  else if (o.what->order == order::interleaved)
    out += ", " + extent(o.ld) + ", glass::Order::col, glass::dynamic";
  else if (!o.natural_ld)
    out += ", " + extent(o.ld);
  return out + ">";
}

std::string prologue(const bound_problem& p) {
  const std::string header = p.built_in ? p.description.header : "glass/glass.cuh";
  // No tables: here the tuner chooses.
  const std::string includes =
      "#define GLASS_DISPATCH 0\n#include <" + header + ">\n#include <kernels_src/batch.cuh>\n";
  return p.built_in ? includes : includes + "#line 1 \"" + p.description.name + "\"\n";
}

namespace {

bool in_step(const operation_description& d, const std::string& body) {
  const std::string asked = last_name(body.empty() && !d.bodies.empty() ? d.bodies.front() : body);
  return std::any_of(d.in_step.begin(), d.in_step.end(), [&](const std::string& b) { return last_name(b) == asked; });
}

// One kernel of the source: a function over the operands, under the entry point of its number.
std::string kernel_text(const bound_problem& p, const placement& where, const std::string& function, std::size_t number,
                        bool last) {
  const bool split = where.variant == "split";
  const std::string suffix = number == 0 ? "" : "_" + std::to_string(number);
  std::string out = "struct glass_body" + suffix +
                    (in_step(p.description, where.body) ? " : glass::batch::goes_in_step" : "") +
                    " {\n  template <class... A> GLASS_DEVICE static auto run(A... a) { return " +
                    (uses_cub(p, where)    ? "::glass::nvidia::"
                     : from_library(where) ? "::glass::linked::"
                     : p.built_in          ? "::glass::"
                                           : "::") +
                    function + template_arguments(p, where) + "(a...); }\n};\n";
  out += (number == 0 ? "GLASS_BATCH(" : "GLASS_BATCH_STAGE(" + std::to_string(number) + ", ") +
         std::to_string(p.operands.size()) + ", glass_body" + suffix + ", " +
         scope_type(where.scope, exchange_bytes(p, where)) + ", " + std::to_string(where.pack) +
         ", glass::batch::home::" + where.home;
  for (const bound_operand& o : p.operands) {
    bound_operand seen = o;
    if (split && o.what->access == access::scratch) {
      auto in_memory = *o.what;
      in_memory.access = access::inout;
      seen.what = std::make_shared<const operand>(std::move(in_memory));
    }
    out += ",\n  " + (o.what->access == access::info && !last ? "glass::batch::unused" : operand_type(seen));
  }
  return out + ")\n";
}

}  // namespace

std::string tail(const bound_problem& p, const placement& where) {
  const operation_description& d = p.description;
  std::string out = std::string("#line 1 \"") + tail_name + "\"\n";
  if (from_library(where))
    return out + (uses_cub(p, where) ? "" : "#define GLASS_LINKED\n") + "#include <" + d.linked + ">\n" +
           kernel_text(p, where, d.name, 0, true);
  if (where.variant != "split") return out + kernel_text(p, where, d.function.empty() ? d.name : d.function, 0, true);
  for (std::size_t k = 0; k < d.stages.size(); ++k)
    out += kernel_text(p, where, d.stages[k], k, k + 1 == d.stages.size());
  return out;
}

std::vector<library_function> library_functions(const bound_problem& p, const placement& where) {
  std::vector<library_function> all;
  if (!from_library(where) || uses_cub(p, where)) return all;
  const auto holds = [&](const std::string& condition) { return !condition.empty() && evaluate(condition, p) != 0; };
  for (const library_call& c : p.description.calls) {
    library_function f;
    f.library = c.library, f.name = c.function, f.type = p.request.type;
    f.symbol = "glass_" + c.function + "_" + name(f.type);
    for (const std::string& size : c.sizes) f.sizes.push_back(static_cast<int>(evaluate(size, p)));
    f.threads = where.threads(), f.batches = where.pack;
    f.upper = holds(c.upper), f.right = holds(c.right), f.unit = holds(c.unit);
    f.transposed = holds(c.transposed), f.transposed_b = holds(c.transposed_b);
    if (!c.workspace.empty()) f.workspace = where.pack * static_cast<int>(evaluate(c.workspace, p));
    all.push_back(std::move(f));
  }
  return all;
}

source assemble(const bound_problem& p, const placement& where) {
  if (p.description.text.find('\0') != std::string::npos)
    throw error(errc::invalid_argument, stage::source, "the text of " + p.description.name + " contains a zero byte");
  // A line end after the text always: it may end without one, or with a backslash.
  source s = {prologue(p) + (p.built_in ? "" : p.description.text + "\n") + tail(p, where),
              p.description.name,
              where.text(),
              {},
              library_functions(p, where)};
  s.cub = uses_cub(p, where);
  return s;
}

}  // namespace glass::jit
