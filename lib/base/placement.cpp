// The text of a placement, both ways, and the lanes of a scope's name.
#include "glass/jit/placement.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit {
namespace {

constexpr int most_threads = 1024, most_packed = 1 << 20;

// Lanes of a scope by name, 0 when there is no such scope.
int lanes(std::string_view scope) {
  if (scope == "thread") return 1;
  if (scope == "warp") return 32;
  for (const int n : {2, 4, 8, 16})
    if (scope == "tile" + std::to_string(n)) return n;
  int n = 0;
  if (scope.substr(0, 5) != "block" || scope.size() < 6 || scope[5] == '0') return 0;
  const auto [end, problem] = std::from_chars(scope.data() + 5, scope.data() + scope.size(), n);
  return problem == std::errc() && end == scope.data() + scope.size() && n >= 2 && n <= most_threads ? n : 0;
}

bool is_identifier(std::string_view s) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !s.empty() && letter(s[0]) &&
         std::all_of(s.begin(), s.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) {
  throw error(errc::invalid_argument, stage::source, what, hint);
}

}  // namespace

int placement::width() const {
  const int n = lanes(scope);
  if (n == 0)
    refuse("scope=" + scope + " is not a scope.",
           "Scopes are thread, tile2, tile4, tile8, tile16, warp and block2 to block1024.");
  return n;
}

std::string placement::text() const {
  std::string s = "variant=" + variant + " scope=" + scope + " pack=" + std::to_string(pack) + " home=" + home;
  if (!body.empty()) s += " body=" + body;
  for (const auto& [key, value] : tunables) s += " " + key + "=" + value;
  return s;
}

placement placement::parse(std::string_view text) {
  static const std::vector<std::string> axes = {"variant", "scope", "pack", "home", "body"};
  placement p;
  std::vector<std::string> seen;
  std::string spaced(text);
  std::replace_if(
      spaced.begin(), spaced.end(), [](char c) { return c == '\t' || c == '\n' || c == ','; }, ' ');
  for (const auto& word : split(spaced, ' ')) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key.empty() || value.empty())
      refuse("placement: '" + word + "' is not of the form axis=value.",
             "For example: scope=tile8 pack=16 home=shared.");
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) refuse("placement: '" + key + "' is given twice.");
    seen.push_back(key);
    const auto one_of = [&](const std::vector<std::string>& known) {
      if (std::find(known.begin(), known.end(), value) == known.end())
        refuse("placement: " + word + " is not a choice." + did_you_mean(value, known),
               key + " is one of: " + join(known, ", ") + ".");
    };
    if (key == "variant") {
      one_of({"fused", "split"});
      p.variant = value;
    } else if (key == "scope") {
      if (lanes(value) == 0) {
        const std::vector<std::string> known = {"thread", "tile2",   "tile4",    "tile8",   "tile16",
                                                "warp",   "block64", "block128", "block256"};
        refuse("placement: " + word + " is not a scope." + did_you_mean(value, known),
               "Scopes are thread, tile2, tile4, tile8, tile16, warp and block2 to block1024.");
      }
      p.scope = value;
    } else if (key == "pack") {
      const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), p.pack);
      if (problem != std::errc() || end != value.data() + value.size() || p.pack < 1 || p.pack > most_packed)
        refuse("placement: " + word + " is not a number of problems from 1 to " + std::to_string(most_packed) + ".");
    } else if (key == "home") {
      one_of({"global", "shared"});
      p.home = value;
    } else {
      if (!is_identifier(key)) refuse("placement: '" + key + "' in '" + word + "' is not a name.");
      if (key == "body" && !is_identifier(value))
        refuse("placement: '" + value + "' in '" + word + "' is not the name of a body.");
      if (key == "body") {
        p.body = value;
        continue;
      }
      // Tunables are the author's names; what looks like a misspelt axis is not taken for one, unless it is written in
      // capitals.
      const bool capitals = std::none_of(key.begin(), key.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      if (const std::string axis = nearest(key, axes); !axis.empty() && !capitals)
        refuse("placement: '" + key + "' is not an axis. Did you mean '" + axis + "'?",
               "Axes are " + join(axes, ", ") + " and the operation's tunables.");
      p.tunables[key] = value;
    }
  }
  return p;
}

}  // namespace glass::jit
