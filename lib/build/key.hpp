// What an image is made from. Never a path, a time, a process or a device ordinal.
#pragma once
#include <string>

#include "build/build.hpp"

namespace glass::jit {

struct image_key {
  std::string key;  // hash of material
  std::string material;
  std::string family;  // hash of the material without the compiler
};

// `compiler`: as the backend says it, with its full version.
image_key key_of(const bound_problem&, const placement&, const device_description&, const std::string& compiler,
                 const source&);

}  // namespace glass::jit
