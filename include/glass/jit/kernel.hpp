// A kernel: what a user holds and launches. A cheap copy of a handle to machine code loaded for one problem. In tuning
// mode `background` the runtime exchanges that code for better code while the program runs: all copies follow, and those
// made by `with`.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "glass/jit/error.hpp"
#include "glass/jit/placement.hpp"

struct CUstream_st;

namespace glass::jit {

// A stream of the CUDA runtime, the driver, PyTorch or JAX (all are a CUstream_st*). The host backend ignores it.
class stream_handle {
 public:
  constexpr stream_handle(std::nullptr_t = nullptr) noexcept {}
  template <class S, std::enable_if_t<std::is_convertible<const S&, CUstream_st*>::value, int> = 0>
  stream_handle(const S& s) noexcept : raw_(static_cast<CUstream_st*>(s)) {}
  CUstream_st* get() const noexcept { return raw_; }

 private:
  CUstream_st* raw_ = nullptr;
};

namespace detail {
// One launch argument: 8 bytes and a tag.
struct argument {
  enum class tag : std::uint8_t { null, void_pointer, f32_pointer, f64_pointer, i32_pointer, f32, f64, i32 };
  union {
    const void* pointer;
    double f64;
    float f32;
    std::int32_t i32;
    std::uint64_t bits = 0;
  };
  tag type = tag::null;
  bool read_only = false;  // pointer to const
};

template <class T>
struct pointer_tag {
  static constexpr bool known = false;
};
template <>
struct pointer_tag<void> {
  static constexpr bool known = true;
  static constexpr argument::tag value = argument::tag::void_pointer;
};
template <>
struct pointer_tag<float> {
  static constexpr bool known = true;
  static constexpr argument::tag value = argument::tag::f32_pointer;
};
template <>
struct pointer_tag<double> {
  static constexpr bool known = true;
  static constexpr argument::tag value = argument::tag::f64_pointer;
};
template <>
struct pointer_tag<std::int32_t> {
  static constexpr bool known = true;
  static constexpr argument::tag value = argument::tag::i32_pointer;
};

template <class A>
argument make_argument(const A& a) noexcept {
  argument r;
  if constexpr (std::is_same_v<A, std::nullptr_t>) {
    r.pointer = nullptr, r.type = argument::tag::null;
  } else if constexpr (std::is_pointer_v<std::decay_t<A>>) {
    using T = std::remove_pointer_t<std::decay_t<A>>;
    static_assert(pointer_tag<std::remove_const_t<T>>::known,
                  "glass: a launch argument is a pointer to float, double or int (or void*, unchecked), or a float, "
                  "double or int.");
    r.pointer = a, r.type = pointer_tag<std::remove_const_t<T>>::value, r.read_only = std::is_const_v<T>;
  } else if constexpr (std::is_same_v<A, float>) {
    r.bits = 0, r.f32 = a, r.type = argument::tag::f32;
  } else if constexpr (std::is_same_v<A, double>) {
    r.f64 = a, r.type = argument::tag::f64;
  } else {
    static_assert(std::is_same_v<A, std::int32_t>,
                  "glass: a launch argument is a pointer to float, double or int (or void*, unchecked), or a float, "
                  "double or int.");
    r.bits = 0, r.i32 = a, r.type = argument::tag::i32;
  }
  return r;
}

class kernel_slot;  // lib/runtime/kernel_state.hpp
struct fixed_sizes;
}  // namespace detail

class kernel {
 public:
  kernel() noexcept = default;  // launches nothing and says so

  // Solves problems 0 … count-1. The arguments are the operands in their order, without scratch: pointers into device
  // memory (on the host backend: memory), scalars by value; `info` may be nullptr, a workspace where none is needed,
  // and nothing else. No lock, no wait, no allocation, no database, in every tuning mode; safe in stream capture and
  // from many threads. A captured graph goes on with the code it was captured with, which stays loaded as long as the
  // runtime or a kernel of this problem lives. count = 0: success, nothing launched.
  template <class... Args>
  status launch(stream_handle stream, long long count, const Args&... args) const noexcept {
    const detail::argument list[sizeof...(Args) + 1] = {detail::make_argument(args)...};
    return launch_arguments(stream, count, list, int(sizeof...(Args)));
  }
  status launch_arguments(stream_handle stream, long long count, const detail::argument* list, int n) const noexcept;

  // The same kernel with run-time sizes (those given as up_to) fixed: no compile, no lookup. Throws above the bound.
  kernel with(const std::map<std::string, int>& sizes) const;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  // Device memory that a launch of `count` problems needs as its workspace argument, 16-byte aligned; 0 unless the
  // placement is variant=split (then nullptr will do), or may become so while the background still measures.
  std::size_t workspace_bytes(long long count) const noexcept;
  // What is launched now, and how it was found: "scope=tile8 pack=16 home=global body=fragment: exact, 2.1x over
  // default, 40 samples"
  std::string why() const;
  jit::placement placement() const;
  jit::tier tier() const;
  std::string layer() const;            // of the cache that the decision came from; empty: from none
  double ns_per_problem() const;        // as measured when it was tuned; 0: not measured
  double speedup_over_default() const;  // 1: the default itself, or not measured
  std::string problem() const;          // "posv N=12 NRHS=1 f32 batch=8192"

 private:
  friend class runtime;
  std::shared_ptr<const detail::kernel_slot> slot_;
  std::shared_ptr<const detail::fixed_sizes> sizes_;  // run-time sizes given so far
};

}  // namespace glass::jit
