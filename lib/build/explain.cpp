// From a compiler's log to what the user did: the first error, the user's own lines that lead to it, and a sentence
// that says what to change.
#include "build/explain.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <regex>
#include <set>

#include "base/headers.hpp"
#include "base/text.hpp"
#include "build/assemble.hpp"
#include "build/diagnosis.hpp"
#include "build/mismatch.hpp"
#include "build/signature.hpp"

namespace glass::jit {

namespace {

bool says(const std::string& message, const char* pattern) { return std::regex_search(message, std::regex(pattern)); }
// The first group of the first pattern that matches.
std::string quoted(const std::string& message, std::initializer_list<const char*> patterns) {
  std::smatch m;
  for (const char* p : patterns)
    if (std::regex_search(message, m, std::regex(p))) return m[1];
  return {};
}

std::vector<std::string> words(
    const std::string& text) {  // by hand: std::regex recurses, and a text may be one huge word
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::set<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > at && !std::isdigit(static_cast<unsigned char>(text[at]))) all.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return {all.begin(), all.end()};
}
bool has_word(const std::string& text, const std::string& word) {
  const auto all = words(text);
  return !word.empty() && std::binary_search(all.begin(), all.end(), word);
}

// Functions and types that the device headers declare.
const std::vector<std::string>& glass_names() {
  static const std::vector<std::string> all = [] {
    static const std::regex declared(
        R"(\b(?:struct|class|enum class|using)\s+([a-zA-Z]\w*)|\b([a-z]\w*)\((?:Scope|S) scope\b|GLASS_(?:DEVICE|SCALAR)[^;{(]*?\b([a-z]\w*)\()");
    std::set<std::string> names;
    for (const embedded_header& header : embedded_headers()) {
      const std::string text(header.text);
      for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at)
        for (int group : {1, 2, 3})
          if ((*at)[group].matched) names.insert((*at)[group]);
    }
    return std::vector<std::string>(names.begin(), names.end());
  }();
  return all;
}

// How an operation is called, out of the contract comment of its header: "gemv<Trans>(scope, alpha, A, x, y)".
std::vector<std::string> calls_of(const std::string& name) {
  const std::regex call("(^|\n)// (" + name + R"((?:<[^>\n]*>)?\(scope[^)\n]*\)))");
  std::vector<std::string> all;
  for (const embedded_header& header : embedded_headers()) {
    const std::string text(header.text);
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) all.push_back((*at)[2]);
  }
  return all;
}

struct context {
  const bound_problem& problem;
  const diagnosis& found;
  std::string line;  // of the user's text, where the error is
};

// The `in` operand, under the name that the text gives it, that a line mentions.
std::string read_only_operand(const context& c) {
  const auto s = find_function(c.problem.description.text, c.problem.description.name);
  std::size_t at = 1;
  for (const bound_operand& o : c.problem.operands) {
    if (!o.in_body()) continue;
    const std::string name = s && at < s->parameters.size() ? s->parameters[at].name : o.what->name;
    ++at;
    if (o.what->access == access::in && has_word(c.line, name)) return name;
  }
  return {};
}

std::string const_sentence(const context& c) {
  const std::string name = read_only_operand(c);
  if (name.empty()) return "The text writes through a view of const elements.";
  return name + " is an `in` operand, so its view is const: declare it inout(\"" + name +
         "\", …) if the kernel may write it, or work on a scratch operand.";
}

// The names of ours for what people take from the standard library.
std::string own_name(const std::string& standard) {
  static const std::map<std::string, std::string> names = {
      {"max", "greatest"},     {"fmax", "greatest"},    {"fmaxf", "greatest"},     {"min", "least"},
      {"fmin", "least"},       {"fminf", "least"},      {"abs", "absolute"},       {"fabs", "absolute"},
      {"fabsf", "absolute"},   {"sqrt", "square_root"}, {"sqrtf", "square_root"},  {"exp", "exponential"},
      {"expf", "exponential"}, {"fma", "fused"},        {"isfinite", "is_finite"}, {"rsqrt", "reciprocal_square_root"}};
  const auto found = names.find(standard);
  return found == names.end() ? "" : found->second;
}

