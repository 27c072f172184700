// BLAKE2b-256 (libsodium), as 64 hex digits.
#pragma once
#include <string>
#include <string_view>

namespace glass::jit {
std::string hash(std::string_view bytes);
// A hash over named fields, each length-prefixed, so that no two lists of fields give the same text.
class material {
 public:
  material& add(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }  // kept beside the key and compared on a hit
  std::string key() const { return hash(text_); }

 private:
  std::string text_;
};
}  // namespace glass::jit
