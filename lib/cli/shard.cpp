#include "cli/shard.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

namespace glass::jit::cli {

shard shard_from(const std::string& text) {
  shard s;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%9d/%9d%c", &s.number, &s.of, &rest) == 2 && s.of >= 1 && s.of <= 100000 &&
      s.number >= 1 && s.number <= s.of)
    return s;
  throw error(errc::invalid_argument, stage::source, "--shard " + text + " is not of the form K/N with K from 1 to N.",
              "The second of eight: --shard 2/8.");
}

// The shard with the highest hash of (problem, shard).
int shard_of(const bound_problem& p, int of) {
  material m;
  m.add("identity", p.identity)
      .add("sizes", p.sizes_text())
      .add("run time", join(p.slots, " "))
      .add("type", name(p.request.type))
      .add("options", p.options_text())
      .add("batch class", std::to_string(p.batch_class))
      .add("measure", name(p.request.measure));
  int best = 1;
  std::string highest;
  for (int i = 1; i <= of; ++i)
    if (std::string h = hash(m.text() + "shard " + std::to_string(i)); h > highest) highest = std::move(h), best = i;
  return best;
}

}  // namespace glass::jit::cli
