// What the tests on a real GPU share: the device ($GLASS_DEVICE, else cuda:0), or the sentence why there is none, with
// which they are skipped. With GLASS_DEVICE=host the same tests run on the host backend, but for those that are about
// CUDA itself.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backend/backend.hpp"
#include "base/text.hpp"
#include "glass/jit.hpp"

namespace glass::test {

struct opened {
  std::shared_ptr<jit::backend> device;
  std::string why_not;
};
inline const opened& gpu() {
  static const opened one = [] {
    const std::string asked = jit::environment("GLASS_DEVICE");
    try {
      return opened{jit::open_backend(asked.empty() ? "cuda:0" : asked), ""};
    } catch (const jit::error& e) {
      if (e.code() != jit::errc::no_driver && e.code() != jit::errc::no_device) throw;
      return opened{nullptr, e.message()};
    }
  }();
  return one;
}

struct on_gpu : testing::Test {
  void SetUp() override {
    if (gpu().device == nullptr) GTEST_SKIP() << "There is no GPU to test on: " << gpu().why_not;
  }
  static jit::backend& device() { return *gpu().device; }
  static bool is_cuda() { return device().device().backend == "cuda"; }
};

// The images of `sources`, compiled on all cores; where one fails, the message and the log in `trouble`.
struct compiled {
  std::vector<unsigned char> image;
  std::string trouble;
};
inline std::vector<compiled> compile_all(jit::backend& device, const std::vector<jit::source>& sources) {
  std::vector<compiled> all(sources.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < device.compile_slots(); ++i) {
    threads.emplace_back([&] {
      for (std::size_t k; (k = next++) < all.size();) {
        try {
          all[k].image = device.compile(sources[k]).bytes;
        } catch (const jit::error& e) { all[k].trouble = std::string(e.what()) + "\n" + e.log(); }
      }
    });
  }
  for (auto& t : threads) t.join();
  return all;
}

// glass::batch::arguments with room for four operands.
struct arguments {
  long long count = 0;
  int size[8] = {};
  union slot {
    void* pointer = nullptr;
    double f64;
    float f32;
    int i32;
  } at[4];
};

// Device memory with these numbers in it, freed with the object.
template <class T>
class on_device {
 public:
  on_device(jit::backend& device, const std::vector<T>& values)
      : device_(device), n_(values.size()), p_(static_cast<T*>(device.allocate(n_ * sizeof(T)))) {
    device_.upload(p_, values.data(), n_ * sizeof(T));
  }
  ~on_device() { device_.free(p_); }
  on_device(const on_device&) = delete;
  T* get() const { return p_; }
  std::vector<T> values() const {
    std::vector<T> v(n_);
    device_.download(v.data(), p_, n_ * sizeof(T));
    return v;
  }

 private:
  jit::backend& device_;
  std::size_t n_;
  T* p_;
};

}  // namespace glass::test