std::string std_sentence(const context& c) {
  const std::string used = quoted(c.line, {R"(std::(\w+))"}), ours = own_name(used);
  if (ours.empty())
    return "Device code has no standard library; glass's own scalar functions are glass::greatest, least, absolute, "
           "square_root …";
  return "Device code has no standard library: use glass::" + ours + " instead of std::" + used + ".";
}

std::string include_sentence(const std::string& file) {
  const bool standard =
      file.find('.') == std::string::npos || file == "math.h" || file == "stdlib.h" || file == "stdio.h";
  if (standard)
    return "Device code has no standard library, so there is no <" + file +
           ">: leave the include out; scalar functions are glass::square_root, greatest …";
  return "The compiler sees glass's own headers and no other file: put the text of " + file +
         " into the kernel's text.";
}

// What follows glass:: on a line and is no name of ours.
std::string unknown_name_sentence(const std::string& word) {
  const std::string other = nearest(word, glass_names());
  return "glass has no " + word + (other.empty() ? "." : "; did you mean glass::" + other + "?");
}

std::string undeclared_sentence(const context& c, const std::string& word) {
  const auto& known = glass_names();
  if (const std::string ours = own_name(word); !ours.empty()) return "Use glass::" + ours + " instead of " + word + ".";
  if (std::binary_search(known.begin(), known.end(), word)) return "Did you mean glass::" + word + "?";
  for (const operand& o : c.problem.description.operands)
    if (o.name == word)
      return word + " is in the operand list, but " + c.problem.description.name + " has no parameter of that name.";
  std::vector<std::string> near = words(blanked(c.problem.description.text));
  std::erase(near, word);
  near.insert(near.end(), known.begin(), known.end());
  const std::string other = nearest(word, near);
  return other.empty() ? "Nothing is called " + word + " here."
                       : "Nothing is called " + word + " here; did you mean " + other + "?";
}

std::string call_sentence(const std::string& name) {
  const auto calls = calls_of(name);
  return calls.empty() ? "" : "It is called as " + join(calls, " or ") + ".";
}

// Errors in the user's own lines or in a header below them.
std::string sentence(const context& c) {
  const std::string& message = c.found.message;
  if (const std::string own = quoted(message, {"(glass: [^\"]*[^\"\\s])"}); !own.empty()) {
    const std::string text = own.substr(7);
    return has_word(text, "const") && !read_only_operand(c).empty() ? text + " " + const_sentence(c) : text;
  }
  if (const std::string file =
          quoted(message, {"^(.+?): No such file", "cannot open source file \"([^\"]+)\"", "'([^']+)' file not found"});
      !file.empty())
    return include_sentence(file);
  if (says(message,
           "read-only|modifiable lvalue|cannot assign to|not assignable|discards qualifiers|from 'const [^']*' to "
           "'[^c]|loses? qualifiers|drops 'const'"))
    return const_sentence(c);
  if (has_word(c.line, "std") && says(message, R"('?std'?|"std"|not a member of 'std')")) return std_sentence(c);
  if (says(message, "__host__")) return "JIT text is device code: write GLASS_DEVICE instead of __host__.";
  if (const std::string word =
          quoted(message, {"'(\\w+)' is not a member of 'glass(?:::\\w+)?'",
                           "namespace \"glass(?:::\\w+)?\" has no member \"(\\w+)\"",
                           "no (?:template|member|type) named '(\\w+)' in namespace 'glass(?:::\\w+)?'"});
      !word.empty())
    return unknown_name_sentence(word);
  if (const std::string name =
          quoted(message, {"no matching function for call to '(?:glass::)?(\\w+)",
                           "no instance of (?:overloaded )?function(?: template)? \"glass::(\\w+)\""});
      !name.empty())
    return call_sentence(name);
  if (const std::string word =
          quoted(message, {"'(\\w+)' was not declared", "use of undeclared identifier '(\\w+)'",
                           "identifier \"(\\w+)\" is undefined", "'(\\w+)' has not been declared"});
      !word.empty())
    return undeclared_sentence(c, word);
  const auto& known = glass_names();
  if (const std::string word = quoted(c.line, {"glass::(\\w+)::"});
      !word.empty() && !std::binary_search(known.begin(), known.end(), word) && word != "scope")
    return unknown_name_sentence(word);
  return {};
}

