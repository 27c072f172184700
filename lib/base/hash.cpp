// BLAKE2b-256 by libsodium.
#include "base/hash.hpp"

#include <sodium.h>

namespace glass::jit {

std::string hash(std::string_view bytes) {
  unsigned char digest[32];
  crypto_generichash(digest, sizeof digest, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  char hex[2 * sizeof digest + 1];
  sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
  return hex;
}

material& material::add(std::string_view name, std::string_view value) {
  text_.append(name).append(" ").append(std::to_string(value.size())).append("\n").append(value).append("\n");
  return *this;
}

}  // namespace glass::jit
