// A recursive-descent evaluator: tokens are read and valued in one pass, branches not taken are parsed but not valued.
#include "base/expression.hpp"

#include <cctype>

#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

constexpr int deepest = 100;  // nesting that a person writes; beyond it the stack is at stake

struct token {
  enum { end, number, name, symbol } kind = end;
  std::string_view text;
  std::size_t at = 0;
};

class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) { advance(); }
  const token& peek() const { return next_; }
  token take() {
    const token t = next_;
    advance();
    return t;
  }
  bool take(std::string_view symbol) {
    if (next_.kind != token::symbol || next_.text != symbol) return false;
    advance();
    return true;
  }
  [[noreturn]] void fail(std::size_t at, const std::string& what, errc code = errc::invalid_argument) const {
    throw error(code, stage::source,
                "the expression '" + std::string(text_) + "', at character " + std::to_string(at + 1) + ": " + what);
  }

 private:
  static bool word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  static bool word_part(char c) { return word_start(c) || digit(c); }

  void advance() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    next_ = {token::end, {}, at_};
    if (at_ == text_.size()) return;
    const std::size_t from = at_;
    if (digit(text_[at_])) {
      while (at_ < text_.size() && word_part(text_[at_])) ++at_;
      next_ = {token::number, text_.substr(from, at_ - from), from};
    } else if (word_start(text_[at_])) {
      while (at_ < text_.size() && word_part(text_[at_])) {
        ++at_;
        if (text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && word_start(text_[at_ + 2])) at_ += 2;
      }
      next_ = {token::name, text_.substr(from, at_ - from), from};
    } else {
      static constexpr std::string_view two[] = {"==", "!=", "<=", ">=", "&&", "||"};
      std::size_t length = 1;
      for (const auto& s : two)
        if (text_.substr(from, 2) == s) length = 2;
      if (length == 1 && std::string_view("+-*/()<>!?:").find(text_[from]) == std::string_view::npos)
        fail(from, "'" + std::string(text_.substr(from, 1)) +
                       "' is not understood; use + - * / ( ) == != < <= > >= && || ! ? :");
      at_ += length;
      next_ = {token::symbol, text_.substr(from, length), from};
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  token next_;
};

class parser {
 public:
  parser(std::string_view text, const expression_scope& scope, const std::vector<std::string>& known)
      : in_(text), scope_(scope), known_(known) {}

  long long run() {
    if (in_.peek().kind == token::end) in_.fail(0, "nothing is written here");
    const expression_value v = choice();
    if (in_.peek().kind != token::end)
      in_.fail(in_.peek().at, "'" + std::string(in_.peek().text) + "' is one too many");
    return number(v, 0);
  }

 private:
  using value = expression_value;

