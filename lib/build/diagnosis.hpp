// What a compiler said: the first error and the user's own lines that lead to it. Reads the logs of g++, clang and
// NVRTC.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace glass::jit {

inline constexpr std::size_t longest_line = 4000;  // that std::regex may see: it recurses

struct diagnosis {
  std::string message;  // of the first error; empty: the log has none
  std::string file;     // as the compiler names it: the operation, "glass_tail", or a header
  int line = 0;
  std::vector<int> frames;  // lines of the user's text, innermost first
};

diagnosis read_log(const std::string& log, const std::string& operation);
std::string line_of(std::string_view text, int line);  // without its line end; "" when there is none

}  // namespace glass::jit
