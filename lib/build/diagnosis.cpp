// Log lines, by example:
//   g++    lm_step:7:21:   required from 'int lm_step(…)'            (before the error)
//          glass/factor/posv.cuh:70:20: error: static assertion failed: …
//   clang  lm_step:5:11: error: cannot assign to …
//          lm_step:7:10: note: in instantiation of function template specialization … requested here   (after it)
//   NVRTC  lm_step(5): error: expression must be a modifiable lvalue
//            instantiation of "…" at line 7 of lm_step               (after it)
#include "build/diagnosis.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace glass::jit {

namespace {

const std::regex gnu_error(R"(^(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$)");
const std::regex nvrtc_error(R"(^(.+?)\((\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (.*)$)");
const std::regex gnu_frame(R"(^(.+?):(\d+):\d+:\s+(?:recursively )?required (?:from|by).*$)");
const std::regex clang_frame(R"(^(.+?):(\d+):\d+: note: in instantiation of .*$)");
const std::regex nvrtc_frame(R"(^\s+.*at line (\d+) of (\S+)$)");

// Without the template arguments that g++ appends, and with plain quotes.
std::string plain(std::string message) {
  if (const std::size_t with = message.find(" [with "); with != std::string::npos) message.erase(with);
  for (const char* quote : {"\u2018", "\u2019"})
    for (std::size_t at; (at = message.find(quote)) != std::string::npos;) message.replace(at, 3, "'");
  return message;
}

}  // namespace

diagnosis read_log(const std::string& log, const std::string& operation) {
  diagnosis d;
  std::vector<int> before;
  std::istringstream lines(log);
  std::smatch m;
  const auto add = [&](std::vector<int>& to, const std::string& file, const std::string& line) {
    if (const int n = std::stoi(line); file == operation && std::find(to.begin(), to.end(), n) == to.end())
      to.push_back(n);
  };
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::string end = line.size() > 300 ? " " + line.substr(line.size() - 300) : line;
    line.resize(std::min(line.size(), longest_line));
    const bool gnu = std::regex_match(line, m, gnu_error);
    if (gnu || std::regex_match(line, m, nvrtc_error)) {
      if (!d.message.empty()) break;
      d.file = m[1], d.line = std::stoi(m[2]), d.message = plain(m[3]);
      add(d.frames, d.file, m[2]);
      for (int n : before) add(d.frames, operation, std::to_string(n));
    } else if (d.message.empty()) {
      if (line.find(": In ") != std::string::npos)
        before.clear();
      else if (std::regex_match(line, m, gnu_frame))
        add(before, m[1], m[2]);
    } else if (std::regex_match(line, m, clang_frame)) {
      add(d.frames, m[1], m[2]);
    } else if (std::regex_match(end, m, nvrtc_frame)) {
      add(d.frames, m[2], m[1]);
    }
  }
  return d;
}

std::string line_of(std::string_view text, int line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view one = text.substr(0, text.find('\n'));
  if (one.ends_with('\r')) one.remove_suffix(1);
  return std::string(one);
}

}  // namespace glass::jit
