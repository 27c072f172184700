// A shared object with the library inside, as a robot's plugin is: loaded and unloaded by machine_test.cpp.
#include <exception>

#include "store/store.hpp"

#include "base/hash.hpp"

extern "C" int use_glass() {
  using namespace glass::jit;
  try {
    const auto s = store::open(store::default_folder(), nullptr);
    image_row r;
    r.material = "plugin", r.key = r.family = hash(r.material), r.bytes = {1, 2, 3};
    s->put_image(r);
    return s->find_image(r.key, r.material) && s->persistent() ? 0 : 1;
  } catch (const std::exception&) { return 2; }
}
