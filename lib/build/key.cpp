// The image key: every ingredient of the compile, by name. A user's text enters by its hash, for it may be large.
#include "build/key.hpp"

#include "base/hash.hpp"
#include "base/headers.hpp"
#include "build/assemble.hpp"

namespace glass::jit {

namespace {
constexpr char schema[] = "1";  // raise when the meaning of an image changes: how it is launched, what it exports
}

image_key key_of(const bound_problem& p, const placement& where, const device_description& device,
                 const std::string& compiler, const source& s) {
  material m;
  m.add("schema", schema)
      .add("backend", device.backend)
      .add("target", device.target)
      .add("headers", embedded_headers_hash());
  m.add("prologue", prologue(p)).add("text", hash(p.description.text));
  for (const std::string& option : s.options) m.add("option", option);
  m.add("instantiation", tail(p, where));
  for (const library_function& f : s.functions) m.add("function", f.text());
  const std::string family = m.key();
  m.add("compiler", compiler);
  return {m.key(), m.text(), family};
}

}  // namespace glass::jit
