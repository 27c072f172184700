// Bracket counting over the blanked text.
#include "build/signature.hpp"

#include <algorithm>
#include <cctype>

namespace glass::jit {

namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string trimmed(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Splits at commas outside any bracket; '<' counts as one.
std::vector<std::string> split_list(const std::string& s) {
  std::vector<std::string> all(1);
  int depth = 0;
  for (char c : s) {
    depth += (c == '<' || c == '(' || c == '[' || c == '{') - (c == '>' || c == ')' || c == ']' || c == '}');
    if (c == ',' && depth == 0)
      all.emplace_back();
    else
      all.back() += c;
  }
  for (std::string& one : all) one = trimmed(one);
  if (all.size() == 1 && all[0].empty()) all.clear();
  return all;
}

std::size_t closing(const std::string& s, std::size_t open, char up, char down) {
  int depth = 0;
  for (std::size_t i = open; i < s.size(); ++i) {
    depth += (s[i] == up) - (s[i] == down);
    if (depth == 0) return i;
  }
  return std::string::npos;
}

parameter read_parameter(std::string text) {
  parameter p;
  if (const std::size_t value = text.find('='); value != std::string::npos) text = trimmed(text.substr(0, value));
  p.text = text;
  std::size_t start = text.size();
  while (start > 0 && word_char(text[start - 1])) --start;
  const bool named = start > 0 && start < text.size() && text[start - 1] != ':';
  p.name = named ? text.substr(start) : "";
  p.type = trimmed(named ? text.substr(0, start) : text);
  const std::size_t open = p.type.find('<');
  if (open == std::string::npos) return p;
  for (const char* view : {"matrix", "vector"})
    if (trimmed(p.type.substr(0, open)).ends_with(view)) p.view = view;
  const std::size_t close = closing(p.type, open, '<', '>');
  if (!p.view.empty() && close != std::string::npos)
    p.arguments = split_list(p.type.substr(open + 1, close - open - 1));
  return p;
}

// Calls `found(start of name, '(', depth of braces)` for each NAME( of the text.
template <class F>
void each_call(const std::string& text, F found) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '{') - (text[i] == '}');
    if (text[i] != '(') continue;
    std::size_t end = i;
    while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
    std::size_t start = end;
    while (start > 0 && word_char(text[start - 1])) --start;
    if (start < end && !std::isdigit(static_cast<unsigned char>(text[start])))
      found(text.substr(start, end - start), start, i, depth);
  }
}

bool starts_line(const std::string& text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

bool is_definition(const std::string& text, std::size_t open) {
  const std::size_t close = closing(text, open, '(', ')');
  if (close == std::string::npos) return false;
  const std::size_t next = text.find_first_of(";{(", close);
  return next != std::string::npos && text[next] == '{';
}

}  // namespace

std::string blanked(const std::string& text) {
  std::string out = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i)
      if (out[i] != '\n') out[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) {
      end = std::min(text.find('\n', i), text.size());
      blank(i, end);
    } else if (text.compare(i, 2, "/*") == 0) {
      end = text.find("*/", i + 2);
      end = end == std::string::npos ? text.size() : end + 2;
      blank(i, end);
    } else if (text[i] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      blank(i, ++end);
    } else if (text[i] == '#' && starts_line(out, i)) {
      do end = std::min(text.find('\n', end), text.size() - 1) + 1;
      while (end < text.size() && text[end - 2] == '\\');
      blank(i, end);
    }
    i = end;
  }
  return out;
}

std::optional<signature> find_function(const std::string& original, const std::string& name) {
  const std::string text = blanked(original);
  std::optional<signature> s;
  each_call(text, [&](const std::string& word, std::size_t start, std::size_t open, int depth) {
    const std::size_t close = closing(text, open, '(', ')');
    if (s || word != name || depth != 0 || close == std::string::npos) return;
    s.emplace();
    const std::size_t from = text.find_last_of(";}", start);
    s->before = trimmed(
        text.substr(from == std::string::npos ? 0 : from + 1, start - (from == std::string::npos ? 0 : from + 1)));
    if (s->before.starts_with("template")) {
      const std::size_t list = s->before.find('<');
      const std::size_t end = list == std::string::npos ? list : closing(s->before, list, '<', '>');
      if (end != std::string::npos) s->template_parameters = split_list(s->before.substr(list + 1, end - list - 1));
    }
    for (const std::string& one : split_list(text.substr(open + 1, close - open - 1)))
      s->parameters.push_back(read_parameter(one));
  });
  return s;
}

std::vector<std::string> functions_in(const std::string& original) {
  const std::string text = blanked(original);
  std::vector<std::string> all;
  each_call(text, [&](const std::string& word, std::size_t, std::size_t open, int depth) {
    if (depth == 0 && is_definition(text, open)) all.push_back(word);
  });
  return all;
}

bool balanced(const std::string& original) {
  const std::string text = blanked(original);
  return std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}');
}

}  // namespace glass::jit
