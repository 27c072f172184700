// Edit distance, splitting, time and environment.
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <numeric>

namespace glass::jit {
namespace {
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (std::tolower(a[i - 1]) != std::tolower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}
}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& k : known)
    if (const std::size_t d = edit_distance(word, k); d < least && d < std::max(word.size(), k.size()))
      least = d, best = k;
  return best;
}
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string n = nearest(word, known);
  return n.empty() ? "" : " Did you mean '" + n + "'?";
}
std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}
std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string s;
  for (const auto& p : parts) s += (s.empty() && &p == &parts.front() ? "" : std::string(between)) + p;
  return s;
}
std::string last_name(std::string_view qualified) {
  const std::size_t colon = qualified.rfind("::");
  return std::string(colon == std::string_view::npos ? qualified : qualified.substr(colon + 2));
}
std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}
std::optional<std::int64_t> bytes_in(std::string_view text) {
  double n = 0;
  const char* const last = text.data() + text.size();
  const auto [end, wrong] = std::from_chars(text.data(), last, n);
  if (wrong != std::errc() || !(n >= 0) || last - end > 1) return {};
  const std::size_t unit = end == last ? 0 : std::string_view(" KMG").find(*end);
  if (unit == std::string_view::npos || (end != last && unit == 0)) return {};
  n *= double(std::int64_t(1) << (10 * unit));
  if (n > 9e18) return {};
  return std::int64_t(n);
}
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace glass::jit