struct verdict {
  std::string sentence, table;
};

// The first error lies in the generated tail: the text does not offer what the tail calls.
verdict tail_verdict(const bound_problem& p, const placement& where, const diagnosis& found) {
  const operation_description& d = p.description;
  if (!balanced(d.text)) return {"The text has not as many { as }: a brace is missing or one too many.", ""};
  const auto s = find_function(d.text, d.name);
  if (!s) {
    const auto functions = functions_in(d.text);
    const bool hidden = has_word(blanked(d.text), d.name);
    std::string other = nearest(d.name, functions);
    if (other.empty() && functions.size() == 1) other = functions[0];
    return {"The text defines no function " + d.name + (hidden ? " outside a namespace or class" : "") +
                (other.empty() ? "." : "; did you mean " + other + "?") +
                " The name of the operation is the name of the function.",
            ""};
  }
  if (const std::string own = quoted(found.message, {"(glass: [^\"]*[^\"\\s])"}); !own.empty())
    return {own.substr(7), ""};
  const mismatch m = compare(p, where, *s);
  if (!m.sentence.empty()) return {m.sentence + ".", m.table};
  if (found.file != tail_name) return {};
  return {"Compare what the operand list hands over with what " + d.name + " takes.", m.table};
}

std::string shortened(const std::string& s, std::size_t most) {
  return s.size() <= most ? s : s.substr(0, most) + " …";
}

}  // namespace

bool lacks_device(const bound_problem& p) {
  if (p.built_in) return false;
  const auto s = find_function(p.description.text, p.description.name);
  return s && !has_word(s->before, "GLASS_DEVICE") && !has_word(s->before, "__device__") &&
         !has_word(s->before, "GLASS_SCALAR");
}

std::string missing_device_hint(const bound_problem& p) {
  return p.description.name + " is not marked GLASS_DEVICE: the JIT takes it, but nvcc will not call it from a kernel";
}

error explain_compile_failure(const error& raw, const bound_problem& p, const source& s) {
  // One at a time: std::regex fills a table of the global locale as it goes, without a lock of its own (libstdc++).
  // Compiles of several candidates fail together where the user's text is wrong.
  static std::mutex alone;
  const std::lock_guard hold(alone);
  const operation_description& d = p.description;
  const diagnosis found = read_log(raw.log(), d.name);
  error::parts out{raw.code(), raw.stage(), {}, {}, s.label, raw.log(), raw.versions()};
  if (!raw.attempted().empty() && raw.attempted() != s.label) out.attempted += ": " + raw.attempted();
  out.message = d.name + " does not compile: ";
  if (found.message.empty()) {
    out.message += raw.message();
    out.hint = raw.hint();
    return error(std::move(out));
  }
  const std::string message = shortened(found.message, 600);
  if (found.frames.empty() && found.file == tail_name) {
    out.message += "the text does not take what the operand list hands over";
  } else if (found.frames.empty()) {
    out.message += "in " + found.file + ", line " + std::to_string(found.line) + ": " + message;
  }
  for (std::size_t i = 0; i < found.frames.size(); ++i) {
    const std::string at = std::to_string(found.frames[i]), place = "at line " + at + " of " + d.name;
    out.message += i == 0 ? place + ": " + message : "\n    reached " + place;
    out.message += "\n    " + at + " | " + shortened(line_of(d.text, found.frames[i]), 200);
  }
  if (p.built_in) {
    out.hint = "This is a fault of glass, not of your program; the log has the compiler's own words.";
    return error(std::move(out));
  }
  const bool own_call = says(found.message, ("no matching function for call to '(::)?" + d.name + "\\b").c_str());
  if (found.file == tail_name || found.frames.empty() || own_call || !balanced(d.text)) {
    const verdict v = tail_verdict(p, placement::parse(s.label), found);
    out.hint = v.sentence, out.message += v.table;
  } else {
    out.hint = sentence({p, found, line_of(d.text, found.frames[0]).substr(0, longest_line)});
  }
  return error(std::move(out));
}

}  // namespace glass::jit
