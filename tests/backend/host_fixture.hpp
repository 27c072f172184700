// Small hand-written sources in the form that the build layer generates, and what a launch of them needs.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/host/host.hpp"

namespace glass::jit::host_test {

inline source make_source(const std::string& body, const std::string& batch, const std::string& name = "body") {
  source s;
  s.name = name;
  s.text =
      "#include <glass/core/scope.cuh>\n#include <glass/core/view.cuh>\n#include <kernels_src/batch.cuh>\n#line 1 \"" +
      name + "\"\n" + body +
      "\n#line 1 \"glass_tail\"\nstruct glass_body { template <class... A> GLASS_DEVICE static auto run(A... a) { "
      "return ::" +
      name + "(a...); } };\nGLASS_BATCH(" + batch + ")\n";
  return s;
}

// y = alpha * y, one vector of 4 per problem, in any scope.
inline const char* const scale_text = R"(template <class Scope, class Y>
GLASS_DEVICE void scale(Scope scope, float alpha, Y y) {
  for (int i = scope.rank(); i < 4; i += scope.size()) y(i) *= alpha;
  scope.sync();
})";
inline source scale(const std::string& scope, int pack, const std::string& home = "global") {
  return make_source(scale_text,
                     "2, glass_body, glass::scope::" + scope + ", " + std::to_string(pack) + ", glass::batch::home::" +
                         home + ", glass::batch::scalar<float>, glass::batch::inout<float, glass::batch::layout<>, 4>",
                     "scale");
}

struct arguments {
  long long count = 0;
  int size[8] = {};
  union slot {
    void* pointer;
    double f64;
    float f32;
    int i32;
  } at[8] = {};
};

struct launched {
  std::shared_ptr<backend> device;
  std::shared_ptr<const loaded_image> image;
  launch_shape shape;
  explicit launched(const source& s, int width, int pack, long long count, const host_options& options = {},
                    std::size_t shared = 0)
      : device(open_host_backend(options)) {
    shape.threads = unsigned(width * pack);
    shape.blocks = unsigned((count + pack - 1) / pack);
    shape.count = count;
    shape.shared_bytes = shared;
    image = device->load(device->compile(s).bytes, shape);
  }
  status launch(arguments a) const {
    a.count = shape.count;
    return image->launch(nullptr, shape, &a, sizeof a);
  }
  status run(arguments a, double deadline = 30) const {
    a.count = shape.count;
    return device->run(*image, shape, &a, sizeof a, deadline);
  }
};

// Memory of the backend, freed at the end of a test.
template <class T>
std::shared_ptr<T> array(backend& b, std::size_t n, T value = {}) {
  std::shared_ptr<T> p(static_cast<T*>(b.allocate(n * sizeof(T))), [&b](T* q) { b.free(q); });
  for (std::size_t i = 0; i < n; ++i) p.get()[i] = value;
  return p;
}

}  // namespace glass::jit::host_test
