#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "build/build.hpp"
#include "tune/tune.hpp"

namespace glass::jit::bench {

// One contender: an image loaded for a placement, on a workload of its own problem. Its launches are timed in a graph, of
// more where they are short.
class contender {
 public:
  contender(backend& device, builder& images, const bound_problem& problem, const placement& where, workload& data)
      : device_(device),
        data_(data),
        shape_(shape_of(problem, where, problem.request.batch)),
        image_(device.load(images.get(problem, where).bytes, shape_)) {}
  double seconds() {
    data_.restore();
    const auto& list = data_.arguments();
    const int launches = shape_.count < 64 ? 200 : 20;
    const timing t = device_.time(*image_, shape_, list.data(), list.size(), measure::graph, launches, 30);
    t.status.check();
    return t.seconds;
  }
  double best_of(int repeats) {
    std::vector<double> all;
    for (int i = 0; i < repeats; ++i) all.push_back(seconds());
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  }

 private:
  backend& device_;
  workload& data_;
  launch_shape shape_;
  std::shared_ptr<const loaded_image> image_;
};

}  // namespace glass::jit::bench
