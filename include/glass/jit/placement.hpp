// A placement: one complete, named choice of how a problem runs. Kept, printed and parsed as text; never an index.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace glass::jit {

struct placement {
  std::string variant = "fused";
  std::string scope = "thread";                      // thread, tile2 … tile16, warp, block32 … block1024
  int pack = 1;                                      // problems per block (of a block scope one after the other); on
                                                     // the host problems per task of the pool
  std::string home = "global";                       // global, shared
  std::string body = {};                             // empty: the operation has one body
  std::map<std::string, std::string> tunables = {};  // by name; values by their last name

  int width() const;                                                     // lanes of the scope: 1, 2 … 32, N of blockN
  bool is_block() const { return scope.compare(0, 5, "block") == 0; }    // of a block scope
  int threads() const { return is_block() ? width() : width() * pack; }  // of a block
  // "variant=fused scope=tile8 pack=16 home=shared body=fragment UNROLL=4"
  std::string text() const;
  // Reads text(); axes left out keep the defaults above. Throws errc::invalid_argument that names the word.
  static placement parse(std::string_view);
  friend bool operator==(const placement& a, const placement& b) { return a.text() == b.text(); }
  friend bool operator!=(const placement& a, const placement& b) { return !(a == b); }
};

// How a decision was found, best first.
enum class tier { named, exact, nearby_batch, nearby_shape, other_device, model, fallback };
const char* name(tier) noexcept;  // "exact" …; named: the caller named the placement; fallback is written "default"

}  // namespace glass::jit
