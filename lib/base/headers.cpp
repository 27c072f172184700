// The hash of the embedded header set: part of every image key, so that a new version of glass never meets code of an
// older one.
#include "base/headers.hpp"

#include "base/hash.hpp"

namespace glass::jit {

const std::string& embedded_headers_hash() {
  static const std::string digest = [] {
    material all;
    for (const embedded_header& header : embedded_headers()) all.add(header.name, header.text);
    return all.key();
  }();
  return digest;
}

}  // namespace glass::jit