  value choice() {
    if (++depth_ > deepest) in_.fail(in_.peek().at, "it is nested too deeply");
    const std::size_t at = in_.peek().at;
    value v = either();
    if (in_.take("?")) {
      const bool taken = number(v, at) != 0, outer = live_;
      live_ = outer && taken;
      const value a = choice();
      expect(":");
      live_ = outer && !taken;
      const value b = choice();
      live_ = outer;
      v = taken ? a : b;
    }
    --depth_;
    return v;
  }
  // `a || b` and `a && b`: b is valued only where it decides.
  value either() {
    const std::size_t at = in_.peek().at;
    value v = both();
    while (in_.take("||")) v = logical(v, at, true, &parser::both);
    return v;
  }
  value both() {
    const std::size_t at = in_.peek().at;
    value v = comparison();
    while (in_.take("&&")) v = logical(v, at, false, &parser::comparison);
    return v;
  }
  value logical(const value& left, std::size_t at, bool decided_by, value (parser::*right)()) {
    const bool a = number(left, at) != 0, outer = live_;
    live_ = outer && a != decided_by;
    const std::size_t there = in_.peek().at;
    const bool b = number((this->*right)(), there) != 0;
    live_ = outer;
    return {decided_by ? a || b : a && b, {}};
  }
  value comparison() {
    const std::size_t at = in_.peek().at;
    const value a = sum();
    const token op = in_.peek();
    if (op.kind != token::symbol) return a;
    if (op.text == "==" || op.text == "!=") {
      in_.take();
      const std::size_t there = in_.peek().at;
      bool equal;
      if (!a.word.empty() && in_.peek().kind == token::name) {
        equal = last_name(in_.take().text) == a.word;
      } else {
        const value b = sum();
        if (a.word.empty() != b.word.empty()) in_.fail(there, "a word is compared with a number");
        equal = a.word == b.word && a.number == b.number;
      }
      return {equal == (op.text == "=="), {}};
    }
    if (op.text != "<" && op.text != "<=" && op.text != ">" && op.text != ">=") return a;
    in_.take();
    const std::size_t there = in_.peek().at;
    const long long x = number(a, at), y = number(sum(), there);
    return {op.text == "<" ? x < y : op.text == "<=" ? x <= y : op.text == ">" ? x > y : x >= y, {}};
  }
  value sum() {
    std::size_t at = in_.peek().at;
    value v = product();
    while (in_.peek().kind == token::symbol && (in_.peek().text == "+" || in_.peek().text == "-")) {
      const token op = in_.take();
      const std::size_t there = in_.peek().at;
      const long long a = number(v, at), b = number(product(), there);
      long long r = 0;
      if (op.text == "+" ? __builtin_add_overflow(a, b, &r) : __builtin_sub_overflow(a, b, &r)) overflow(op.at);
      v = {r, {}};
    }
    return v;
  }
  value product() {
    std::size_t at = in_.peek().at;
    value v = unary();
    while (in_.peek().kind == token::symbol && (in_.peek().text == "*" || in_.peek().text == "/")) {
      const token op = in_.take();
      const std::size_t there = in_.peek().at;
      const long long a = number(v, at), b = number(unary(), there);
      long long r = 0;
      if (op.text == "*") {
        if (__builtin_mul_overflow(a, b, &r)) overflow(op.at);
      } else if (b == 0 || (a == INT64_MIN && b == -1)) {
        if (live_) in_.fail(op.at, b == 0 ? "a division by zero" : "the number is too large");
      } else {
        r = a / b;
      }
      v = {r, {}};
    }
    return v;
  }
  value unary() {
    if (++depth_ > deepest) in_.fail(in_.peek().at, "it is nested too deeply");
    value v;
    const std::size_t at = in_.peek().at;
    if (in_.take("-")) {
      long long r = 0;
      if (__builtin_sub_overflow(0LL, number(unary(), at + 1), &r)) overflow(at);
      v = {r, {}};
    } else if (in_.take("!")) {
      v = {number(unary(), at + 1) == 0, {}};
    } else {
      v = primary();
    }
    --depth_;
    return v;
  }
  value primary() {
    const token t = in_.peek();
    if (t.kind == token::number) {
      long long n = 0;
      for (const char c : t.text) {
        if (c < '0' || c > '9') in_.fail(t.at, "'" + std::string(t.text) + "' is neither a number nor a name");
        if (__builtin_mul_overflow(n, 10LL, &n) || __builtin_add_overflow(n, static_cast<long long>(c - '0'), &n))
          in_.fail(t.at, "the number is too large");
      }
      in_.take();
      return {n, {}};
    }
    if (t.kind == token::name) {
      value v;
      if (!scope_(t.text, v))
        in_.fail(t.at, "'" + std::string(t.text) + "' is not known." + did_you_mean(t.text, known_),
                 errc::unknown_name);
      in_.take();
      return v;
    }
    if (in_.take("(")) {
      const value v = choice();
      expect(")");
      return v;
    }
    in_.fail(t.at, t.kind == token::end ? "it ends where a number or a name is expected"
                                        : "'" + std::string(t.text) + "' stands where a number or a name is expected");
  }
  void expect(std::string_view symbol) {
    if (in_.take(symbol)) return;
    in_.fail(in_.peek().at, "'" + std::string(symbol) + "' is expected" +
                                (in_.peek().kind == token::end ? "" : ", not '" + std::string(in_.peek().text) + "'"));
  }
  long long number(const value& v, std::size_t at) const {
    if (!v.word.empty())
      in_.fail(at, "a number is expected; what stands here is the word '" + v.word +
                       "', which can only be compared with == or !=");
    return v.number;
  }
  void overflow(std::size_t at) const {
    if (live_) in_.fail(at, "the number is too large");
  }

  lexer in_;
  const expression_scope& scope_;
  const std::vector<std::string>& known_;
  bool live_ = true;
  int depth_ = 0;
};

// Calls name(token) for each name, or word(name, word) where a name follows `NAME ==` or `NAME !=`.
template <class Name, class Word>
void walk(std::string_view expression, const Name& name, const Word& word) {
  lexer in(expression);
  token before, comparison;  // the last two tokens
  for (; in.peek().kind != token::end; before = comparison, comparison = in.take()) {
    if (in.peek().kind != token::name) continue;
    const bool compared = comparison.kind == token::symbol && (comparison.text == "==" || comparison.text == "!=");
    if (!compared)
      name(in.peek());
    else if (before.kind == token::name)
      word(before, in.peek());
  }
}

}  // namespace

long long evaluate(std::string_view expression, const expression_scope& scope, const std::vector<std::string>& known) {
  return parser(expression, scope, known).run();
}

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  walk(
      expression, [&](const token& t) { names.emplace_back(t.text); }, [](const token&, const token&) {});
  return names;
}

std::vector<std::pair<std::string, std::string>> words_in(std::string_view expression) {
  std::vector<std::pair<std::string, std::string>> words;
  walk(
      expression, [](const token&) {},
      [&](const token& n, const token& w) { words.emplace_back(std::string(n.text), last_name(w.text)); });
  return words;
}

}  // namespace glass::jit
