// A test's hold on the fake driver and the fake NVRTC: puts them in place of the real ones, scripts them, and reads
// what they saw.
#pragma once
#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace fake {

struct launch_record {
  void* function;
  unsigned grid[3], block[3], shared;
  void* stream;
  void* context;  // current in the launching thread
  unsigned char bytes[256];
};
inline void* const foreign_stream = reinterpret_cast<void*>(0xF00);  // of another device's context

// An environment variable for as long as this lives.
class environment {
 public:
  environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    ::setenv(name, value.c_str(), 1);
  }
  ~environment() { had_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }
  environment(const environment&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

class library {
 public:
  explicit library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW)), file_(file) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
    set(nullptr, 0);
  }
  void set(const char* name, long long value) { symbol<void (*)(const char*, long long)>("fake_set")(name, value); }
  long long get(const char* name) const { return symbol<long long (*)(const char*)>("fake_get")(name); }
  template <class F>
  F symbol(const char* name) const {
    return reinterpret_cast<F>(dlsym(handle_, name));
  }
  const std::string& file() const { return file_; }

 private:
  void* handle_;
  std::string file_;
};

// GLASS_LIBCUDA and GLASS_LIBNVML point to the fake for as long as this lives.
class cuda : public library {
 public:
  cuda()
      : library(GLASS_BINARY_DIR "/tests/libfake_cuda.so"),
        driver_("GLASS_LIBCUDA", file()),
        nvml_("GLASS_LIBNVML", file()) {
    symbol<int (*)(void*)>("cuCtxSetCurrent")(nullptr);
  }
  const launch_record& last_launch() const { return *symbol<const launch_record* (*)()>("fake_last_launch")(); }
  void* current_context() const {
    void* c = nullptr;
    symbol<int (*)(void**)>("cuCtxGetCurrent")(&c);
    return c;
  }
  void make_current(void* c) const { symbol<int (*)(void*)>("cuCtxSetCurrent")(c); }

 private:
  environment driver_, nvml_;
};

// GLASS_NVRTC points to the fake for as long as this lives.
class nvrtc : public library {
 public:
  nvrtc() : library(GLASS_BINARY_DIR "/tests/libfake_nvrtc.so"), named_("GLASS_NVRTC", file()) {}
  std::vector<std::string> last_options() const {
    return *symbol<const std::vector<std::string>* (*)()>("fake_last_options")();
  }
  std::vector<std::string> last_headers() const {
    return *symbol<const std::vector<std::string>* (*)()>("fake_last_headers")();
  }

 private:
  environment named_;
};

}  // namespace fake
