#include "dispatch/expression_text.hpp"

#include <cctype>
#include <vector>

#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

// The grammar of lib/base/expression.cpp, which has checked the text before; here it is written down again, with the
// parentheses that compilers ask for where && stands beside ||.
class writer {
 public:
  writer(std::string_view text, const std::function<bool(const std::string&)>& word_valued)
      : text_(text), word_valued_(word_valued) {
    advance();
  }
  std::string run() {
    const std::string all = choice();
    if (!next_.empty()) fail();
    return all;
  }

 private:
  void advance() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::size_t from = at_;
    const auto part = [&](std::size_t i) {
      return i < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[i])) || text_[i] == '_' ||
                                  (text_[i] == ':' && i + 1 < text_.size() && text_[i + 1] == ':') ||
                                  (text_[i] == ':' && i > 0 && text_[i - 1] == ':'));
    };
    if (part(at_) && text_[at_] != ':') {
      while (part(at_)) ++at_;
    } else if (at_ < text_.size()) {
      const std::string_view two = text_.substr(at_, 2);
      at_ += two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" || two == "||" ? 2 : 1;
    }
    next_ = std::string(text_.substr(from, at_ - from));
  }
  std::string take() {
    std::string t = next_;
    advance();
    return t;
  }
  bool take(std::string_view symbol) {
    if (next_ != symbol) return false;
    advance();
    return true;
  }
  [[noreturn]] void fail() const {
    throw error(errc::invalid_argument, stage::source,
                "the expression '" + std::string(text_) + "' cannot be written as C++ from '" + next_ + "' on");
  }

  std::string choice() {
    std::string v = either();
    if (!take("?")) return v;
    const std::string a = choice();
    if (!take(":")) fail();
    return v + " ? " + a + " : " + choice();
  }
  std::string either() {
    std::vector<std::string> all;
    std::vector<bool> several;
    do {
      several.push_back(false);
      all.push_back(comparison());
      while (take("&&")) all.back() += " && " + comparison(), several.back() = true;
    } while (take("||"));
    if (all.size() == 1) return all.front();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (several[i]) all[i] = "(" + all[i] + ")";
    return join(all, " || ");
  }
  std::string comparison() {
    const std::string left = sum();
    if (next_ != "==" && next_ != "!=" && next_ != "<" && next_ != ">" && next_ != "<=" && next_ != ">=") return left;
    const std::string how = take();
    if (word_valued_(left)) return left + " " + how + " word::" + last_name(take());
    return left + " " + how + " " + sum();
  }
  std::string sum() {
    std::string v = product();
    while (next_ == "+" || next_ == "-") {
      const std::string how = take();
      v += " " + how + " " + product();
    }
    return v;
  }
  std::string product() {
    std::string v = unary();
    while (next_ == "*" || next_ == "/") {
      const std::string how = take();
      v += " " + how + " " + unary();
    }
    return v;
  }
  std::string unary() {
    if (take("-")) return "-" + unary();
    if (take("!")) return "!" + unary();
    if (take("(")) {
      const std::string v = choice();
      if (!take(")")) fail();
      return "(" + v + ")";
    }
    if (next_.empty() || !std::isalnum(static_cast<unsigned char>(next_.front()))) fail();
    return take();
  }

  std::string_view text_;
  const std::function<bool(const std::string&)>& word_valued_;
  std::size_t at_ = 0;
  std::string next_;
};

}  // namespace

std::string expression_text(std::string_view expression, const std::function<bool(const std::string&)>& word_valued) {
  return writer(expression, word_valued).run();
}

}  // namespace glass::jit
