// Small text helpers that several layers need.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glass::jit {

// The name among `known` with the smallest edit distance to `word`, if it is close (at most a third of its length, at
// least 2 … ); else "".
std::string nearest(std::string_view word, const std::vector<std::string>& known);
// "", or " Did you mean 'posv'?" (with the leading space).
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
std::vector<std::string> split(std::string_view text, char at);  // empty parts dropped
std::string join(const std::vector<std::string>& parts, std::string_view between);
std::string last_name(std::string_view qualified);            // "glass::Trans::yes" -> "yes"
std::string utc_now();                                        // ISO 8601
std::optional<std::int64_t> bytes_in(std::string_view text);  // "4096", "64K", "500M", "2G"
std::string environment(const char* name);                    // "" when unset
double seconds_now();                                         // monotonic

}  // namespace glass::jit
