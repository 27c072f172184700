// What the dispatch knows of each operation: sizes, options, operands, cost, which placements are legal, and
// those that are usual where nothing was measured.
// Written by `glass table --catalog` from lib/catalog/rows and cache/profiles; do not edit.
// clang-format off
#pragma once
#include <glass/core/options.cuh>
#include <glass/dispatch/model.cuh>
#include <glass/dispatch/placement.cuh>
namespace glass::dispatch {
enum class kind { in, out, inout, scratch, scalar };
// One device of each architecture that cache/profiles knows.
GLASS_CONSTANT constexpr device profile(int i) {
  constexpr device all[] = {
      {72, 8, 1024, 2048, 32, 65536, 49152, 98304, 98304, 1377000 * 1e-6, 0.85 * (2.0 * 256 / 8 * 1377000 * 1e-6)},  // Xavier
      {87, 16, 1024, 1536, 16, 65536, 49152, 166912, 167936, 1300000 * 1e-6, 0.85 * (2.0 * 256 / 8 * 612000 * 1e-6)},  // Orin
      {89, 58, 1024, 1536, 24, 65536, 49152, 101376, 102400, 2040000 * 1e-6, 0.85 * (2.0 * 192 / 8 * 6251000 * 1e-6)},  // NVIDIA L4
      {90, 132, 1024, 2048, 32, 65536, 49152, 232448, 233472, 1980000 * 1e-6, 0.85 * (2.0 * 6016 / 8 * 3201000 * 1e-6)},  // NVIDIA H200
      {110, 20, 1024, 1536, 24, 65536, 49152, 232448, 233472, 1049000 * 1e-6, 0.85 * (2.0 * 256 / 8 * 4266000 * 1e-6)},  // NVIDIA Thor
      {120, 170, 1024, 1536, 24, 65536, 49152, 101376, 102400, 2407000 * 1e-6, 0.85 * (2.0 * 512 / 8 * 14001000 * 1e-6)},  // NVIDIA GeForce RTX 5090
  };
  return all[i];
}
enum : int { profiles = 6 };
GLASS_CONSTANT constexpr Body body_of(word w) {
  return w == word::direct ? Body::direct : w == word::fragment ? Body::fragment : w == word::left ? Body::left : w == word::loop ? Body::loop : w == word::ql ? Body::ql : w == word::regs ? Body::regs : w == word::ring ? Body::ring : w == word::rolled ? Body::rolled : w == word::rows ? Body::rows : w == word::stream ? Body::stream : w == word::whole ? Body::whole : Body::automatic;
}
GLASS_CONSTANT constexpr Mma mma_of(word w) {
  return w == word::f64 ? Mma::f64 : w == word::tf32x3 ? Mma::tf32x3 : Mma::f64;
}
GLASS_CONSTANT constexpr Tile tile_of(word w) {
  return w == word::m16n16 ? Tile::m16n16 : w == word::m16n32 ? Tile::m16n32 : w == word::m16n48 ? Tile::m16n48 : w == word::m16n8 ? Tile::m16n8 : w == word::m32n24 ? Tile::m32n24 : w == word::m32n32 ? Tile::m32n32 : w == word::m32n48 ? Tile::m32n48 : w == word::m32n64 ? Tile::m32n64 : w == word::m48n24 ? Tile::m48n24 : w == word::m64n32 ? Tile::m64n32 : w == word::m64n64 ? Tile::m64n64 : w == word::m96n24 ? Tile::m96n24 : w == word::m96n48 ? Tile::m96n48 : Tile::m16n16;
}
template <op O>
inline constexpr op other_form = O;
template <>
inline constexpr op other_form<op::axpy> = op::axpy_to;
template <>
inline constexpr op other_form<op::copy> = op::copy_scaled;
template <>
inline constexpr op other_form<op::gemm> = op::gemm_to;
template <>
inline constexpr op other_form<op::trmv> = op::trmv_to;
template <>
inline constexpr op other_form<op::trmm> = op::trmm_to;
template <>
inline constexpr op other_form<op::gemv_segmented> = op::gemv_segmented_add;
template <op>
struct operation;
template <op>
struct rules;
struct no_rules {
  enum : int { sizes = 0, options = 0, tunables = 0, bodies = 0 };
  GLASS_CONSTANT static constexpr size size_at(int) { return size::none; }
  GLASS_CONSTANT static constexpr word body_at(int) { return word::none; }
  GLASS_CONSTANT static constexpr word tunable_at(int) { return word::none; }
  GLASS_CONSTANT static constexpr bool in_step(word) { return false; }  // the tiles of a warp, where it is all that a kernel does
  GLASS_CONSTANT static constexpr void complete(request&) {}
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request&) {}
  GLASS_CONSTANT static constexpr long long flops(const request&) { return -1; }
  GLASS_CONSTANT static constexpr long long moved(const request&) { return -1; }
  GLASS_CONSTANT static constexpr long long exchange(const request&, const placement&) { return 0; }
  GLASS_CONSTANT static constexpr int broken(const request&, const placement&, int) { return 0; }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request&, int, F&) {
    return false;
  }
};
template <>
struct operation<op::axpy> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::axpy_to> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::axpby> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 3 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::rot> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 6 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 4 * N;
  }
};
template <>
struct operation<op::rotg> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 8 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 5 * N;
  }
};
template <>
struct operation<op::add_identity> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::add_identity_partial> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, 4);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::copy> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::copy_scaled> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::scal> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::set_const> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * N;
  }
};
template <>
struct operation<op::swap> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 4 * N;
  }
};
template <>
struct operation<op::clip> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 4 * N;
  }
};
template <>
struct operation<op::elementwise_add> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_sub> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_mult> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_max> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_min> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_less_than> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_more_than> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_less_than_or_eq> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_and> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 3 * N;
  }
};
template <>
struct operation<op::elementwise_abs> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::elementwise_not> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::elementwise_mult_scalar> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::elementwise_max_scalar> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::elementwise_min_scalar> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::elementwise_less_than_scalar> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct rules<op::set_identity> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 32)) return 1;
    return 0;
  }
};
template <>
struct operation<op::set_identity> : rules<op::set_identity> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::out, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * N * N;
  }
};
template <>
struct operation<op::symmetrize> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::full, 0, O...>() == Fill::lower ? word::lower : chosen<Fill::full, 0, O...>() == Fill::upper ? word::upper : word::full;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N;
  }
};
template <>
struct rules<op::transpose> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(M * N <= 1024)) return 1;
    return 0;
  }
};
template <>
struct operation<op::transpose> : rules<op::transpose> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, N, M, N * M);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct operation<op::transpose_square> : rules<op::set_identity> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N;
  }
};
template <>
struct operation<op::copy_strided> : rules<op::transpose> {
  enum : int { sizes = 4 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::LDY, size::LDX};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[0];
    if (r.size[3] < 0) r.size[3] = r.size[0];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], LDY = r.size[2], LDX = r.size[3];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N, LDX * N);
    v(kind::out, r.bytes, 2, M, N, LDY * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct operation<op::axpy_strided> : rules<op::transpose> {
  enum : int { sizes = 4 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::LDY, size::LDX};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[0];
    if (r.size[3] < 0) r.size[3] = r.size[0];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], LDY = r.size[2], LDX = r.size[3];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N, LDX * N);
    v(kind::inout, r.bytes, 2, M, N, LDY * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 2 * M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * 3 * M * N;
  }
};
template <>
struct rules<op::interleave> : no_rules {
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], M = r.size[1], bytes = r.bytes;
    if ((M * N <= 32 / bytes) && f(placement{word::thread, 1, 128, word::global, word::none})) return true;
    if ((M * N <= 1024 / bytes) && f(placement{word::thread, 1, 32, word::shared, word::none})) return true;
    return false;
  }
};
template <>
struct operation<op::interleave> : rules<op::interleave> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::M};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], M = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, M, N, M * N, true);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], M = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct rules<op::deinterleave> : no_rules {
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], M = r.size[1], bytes = r.bytes;
    if ((M * N <= 1024 / bytes) && f(placement{word::thread, 1, 32, word::shared, word::none})) return true;
    return false;
  }
};
template <>
struct operation<op::deinterleave> : rules<op::deinterleave> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::M};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], M = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N, true);
    v(kind::out, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 0;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], M = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct operation<op::reduce> : no_rules {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Sum::fast, 0, O...>() == Sum::fixed ? word::fixed : word::fast;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::asum> : no_rules {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Sum::fast, 0, O...>() == Sum::fixed ? word::fixed : word::fast;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::nrm1_diff> : no_rules {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Sum::fast, 0, O...>() == Sum::fixed ? word::fixed : word::fast;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 1);
  }
};
template <>
struct operation<op::nrm2> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::vector_norm> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::reduce_min> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::reduce_max> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::infnorm> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::argmax> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, 4, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 2);
  }
};
template <>
struct operation<op::argmin> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, 4, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 2);
  }
};
template <>
struct operation<op::iamax> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, 4, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 2);
  }
};
template <>
struct operation<op::argmax_pair> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, 4, 1, N, 1, N);
    v(kind::out, 4, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 2);
  }
};
template <>
struct operation<op::argmin_pair> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, 4, 1, N, 1, N);
    v(kind::out, 4, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 2);
  }
};
template <>
struct operation<op::softmax> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 4 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 2);
  }
};
template <>
struct operation<op::logsumexp> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 4 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N + 1);
  }
};
template <>
struct operation<op::path_weights> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 6 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 3);
  }
};
template <>
struct operation<op::prefix_sum_inclusive> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct operation<op::prefix_sum_exclusive> : no_rules {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N;
  }
};
template <>
struct rules<op::dot> : no_rules {
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch;
    if ((batch <= 256 && bytes == 8 && N > 8 && N <= 16) && f(placement{word::tile8, 8, 8, word::global, word::none})) return true;
    if ((batch <= 256 && bytes == 8 && N > 16 && N <= 64) && f(placement{word::warp, 32, 4, word::global, word::none})) return true;
    if ((batch <= 256 && N <= 16) && f(placement{word::tile4, 4, 8, word::global, word::none})) return true;
    if ((batch <= 256 && N <= 32) && f(placement{word::tile8, 8, 4, word::global, word::none})) return true;
    if ((batch <= 256 && N <= 64) && f(placement{word::tile16, 16, 2, word::global, word::none})) return true;
    if ((batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::none})) return true;
    if ((N <= 16) && f(placement{word::tile4, 4, 32, word::global, word::none})) return true;
    if ((N <= 32) && f(placement{word::tile8, 8, 16, word::global, word::none})) return true;
    if ((N <= 96) && f(placement{word::tile16, 16, 8, word::global, word::none})) return true;
    if (f(placement{word::warp, 32, 4, word::global, word::none})) return true;
    return false;
  }
};
template <>
struct operation<op::dot> : rules<op::dot> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Sum::fast, 0, O...>() == Sum::fixed ? word::fixed : word::fast;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 1);
  }
};
template <>
struct operation<op::dot_strided> : no_rules {
  enum : int { sizes = 3, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::SX, size::SY};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
    if (r.size[2] < 0) r.size[2] = 1;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Sum::fast, 0, O...>() == Sum::fixed ? word::fixed : word::fast;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], SX = r.size[1], SY = r.size[2];
    v(kind::in, r.bytes, 2, 1, N, SX * N);
    v(kind::in, r.bytes, 2, 1, N, SY * N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (2 * N + 1);
  }
};
template <>
struct rules<op::gemv> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word TRANS = r.option[0], scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(width > 1)) return 2;
    if ((body == word::fragment) && !(M * N > 0)) return 3;
    if ((body == word::fragment && scope == word::block) && !(width / 32 * 32 == width)) return 4;
    if ((body == word::fragment && width > 32) && !(M * N >= 16 * width)) return 5;
    if ((body == word::fragment && width > 32 && TRANS != word::yes) && !(width / 32 * M * bytes <= 49152)) return 6;
    if ((body == word::fragment && TRANS == word::yes) && !((N + (width > 32 ? width / 32 : 1) - 1) / (width > 32 ? width / 32 : 1) * bytes / 4 <= 160)) return 7;
    if ((scope == word::thread && backend == word::cuda) && !(M * N <= 1024)) return 8;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((batch <= 256 && M * N >= 8192) && f(placement{word::block, 512, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && M * N >= 4096) && f(placement{word::block, 256, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && M * N >= 2048) && f(placement{word::block, 128, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && M * N >= 512) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((M * N >= 8192 && bytes == 8) && f(placement{word::block, 256, 1, word::global, word::fragment})) return true;
    if ((M * N >= 2048) && f(placement{word::warp, 32, 2, word::global, word::fragment})) return true;
    if ((M * N >= 512 && bytes == 8) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    if ((M * N >= 512) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::gemv> : rules<op::gemv> {
  enum : int { sizes = 2, options = 1, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word TRANS = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::in, r.bytes, 1, TRANS == word::yes ? M : N, 1, TRANS == word::yes ? M : N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 1, TRANS == word::yes ? N : M, 1, TRANS == word::yes ? N : M);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 2 * M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word TRANS = r.option[0];
    return bytes * (M * N + (TRANS == word::yes ? M + 2 * N : N + 2 * M));
  }
};
template <>
struct rules<op::gemm> : no_rules {
  GLASS_CONSTANT static constexpr long long exchange(const request& r, const placement& c) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word body = c.body;
    return body == word::stream && 2 * (32 * ((M * bytes / 16 + 7) / 8 * 8) + N * 2 * bytes) * 16 > 49152 ? 2 * (32 * ((M * bytes / 16 + 7) / 8 * 8) + N * 2 * bytes) * 16 : 0;
  }
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes, run_time_sizes = 0, width = c.width, pack = c.pack;
    const word TRANSA = r.option[0], TRANSB = r.option[1], home = c.home, scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(M * N * K <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n8)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && M * N * K > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((body != word::loop) && !(home == word::global)) return 7;
    if ((MMA == word::tf32x3) && !(bytes == 4 && K >= 16)) return 8;
    if ((body != word::loop && (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) > 16) && !(2 * M > (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32))) return 9;
    if ((body != word::loop && (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) > 8) && !(2 * N > (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32))) return 10;
    if ((body != word::loop && ((TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 24 || (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 48)) && !((N) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) * (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == N)) return 11;
    if ((TILE == word::m48n24 || TILE == word::m96n24 || TILE == word::m96n48) && !((M) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) == M)) return 12;
    if ((body != word::loop && TILE == word::m16n8) && !(N <= 16)) return 13;
    if ((TILE == word::m64n64 || TILE == word::m96n48) && !(MMA == word::tf32x3)) return 14;
    if ((body == word::direct) && !(TILE != word::m96n24 && TILE != word::m96n48 && TILE != word::m64n64)) return 15;
    if ((body == word::direct && TILE == word::m64n32) && !(MMA == word::tf32x3)) return 16;
    if ((body == word::direct) && !(width / 32 <= ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) && ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) <= 2 * (width / 32))) return 17;
    if ((body == word::ring || body == word::stream) && !(TRANSA == word::no && TRANSB == word::no)) return 18;
    if ((body == word::ring || body == word::stream) && !((TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) >= 768 && ((TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * bytes) / 128 * 128 == (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * bytes)) return 19;
    if ((body == word::ring || body == word::stream) && !((M) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) == M && (N) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) * (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == N)) return 20;
    if ((body == word::ring) && !((K * bytes) / 64 * 64 == K * bytes && K >= 128 / bytes)) return 21;
    if ((body == word::ring || body == word::stream) && !(width / 32 == ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)))) return 22;
    if ((body == word::ring) && !(pack == 1 ? M + N <= 384 : pack * (M + N) * (K * bytes >= 256 ? 2 : 1) <= 384)) return 23;
    if ((body == word::stream) && !(scope == word::block && bytes == 8)) return 24;
    if ((body == word::stream) && !(K / 32 * 32 == K && K >= 64)) return 25;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes, batch = r.batch;
    if ((N <= 4 && M <= 4) && f(placement{word::tile4, 4, 32, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 8 && M <= 8 && bytes == 4 && M / 4 * 4 == M && K / 4 * 4 == K) && f(placement{word::tile16, 16, 16, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 8 && M <= 16) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 8 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 96, 1, word::global, word::ring, {word::f64, word::m16n48}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m48n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n48}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m48n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 96, 1, word::global, word::ring, {word::f64, word::m16n48}})) return true;
    if ((bytes == 8 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m48n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n48}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 512, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 256, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::ring, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 64, 1, word::global, word::ring, {word::tf32x3, word::m64n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 64, 1, word::global, word::ring, {word::tf32x3, word::m32n64}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::ring, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m32n64}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::ring, {word::tf32x3, word::m32n48}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 576, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::ring, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 384, 1, word::global, word::direct, {word::tf32x3, word::m16n48}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 576, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::ring, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::ring, {word::f64, word::m32n48}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 64, 1, word::global, word::ring, {word::tf32x3, word::m96n48}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::ring, {word::tf32x3, word::m32n48}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m96n24}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m48n24}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::ring, {word::f64, word::m32n48}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 128, 1, word::global, word::ring, {word::f64, word::m96n24}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n48}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 256, 1, word::global, word::ring, {word::f64, word::m48n24}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::tf32x3, word::m64n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::ring, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 1024, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 1024, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::ring, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::f64, word::m64n32}})) return true;
    if ((bytes == 8 && batch > 1024 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 8, word::global, word::stream, {word::f64, word::m64n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m64n64}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::tf32x3, word::m64n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::tf32x3, word::m32n64}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m64n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::ring, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::f64, word::m64n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::ring, {word::f64, word::m32n64}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::ring, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::direct, {word::f64, word::m32n64}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((N <= 8 && M <= 8) && f(placement{word::tile8, 8, 16, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 16 && M <= 16) && f(placement{word::tile16, 16, 8, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 32 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if (f(placement{word::block, 256, 1, word::shared, word::loop, {word::f64, word::m16n8}})) return true;
    if (f(placement{word::block, 256, 1, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    return false;
  }
};
template <>
struct operation<op::gemm> : rules<op::gemm> {
  enum : int { sizes = 3, options = 2, tunables = 2, bodies = 4 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct, word::ring, word::stream};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n8};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Trans::no, 1, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    const word TRANSA = r.option[0], TRANSB = r.option[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, TRANSA == word::yes ? K : M, TRANSA == word::yes ? M : K, (TRANSA == word::yes ? K : M) * (TRANSA == word::yes ? M : K));
    v(kind::in, r.bytes, 2, TRANSB == word::yes ? N : K, TRANSB == word::yes ? K : N, (TRANSB == word::yes ? N : K) * (TRANSB == word::yes ? K : N));
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    return 2 * M * N * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes;
    return bytes * (M * K + K * N + 2 * M * N);
  }
};
template <>
struct operation<op::gemm_to> : rules<op::gemm> {
  enum : int { sizes = 3, options = 2, tunables = 2, bodies = 4 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct, word::ring, word::stream};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n8};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Trans::no, 1, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    const word TRANSA = r.option[0], TRANSB = r.option[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, TRANSA == word::yes ? K : M, TRANSA == word::yes ? M : K, (TRANSA == word::yes ? K : M) * (TRANSA == word::yes ? M : K));
    v(kind::in, r.bytes, 2, TRANSB == word::yes ? N : K, TRANSB == word::yes ? K : N, (TRANSB == word::yes ? N : K) * (TRANSB == word::yes ? K : N));
    v(kind::out, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    return 2 * M * N * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes;
    return bytes * (M * K + K * N + M * N);
  }
};
template <>
struct rules<op::syrk> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(N * N * K <= 8192)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n16)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && N * K > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((MMA == word::tf32x3) && !(bytes == 4 && K >= 16)) return 7;
    if ((TILE == word::m32n32) && !(N > 16)) return 8;
    if ((body == word::direct) && !(width / 32 <= (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) && (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) <= 3 * (width / 32))) return 9;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 8 && N <= 16 && K > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((N > 8 && N <= 16 && K > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 16 && N <= 32 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 16 && N <= 32 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 32 && N <= 48 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 32 && N <= 48 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 48 && N <= 64 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 48 && N <= 64 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 16 && N <= 32 && K > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 16 && N <= 32 && K > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 32 && N <= 64 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 32 && N <= 64 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 64 && N <= 96 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 64 && N <= 96 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 96 && N <= 128 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 96 && N <= 128 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    return false;
  }
};
template <>
struct operation<op::syrk> : rules<op::syrk> {
  enum : int { sizes = 2, options = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n16};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Fill::full, 0, O...>() == Fill::lower ? word::lower : chosen<Fill::full, 0, O...>() == Fill::upper ? word::upper : word::full;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], K = r.size[1];
    const word TRANS = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, TRANS == word::yes ? K : N, TRANS == word::yes ? N : K, (TRANS == word::yes ? K : N) * (TRANS == word::yes ? N : K));
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], K = r.size[1];
    return N * (N + 1) * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes;
    return bytes * (N * K + 2 * N * N);
  }
};
template <>
struct rules<op::trsv> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0 && N <= 128)) return 4;
    if ((body == word::fragment) && !(N <= 8 * width)) return 5;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 6;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], batch = r.batch;
    if ((batch > 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((batch > 256 && N > 8 && N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((batch > 256 && N > 16 && N <= 48) && f(placement{word::tile16, 16, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::trsv> : rules<op::trsv> {
  enum : int { sizes = 1, options = 3, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[1] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[2] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + 2 * N);
  }
};
template <>
struct operation<op::trmv> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[1] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[2] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + 2 * N);
  }
};
template <>
struct rules<op::trmm> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word SIDE = r.option[0], home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(M * N * (SIDE == word::left ? M : N) <= 4096)) return 1;
    if ((body == word::direct && backend == word::cuda) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch >= 80 && arch <= 100))) return 2;
    if ((body == word::direct) && !(run_time_sizes == 0)) return 3;
    if ((body == word::direct) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 4;
    if ((body == word::direct) && !(home == word::global)) return 5;
    if ((body == word::direct) && !((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? M : N) <= 128 && (SIDE == word::left ? N : M) >= 8)) return 6;
    if ((body == word::direct) && !(width / 32 <= ((SIDE == word::left ? N : M) + 15) / 16)) return 7;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, batch = r.batch;
    const word SIDE = r.option[0];
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 64) && f(placement{word::block, 256, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 32 && bytes == 8) && f(placement{word::block, 128, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 32) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 16 && batch <= 256) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 16) && f(placement{word::warp, 32, 2, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16) && f(placement{word::warp, 32, 4, word::global, word::direct})) return true;
    if ((batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::loop})) return true;
    return false;
  }
};
template <>
struct operation<op::trmm> : rules<op::trmm> {
  enum : int { sizes = 2, options = 4, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
    r.option[1] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[2] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[3] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, (SIDE == word::left ? M : N), (SIDE == word::left ? M : N), ((SIDE == word::left ? M : N)) * ((SIDE == word::left ? M : N)));
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    return M * N * (SIDE == word::left ? M : N);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * ((SIDE == word::left ? M : N) * ((SIDE == word::left ? M : N) + 1) / 2 + 2 * M * N);
  }
};
template <>
struct operation<op::trmv_to> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[1] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[2] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + 2 * N);
  }
};
template <>
struct operation<op::trmm_to> : rules<op::trmm> {
  enum : int { sizes = 2, options = 4, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
    r.option[1] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[2] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[3] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, (SIDE == word::left ? M : N), (SIDE == word::left ? M : N), ((SIDE == word::left ? M : N)) * ((SIDE == word::left ? M : N)));
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    return M * N * (SIDE == word::left ? M : N);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * ((SIDE == word::left ? M : N) * ((SIDE == word::left ? M : N) + 1) / 2 + 2 * M * N);
  }
};
template <>
struct rules<op::trsm> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word SIDE = r.option[0], home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !((SIDE == word::left ? M : N) > 0 && (SIDE == word::left ? M : N) <= 128 && (SIDE == word::left ? N : M) > 0)) return 4;
    if ((body == word::fragment) && !((SIDE == word::left ? M : N) <= 8 * width)) return 5;
    if ((body == word::fragment) && !(((SIDE == word::left ? M : N) + width - 1) / width * (SIDE == word::left ? N : M) * bytes / 4 <= 64)) return 6;
    if ((scope == word::thread && backend == word::cuda) && !(M * N * (SIDE == word::left ? M : N) <= 4096)) return 7;
    if ((body == word::direct && backend == word::cuda) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch >= 80 && arch <= 100))) return 8;
    if ((body == word::direct) && !(run_time_sizes == 0)) return 9;
    if ((body == word::direct) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 10;
    if ((body == word::direct) && !(home == word::global)) return 11;
    if ((body == word::direct) && !((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? M : N) <= 128 && (SIDE == word::left ? N : M) >= 8)) return 12;
    if ((body == word::direct) && !(width / 32 <= ((SIDE == word::left ? N : M) + 15) / 16)) return 13;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, batch = r.batch;
    const word SIDE = r.option[0];
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 64) && f(placement{word::block, 256, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 32 && bytes == 8) && f(placement{word::block, 128, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 32) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 16 && batch <= 256) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16 && (SIDE == word::left ? M : N) > 16) && f(placement{word::warp, 32, 2, word::global, word::direct})) return true;
    if (((SIDE == word::left ? M : N) >= 16 && (SIDE == word::left ? N : M) >= 16) && f(placement{word::warp, 32, 4, word::global, word::direct})) return true;
    if ((batch > 256 && bytes == 4 && (SIDE == word::left ? M : N) <= 8 && (SIDE == word::left ? N : M) <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((batch > 256 && (SIDE == word::left ? M : N) <= 8 && (SIDE == word::left ? N : M) <= 8) && f(placement{word::tile8, 8, 8, word::global, word::fragment})) return true;
    if ((batch > 256 && (SIDE == word::left ? M : N) == 16 && (SIDE == word::left ? N : M) <= 16) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::trsm> : rules<op::trsm> {
  enum : int { sizes = 2, options = 4, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
    r.option[1] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[2] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[3] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, (SIDE == word::left ? M : N), (SIDE == word::left ? M : N), ((SIDE == word::left ? M : N)) * ((SIDE == word::left ? M : N)));
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    return M * N * (SIDE == word::left ? M : N);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * ((SIDE == word::left ? M : N) * ((SIDE == word::left ? M : N) + 1) / 2 + 2 * M * N);
  }
};
template <>
struct operation<op::ger> : rules<op::transpose> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, M, 1, M);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 2 * M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (2 * M * N + M + N);
  }
};
template <>
struct operation<op::symv> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + 3 * N);
  }
};
template <>
struct operation<op::syr> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : chosen<Fill::lower, 0, O...>() == Fill::full ? word::full : word::lower;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * (N + 1);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    const word FILL = r.option[0];
    return bytes * (FILL == word::full ? N * (N + 1) / 2 + N * N + N : N * (N + 1) + N);
  }
};
template <>
struct operation<op::syr2> : rules<op::set_identity> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : chosen<Fill::lower, 0, O...>() == Fill::full ? word::full : word::lower;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N * (N + 1);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    const word FILL = r.option[0];
    return bytes * (FILL == word::full ? N * (N + 1) / 2 + N * N + 2 * N : N * (N + 1) + 2 * N);
  }
};
template <>
struct rules<op::symm> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word SIDE = r.option[0], home = c.home, scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(M * N * (SIDE == word::left ? M : N) <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n8)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && M * N * (SIDE == word::left ? M : N) > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((body != word::loop) && !(home == word::global)) return 7;
    if ((MMA == word::tf32x3) && !(bytes == 4 && (SIDE == word::left ? M : N) >= 16)) return 8;
    if ((body != word::loop && (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) > 16) && !(2 * M > (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32))) return 9;
    if ((body != word::loop && (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) > 8) && !(2 * N > (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32))) return 10;
    if ((body != word::loop && ((TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 24 || (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 48)) && !((N) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) * (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == N)) return 11;
    if ((TILE == word::m48n24 || TILE == word::m96n24 || TILE == word::m96n48) && !((M) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) == M)) return 12;
    if ((body != word::loop && TILE == word::m16n8) && !(N <= 16)) return 13;
    if ((TILE == word::m64n64 || TILE == word::m96n48) && !(MMA == word::tf32x3)) return 14;
    if ((body == word::direct) && !(TILE != word::m96n24 && TILE != word::m96n48 && TILE != word::m64n64)) return 15;
    if ((body == word::direct && TILE == word::m64n32) && !(MMA == word::tf32x3)) return 16;
    if ((body == word::direct) && !(width / 32 <= ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) && ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) <= 2 * (width / 32))) return 17;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((M <= 16 && N <= 16) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((batch <= 64 && M <= 32 && N <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((batch > 64 && M <= 32 && N <= 32 && bytes == 4) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((batch > 64 && M <= 32 && N <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((M <= 32 && N <= 32 && bytes == 4) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((M <= 64 && N <= 64 && bytes == 4) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((M <= 64 && N <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((M <= 128 && N <= 128 && bytes == 4) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m64n32}})) return true;
    if ((M <= 128 && N <= 128) && f(placement{word::block, 256, 1, word::global, word::direct, {word::f64, word::m32n64}})) return true;
    if ((M <= 128 && N <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    return false;
  }
};
template <>
struct operation<op::symm> : rules<op::symm> {
  enum : int { sizes = 2, options = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n8};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
    r.option[1] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, (SIDE == word::left ? M : N), (SIDE == word::left ? M : N), ((SIDE == word::left ? M : N)) * ((SIDE == word::left ? M : N)));
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    return 2 * M * N * (SIDE == word::left ? M : N);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * ((SIDE == word::left ? M : N) * ((SIDE == word::left ? M : N) + 1) / 2 + 3 * M * N);
  }
};
template <>
struct rules<op::syr2k> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(N * N * K <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n16)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && N * K > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((MMA == word::tf32x3) && !(bytes == 4 && K >= 16)) return 7;
    if ((TILE == word::m32n32) && !(N > 16)) return 8;
    if ((body == word::direct) && !(width / 32 <= (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) && (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((N + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) <= 3 * (width / 32))) return 9;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 8 && N <= 16 && K > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((N > 8 && N <= 16 && K > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 16 && N <= 32 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 16 && N <= 32 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 32 && N <= 48 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 32 && N <= 48 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && batch <= 64 && N > 48 && N <= 64 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && N > 48 && N <= 64 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 16 && N <= 32 && K > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 16 && N <= 32 && K > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 32 && N <= 64 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 32 && N <= 64 && K > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 64 && N <= 96 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 64 && N <= 96 && K > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && K >= 16 && arch >= 80 && N > 96 && N <= 128 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((N > 96 && N <= 128 && K > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    return false;
  }
};
template <>
struct operation<op::syr2k> : rules<op::syr2k> {
  enum : int { sizes = 2, options = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n16};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Fill::full, 0, O...>() == Fill::lower ? word::lower : chosen<Fill::full, 0, O...>() == Fill::upper ? word::upper : word::full;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], K = r.size[1];
    const word TRANS = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, TRANS == word::yes ? K : N, TRANS == word::yes ? N : K, (TRANS == word::yes ? K : N) * (TRANS == word::yes ? N : K));
    v(kind::in, r.bytes, 2, TRANS == word::yes ? K : N, TRANS == word::yes ? N : K, (TRANS == word::yes ? K : N) * (TRANS == word::yes ? N : K));
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], K = r.size[1];
    return 2 * N * (N + 1) * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes;
    return bytes * (2 * N * K + 2 * N * N);
  }
};
template <>
struct operation<op::dimm> : rules<op::transpose> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    const word SIDE = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 1, (SIDE == word::left ? M : N), 1, (SIDE == word::left ? M : N));
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 2 * M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * (2 * M * N + (SIDE == word::left ? M : N));
  }
};
template <>
struct rules<op::gemm_batched_indexed> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * N <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::gemm_batched_indexed> : rules<op::gemm_batched_indexed> {
  enum : int { sizes = 2, options = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::P};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 4;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Trans::no, 1, O...>() == Trans::yes ? word::yes : word::no;
    r.option[2] = chosen<Atomic::no, 0, O...>() == Atomic::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], P = r.size[1];
    v(kind::in, 4, 1, P, 1, P);
    v(kind::in, 4, 1, P, 1, P);
    v(kind::in, 4, 1, P, 1, P);
    v(kind::in, r.bytes, 2, N, N * P, N * (N * P));
    v(kind::in, r.bytes, 2, N, N * P, N * (N * P));
    v(kind::inout, r.bytes, 2, N, N * P, N * (N * P));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], P = r.size[1];
    return 2 * P * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], P = r.size[1], bytes = r.bytes;
    return bytes * 3 * P * N * N;
  }
};
template <>
struct operation<op::gemv_strided> : rules<op::gemv> {
  enum : int { sizes = 3, options = 1, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::LDA};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = 0;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], LDA = r.size[2];
    const word TRANS = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N, (LDA == 0 ? (M) : LDA) * N);
    v(kind::in, r.bytes, 1, TRANS == word::yes ? M : N, 1, TRANS == word::yes ? M : N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 1, TRANS == word::yes ? N : M, 1, TRANS == word::yes ? N : M);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 2 * M * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    const word TRANS = r.option[0];
    return bytes * (M * N + (TRANS == word::yes ? M + 2 * N : N + 2 * M));
  }
};
template <>
struct rules<op::gemm_strided> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word home = c.home, scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(M * N * K <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n8)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && M * N * K > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((body != word::loop) && !(home == word::global)) return 7;
    if ((MMA == word::tf32x3) && !(bytes == 4 && K >= 16)) return 8;
    if ((body != word::loop && (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) > 16) && !(2 * M > (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32))) return 9;
    if ((body != word::loop && (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) > 8) && !(2 * N > (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32))) return 10;
    if ((body != word::loop && ((TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 24 || (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == 48)) && !((N) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) * (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) == N)) return 11;
    if ((TILE == word::m48n24 || TILE == word::m96n24 || TILE == word::m96n48) && !((M) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) * (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) == M)) return 12;
    if ((body != word::loop && TILE == word::m16n8) && !(N <= 16)) return 13;
    if ((TILE == word::m64n64 || TILE == word::m96n48) && !(MMA == word::tf32x3)) return 14;
    if ((body == word::direct) && !(TILE != word::m96n24 && TILE != word::m96n48 && TILE != word::m64n64)) return 15;
    if ((body == word::direct && TILE == word::m64n32) && !(MMA == word::tf32x3)) return 16;
    if ((body == word::direct) && !(width / 32 <= ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) && ((M + (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32) - 1) / (TILE == word::m16n8 || TILE == word::m16n16 || TILE == word::m16n32 || TILE == word::m16n48 ? 16 : TILE == word::m48n24 ? 48 : TILE == word::m64n32 || TILE == word::m64n64 ? 64 : TILE == word::m96n24 || TILE == word::m96n48 ? 96 : 32)) * ((N + (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32) - 1) / (TILE == word::m16n8 ? 8 : TILE == word::m16n16 ? 16 : TILE == word::m32n24 || TILE == word::m48n24 || TILE == word::m96n24 ? 24 : TILE == word::m16n48 || TILE == word::m32n48 || TILE == word::m96n48 ? 48 : TILE == word::m32n64 || TILE == word::m64n64 ? 64 : 32)) <= 2 * (width / 32))) return 17;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes, batch = r.batch;
    if ((N <= 4 && M <= 4) && f(placement{word::tile4, 4, 32, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 8 && M <= 8 && bytes == 4 && M / 4 * 4 == M && K / 4 * 4 == K) && f(placement{word::tile16, 16, 16, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 8 && M <= 16) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 8 && batch <= 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && N <= 16 && M <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 24 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n24}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 16 || M > 16) && N <= 32 && M <= 32) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 32 || M > 32) && N <= 48 && M <= 48) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::tf32x3, word::m48n24}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n48}})) return true;
    if ((bytes == 4 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m48n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m48n24}})) return true;
    if ((bytes == 8 && batch > 64 && N == 48 && M == 48) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n48}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 512, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 256, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 64, 1, word::global, word::direct, {word::f64, word::m32n64}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 48 || M > 48) && N <= 64 && M <= 64) && f(placement{word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 576, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 384, 1, word::global, word::direct, {word::tf32x3, word::m16n48}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 576, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m48n24}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n48}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 64 || M > 64) && N <= 96 && M <= 96) && f(placement{word::block, 288, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 1024, 1, word::global, word::direct, {word::tf32x3, word::m16n32}})) return true;
    if ((bytes == 4 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 1024, 1, word::global, word::direct, {word::f64, word::m16n32}})) return true;
    if ((bytes == 8 && batch <= 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::direct, {word::tf32x3, word::m64n32}})) return true;
    if ((bytes == 4 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 256, 1, word::global, word::direct, {word::f64, word::m32n64}})) return true;
    if ((bytes == 8 && batch > 64 && (N > 96 || M > 96) && N <= 128 && M <= 128) && f(placement{word::block, 512, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((N <= 8 && M <= 8) && f(placement{word::tile8, 8, 16, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 16 && M <= 16) && f(placement{word::tile16, 16, 8, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if ((N <= 32 && M <= 32) && f(placement{word::warp, 32, 4, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    if (f(placement{word::block, 256, 1, word::shared, word::loop, {word::f64, word::m16n8}})) return true;
    if (f(placement{word::block, 256, 1, word::global, word::loop, {word::f64, word::m16n8}})) return true;
    return false;
  }
};
template <>
struct operation<op::gemm_strided> : rules<op::gemm_strided> {
  enum : int { sizes = 5, options = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::K, size::LDA, size::LDB};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n8};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[1];
    if (r.size[3] < 0) r.size[3] = 0;
    if (r.size[4] < 0) r.size[4] = 0;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Trans::no, 1, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], LDA = r.size[3], LDB = r.size[4];
    const word TRANSA = r.option[0], TRANSB = r.option[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, TRANSA == word::yes ? K : M, TRANSA == word::yes ? M : K, (LDA == 0 ? (TRANSA == word::yes ? K : M) : LDA) * (TRANSA == word::yes ? M : K));
    v(kind::in, r.bytes, 2, TRANSB == word::yes ? N : K, TRANSB == word::yes ? K : N, (LDB == 0 ? (TRANSB == word::yes ? N : K) : LDB) * (TRANSB == word::yes ? K : N));
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    return 2 * M * N * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes;
    return bytes * (M * K + K * N + 2 * M * N);
  }
};
template <>
struct operation<op::gemv_segmented> : rules<op::transpose> {
  enum : int { sizes = 4, options = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::LDA, size::S};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = 0;
    if (r.size[3] < 0) r.size[3] = 4;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Atomic::no, 0, O...>() == Atomic::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], LDA = r.size[2], S = r.size[3];
    const word TRANS = r.option[0];
    v(kind::in, 4, 1, S, 1, S);
    v(kind::in, 4, 1, S, 1, S);
    v(kind::in, 4, 1, S, 1, S);
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N * S, (LDA == 0 ? M : LDA) * (N * S));
    v(kind::in, r.bytes, 2, TRANS == word::yes ? M : N, S, (TRANS == word::yes ? M : N) * S);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, TRANS == word::yes ? N : M, S, (TRANS == word::yes ? N : M) * S);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], S = r.size[3];
    return 2 * M * N * S;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], S = r.size[3], bytes = r.bytes;
    const word TRANS = r.option[0];
    return S * (bytes * (M * N + (TRANS == word::yes ? M + 2 * N : N + 2 * M)) + 12);
  }
};
template <>
struct operation<op::gemv_segmented_add> : rules<op::transpose> {
  enum : int { sizes = 4, options = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::LDA, size::S};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = 0;
    if (r.size[3] < 0) r.size[3] = 4;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
    r.option[1] = chosen<Atomic::no, 0, O...>() == Atomic::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], LDA = r.size[2], S = r.size[3];
    const word TRANS = r.option[0];
    v(kind::in, 4, 1, S, 1, S);
    v(kind::in, 4, 1, S, 1, S);
    v(kind::in, 4, 1, S, 1, S);
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, M, N * S, (LDA == 0 ? M : LDA) * (N * S));
    v(kind::in, r.bytes, 2, TRANS == word::yes ? M : N, S, (TRANS == word::yes ? M : N) * S);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, TRANS == word::yes ? N : M, S, (TRANS == word::yes ? N : M) * S);
    v(kind::in, 4, 1, S, 1, S);
    v(kind::in, r.bytes, 2, TRANS == word::yes ? N : M, S, (TRANS == word::yes ? N : M) * S);
    v(kind::in, r.bytes, 1, S, 1, S);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], S = r.size[3];
    const word TRANS = r.option[0];
    return 2 * M * N * S + 2 * S * (TRANS == word::yes ? N : M);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], S = r.size[3], bytes = r.bytes;
    const word TRANS = r.option[0];
    return S * (bytes * (M * N + (TRANS == word::yes ? M + 3 * N : N + 3 * M) + 1) + 16);
  }
};
template <>
struct rules<op::potrf> : no_rules {
  GLASS_CONSTANT static constexpr long long exchange(const request& r, const placement& c) {
    const long long N = r.size[0], bytes = r.bytes;
    const word body = c.body;
    return body == word::whole ? bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) : 0;
  }
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch, run_time_sizes = 0, width = c.width, pack = c.pack;
    const word home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment && (backend == word::cuda || width > 1)) && !(N > 0 && (width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 <= 192)) return 3;
    if ((body == word::fragment && backend == word::host && width == 1) && !(N > 0 && N <= 64)) return 4;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 5;
    if ((body == word::fragment && backend == word::cuda && width > 1) && !((N + width - 1) / width * N * N * bytes / 4 <= 2304)) return 6;
    if ((body == word::rows || body == word::left || body == word::whole || body == word::regs) && !(run_time_sizes == 0)) return 7;
    if ((body == word::rows) && !(scope != word::block && width > 1)) return 8;
    if ((body == word::rows) && !(N > 0 && (width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 <= 192)) return 9;
    if ((body == word::rows) && !(pack * bytes * ((2) * (((N + width - 1) / width * width + (16 / bytes) - 1) / (16 / bytes) * (16 / bytes) + (16 / bytes)) + (16 / bytes)) <= 49152)) return 10;
    if ((body == word::left || body == word::whole || body == word::regs) && !(width >= 32 && width <= 256)) return 11;
    if (((body == word::left || body == word::whole || body == word::regs) && backend == word::cuda) && !(arch >= 80)) return 12;
    if ((body == word::left || body == word::whole || body == word::regs) && !(N >= 8 && N <= 128)) return 13;
    if ((body == word::left || body == word::whole) && !((((N + 15) / 16) + width / 32 - 1) / (width / 32) * bytes <= 32)) return 14;
    if ((body == word::left) && !(pack == 1 || pack * bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) <= 49088)) return 15;
    if ((body == word::whole) && !(scope == word::block && home == word::global)) return 16;
    if ((body == word::whole) && !(bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) > 49088)) return 17;
    if ((body == word::regs) && !(width / 32 <= ((N + 15) / 16))) return 18;
    if ((body == word::regs) && !((width / 32) * ((((N + 15) / 16) + width / 32 - 1) / (width / 32)) * (((((N + 15) / 16) + width / 32 - 1) / (width / 32)) + 1) * bytes <= 160)) return 19;
    if ((body == word::regs) && !(pack * (bytes * (16 + 16 * (width / 32)) + 512 * (2 * ((N + 15) / 16) + 1)) <= 49088)) return 20;
    if ((body == word::regs && backend == word::cuda) && !(batch <= 256 || (bytes == 4 && N > 32))) return 21;
    if ((body == word::rows && backend == word::cuda && arch >= 80) && !((N + width - 1) / width * N * N * bytes / 4 <= 6912)) return 22;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch;
    if ((batch <= 256 && bytes == 4 && N > 8 && N <= 16) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 24) && f(placement{word::tile8, 8, 4, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::rows})) return true;
    if ((batch <= 256 && bytes == 4 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::rows})) return true;
    if ((batch <= 256 && N > 32 && N <= 64) && f(placement{word::warp, 32, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N > 64 && N <= 96) && f(placement{word::block, 96, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N > 112) && f(placement{word::block, 256, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && bytes == 4 && N > 96) && f(placement{word::block, 128, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N <= (bytes == 4 ? 48 : 32)) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 64) && f(placement{word::warp, 32, 1, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 96) && f(placement{word::block, 128, 1, word::global, word::left})) return true;
    if ((batch <= 256) && f(placement{word::block, 256, 1, word::global, word::whole})) return true;
    if ((batch <= 256) && f(placement{word::block, 256, 1, word::global, word::left})) return true;
    if ((bytes == 4 && N <= 6) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 6) && f(placement{word::tile4, 4, 32, word::global, word::rows})) return true;
    if ((bytes == 8 && N > 8 && N <= 12) && f(placement{word::tile4, 4, 32, word::global, word::rows})) return true;
    if ((N <= 12) && f(placement{word::tile8, 8, 16, word::global, word::rows})) return true;
    if ((N <= 24) && f(placement{word::tile8, 8, 8, word::global, word::rows})) return true;
    if ((N <= 32) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((bytes == 4 && N <= 48) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((bytes == 4 && N <= 64) && f(placement{word::warp, 32, 1, word::global, word::left})) return true;
    if ((N <= 64) && f(placement{word::warp, 32, 1, word::global, word::left})) return true;
    if ((bytes == 4 && N <= 96) && f(placement{word::block, 64, 1, word::global, word::left})) return true;
    if ((bytes == 4) && f(placement{word::block, 128, 1, word::global, word::left})) return true;
    if ((bytes == 4) && f(placement{word::block, 128, 1, word::global, word::regs})) return true;
    if ((N <= 96) && f(placement{word::block, 96, 1, word::global, word::left})) return true;
    if (f(placement{word::block, 128, 1, word::global, word::whole})) return true;
    if (f(placement{word::block, 128, 1, word::global, word::left})) return true;
    return false;
  }
};
template <>
struct operation<op::potrf> : rules<op::potrf> {
  enum : int { sizes = 1, bodies = 6 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::rows, word::left, word::regs, word::whole};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment || body == word::rows;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return N * N * N / 3 + N * N / 2;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * N * (N + 1);
  }
};
template <>
struct rules<op::posv> : no_rules {
  GLASS_CONSTANT static constexpr long long exchange(const request& r, const placement& c) {
    const long long N = r.size[0], bytes = r.bytes;
    const word body = c.body;
    return body == word::whole ? bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) : 0;
  }
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, batch = r.batch, run_time_sizes = 0, width = c.width, pack = c.pack;
    const word home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment && backend == word::host && width == 1) && !(N > 0 && N <= 64)) return 3;
    if ((body == word::fragment && (backend == word::cuda || width > 1)) && !(N > 0 && (width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 <= 192 && (width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 + (N + width - 1) / width * NRHS * bytes / 4 <= 208)) return 4;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 5;
    if ((body == word::fragment && backend == word::cuda && width > 1) && !((N + width - 1) / width * N * N * bytes / 4 <= 2304)) return 6;
    if ((body == word::rows || body == word::left || body == word::whole || body == word::regs) && !(run_time_sizes == 0)) return 7;
    if ((body == word::rows) && !(scope != word::block && width > 1)) return 8;
    if ((body == word::rows) && !(N > 0 && (width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 + (N + width - 1) / width * NRHS * bytes / 4 <= 192)) return 9;
    if ((body == word::rows) && !(pack * bytes * ((NRHS > 0 ? N : 2) * (((N + width - 1) / width * width + (16 / bytes) - 1) / (16 / bytes) * (16 / bytes) + (16 / bytes)) + (16 / bytes)) <= 49152)) return 10;
    if ((body == word::left || body == word::whole || body == word::regs) && !(width >= 32 && width <= 256)) return 11;
    if (((body == word::left || body == word::whole || body == word::regs) && backend == word::cuda) && !(arch >= 80)) return 12;
    if ((body == word::left || body == word::whole || body == word::regs) && !(N >= 8 && N <= 128)) return 13;
    if ((body == word::left || body == word::whole) && !((((N + 15) / 16) + width / 32 - 1) / (width / 32) * bytes <= 32)) return 14;
    if ((body == word::left) && !(pack == 1 || pack * bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) <= 49088)) return 15;
    if ((body == word::whole) && !(scope == word::block && home == word::global)) return 16;
    if ((body == word::whole) && !(bytes * (64 * ((N + 15) / 16) * (2 * ((N + 15) / 16) + 1) + 16) > 49088)) return 17;
    if ((body == word::regs) && !(width / 32 <= ((N + 15) / 16))) return 18;
    if ((body == word::regs) && !((width / 32) * ((((N + 15) / 16) + width / 32 - 1) / (width / 32)) * (((((N + 15) / 16) + width / 32 - 1) / (width / 32)) + 1) * bytes <= 160)) return 19;
    if ((body == word::regs) && !(pack * (bytes * (16 + 16 * (width / 32)) + 512 * (2 * ((N + 15) / 16) + 1)) <= 49088)) return 20;
    if ((body == word::regs && backend == word::cuda) && !(batch <= 256 || (bytes == 4 && N > 32))) return 21;
    if ((body == word::rows && backend == word::cuda && arch >= 80) && !((N + width - 1) / width * N * N * bytes / 4 <= 6912 || NRHS > 1)) return 22;
    if ((body == word::left || body == word::whole || body == word::regs) && !(NRHS <= 1)) return 23;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch;
    if ((batch <= 256 && bytes == 4 && N > 8 && N <= 16) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 24) && f(placement{word::tile8, 8, 4, word::global, word::rows})) return true;
    if ((batch <= 256 && bytes == 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && bytes == 4 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::rows})) return true;
    if ((batch <= 256 && N > 32 && N <= 64) && f(placement{word::warp, 32, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N > 64 && N <= 96) && f(placement{word::block, 96, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N > 112) && f(placement{word::block, 256, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && bytes == 4 && N > 96) && f(placement{word::block, 128, 1, word::global, word::regs})) return true;
    if ((batch <= 256 && N <= (bytes == 4 ? 48 : 32)) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 64) && f(placement{word::warp, 32, 1, word::global, word::rows})) return true;
    if ((batch <= 256 && N <= 96) && f(placement{word::block, 128, 1, word::global, word::left})) return true;
    if ((batch <= 256) && f(placement{word::block, 256, 1, word::global, word::whole})) return true;
    if ((batch <= 256) && f(placement{word::block, 256, 1, word::global, word::left})) return true;
    if ((bytes == 4 && N > 24 && N <= 32) && f(placement{word::tile8, 8, 4, word::global, word::rows})) return true;
    if ((N <= 6) && f(placement{word::tile4, 4, 32, word::global, word::rows})) return true;
    if ((bytes == 8 && N > 8 && N <= 12) && f(placement{word::tile4, 4, 32, word::global, word::rows})) return true;
    if ((N <= 12) && f(placement{word::tile8, 8, 16, word::global, word::rows})) return true;
    if ((N <= 24) && f(placement{word::tile8, 8, 8, word::global, word::rows})) return true;
    if ((N <= 32) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((bytes == 4 && N <= 48) && f(placement{word::tile16, 16, 2, word::global, word::rows})) return true;
    if ((bytes == 4 && N <= 64) && f(placement{word::warp, 32, 2, word::global, word::left})) return true;
    if ((N <= 64) && f(placement{word::warp, 32, 1, word::global, word::left})) return true;
    if ((bytes == 4 && N <= 96) && f(placement{word::block, 64, 1, word::global, word::left})) return true;
    if ((bytes == 4) && f(placement{word::block, 128, 1, word::global, word::left})) return true;
    if ((bytes == 4) && f(placement{word::block, 128, 1, word::global, word::regs})) return true;
    if ((N <= 96) && f(placement{word::block, 96, 1, word::global, word::left})) return true;
    if (f(placement{word::block, 128, 1, word::global, word::whole})) return true;
    if (f(placement{word::block, 128, 1, word::global, word::left})) return true;
    return false;
  }
};
template <>
struct operation<op::posv> : rules<op::posv> {
  enum : int { sizes = 2, options = 2, bodies = 6 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::rows, word::left, word::regs, word::whole};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment || body == word::rows;
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Factor::keep, 0, O...>() == Factor::discard ? word::discard : word::keep;
    r.option[1] = chosen<Shift::none, 0, O...>() == Shift::identity ? word::identity : chosen<Shift::none, 0, O...>() == Shift::diagonal ? word::diagonal : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    const word SHIFT = r.option[1];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
    if (SHIFT != word::none) v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return N * N * N / 3 + 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    const word FACTOR = r.option[0];
    return bytes * ((FACTOR == word::discard ? N * (N + 1) / 2 : N * (N + 1)) + 2 * N * NRHS);
  }
};
template <>
struct rules<op::potrs> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment && backend == word::host) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !((width * ((N + width - 1) / width) * ((N + width - 1) / width - 1) / 2 + N) * bytes / 4 + (N + width - 1) / width * NRHS * bytes / 4 <= 208)) return 5;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 6;
    if ((body == word::direct && backend == word::cuda) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch >= 80 && arch <= 100))) return 7;
    if ((body == word::direct) && !(run_time_sizes == 0)) return 8;
    if ((body == word::direct) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 9;
    if ((body == word::direct) && !(home == word::global)) return 10;
    if ((body == word::direct) && !(N >= 16 && N <= 128 && NRHS >= 8)) return 11;
    if ((body == word::direct) && !(width / 32 <= (NRHS + 15) / 16)) return 12;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((N >= 16 && NRHS >= 16 && N > 64) && f(placement{word::block, 256, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 32 && bytes == 8) && f(placement{word::block, 128, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 32) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 16 && batch <= 256) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 16) && f(placement{word::warp, 32, 2, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16) && f(placement{word::warp, 32, 4, word::global, word::direct})) return true;
    return false;
  }
};
template <>
struct operation<op::potrs> : rules<op::potrs> {
  enum : int { sizes = 2, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + 2 * N * NRHS);
  }
};
template <>
struct rules<op::chol_update> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 1;
    return 0;
  }
};
template <>
struct operation<op::chol_update> : rules<op::chol_update> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) + 2 * N);
  }
};
template <>
struct operation<op::chol_downdate> : rules<op::chol_update> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) + 2 * N);
  }
};
template <>
struct operation<op::laswp> : no_rules {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Direction::forward, 0, O...>() == Direction::backward ? word::backward : word::forward;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::inout, r.bytes, 2, M, N, M * N);
    v(kind::in, 4, 1, M, 1, M);
    v(kind::scalar, 4);
    v(kind::scalar, 4);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 1;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct operation<op::ldlt> : rules<op::chol_update> {
  enum : int { sizes = 1, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Pivot::none, 0, O...>() == Pivot::bunch_kaufman ? word::bunch_kaufman : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    const word PIVOT = r.option[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    if (PIVOT == word::bunch_kaufman) v(kind::out, 4, 1, N, 1, N);
    v(kind::out, 4, 1, 3, 1, 3);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    const word PIVOT = r.option[0];
    return bytes * N * (N + 1) + (PIVOT == word::none ? 0 : 4 * N);
  }
};
template <>
struct operation<op::ldlt_solve> : rules<op::chol_update> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Pivot::none, 0, O...>() == Pivot::bunch_kaufman ? word::bunch_kaufman : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    const word PIVOT = r.option[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    if (PIVOT == word::bunch_kaufman) v(kind::in, 4, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    const word PIVOT = r.option[0];
    return bytes * (N * (N + 1) / 2 + 2 * N * NRHS) + (PIVOT == word::none ? 0 : 4 * N);
  }
};
template <>
struct rules<op::inv> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 32)) return 5;
    if ((body == word::fragment) && !(N < 24 || N / 4 * 4 != N)) return 6;
    if ((body == word::fragment && backend == word::cuda) && !((N + width - 1) / width * N * N * bytes / 4 <= (width < 32 ? 512 : 2048))) return 7;
    if ((body == word::fragment) && !((N + width - 1) / width * (N) * bytes / 4 <= 160)) return 8;
    if ((body == word::rolled) && !(run_time_sizes == 0 && N >= 16 && N / 4 * 4 == N)) return 9;
    if ((body == word::rolled) && !(scope != word::block && width > 1)) return 10;
    if ((body == word::rolled) && !(N <= 64 && (N + width - 1) / width * N * bytes / 4 <= 160)) return 11;
    if ((run_time_sizes > 0) && !(N <= 256)) return 12;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 13;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch;
    if ((batch <= 256 && N >= 16) && f(placement{word::warp, 32, 1, word::global, word::rolled})) return true;
    if ((N >= 16 && N <= 20) && f(placement{word::tile16, 16, 8, word::global, word::rolled})) return true;
    if ((N >= 16 && N <= 32) && f(placement{word::warp, 32, 4, word::global, word::rolled})) return true;
    if ((N >= 16) && f(placement{word::warp, 32, 2, word::global, word::rolled})) return true;
    if ((batch <= 256 && N > 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 4, word::global, word::fragment})) return true;
    if ((N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((bytes == 4 && N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((N <= 32) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::inv> : rules<op::inv> {
  enum : int { sizes = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::rolled};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment || body == word::rolled;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::out, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 2 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N;
  }
};
template <>
struct rules<op::getrf> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 64)) return 5;
    if ((body == word::fragment && backend == word::cuda) && !((N + width - 1) / width * N * N * bytes / 4 <= (width < 32 ? 1024 : 2048))) return 6;
    if ((body == word::fragment) && !((N + width - 1) / width * (N) * bytes / 4 <= 160)) return 7;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 8;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], batch = r.batch;
    if ((batch <= 256 && N > 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 4, word::global, word::fragment})) return true;
    if ((N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((N <= 32) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::getrf> : rules<op::getrf> {
  enum : int { sizes = 1, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::out, 4, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (2 * N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N + 4 * N;
  }
};
template <>
struct rules<op::getrf_no_pivot> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 64)) return 5;
    if ((body == word::fragment && backend == word::cuda) && !((N + width - 1) / width * N * N * bytes / 4 <= (width < 32 ? 2048 : 4096))) return 6;
    if ((body == word::fragment) && !((N + width - 1) / width * (N) * bytes / 4 <= 160)) return 7;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 8;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], batch = r.batch;
    if ((batch <= 256 && N > 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 4, word::global, word::fragment})) return true;
    if ((N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((N <= 32) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::getrf_no_pivot> : rules<op::getrf_no_pivot> {
  enum : int { sizes = 1, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (2 * N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N;
  }
};
template <>
struct rules<op::getrs> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word home = c.home, scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 64)) return 5;
    if ((body == word::fragment) && !((N + width - 1) / width * (N + NRHS) * bytes / 4 <= 160)) return 6;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 7;
    if ((body == word::direct && backend == word::cuda) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch >= 80 && arch <= 100))) return 8;
    if ((body == word::direct) && !(run_time_sizes == 0)) return 9;
    if ((body == word::direct) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 10;
    if ((body == word::direct) && !(home == word::global)) return 11;
    if ((body == word::direct) && !(N >= 16 && N <= 128 && NRHS >= 8)) return 12;
    if ((body == word::direct) && !(width / 32 <= (NRHS + 15) / 16)) return 13;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((N >= 16 && NRHS >= 16 && N > 64) && f(placement{word::block, 256, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 32 && bytes == 8) && f(placement{word::block, 128, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 32) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 16 && batch <= 256) && f(placement{word::block, 64, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && batch <= 256) && f(placement{word::warp, 32, 1, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16 && N > 16) && f(placement{word::warp, 32, 2, word::global, word::direct})) return true;
    if ((N >= 16 && NRHS >= 16) && f(placement{word::warp, 32, 4, word::global, word::direct})) return true;
    return false;
  }
};
template <>
struct operation<op::getrs> : rules<op::getrs> {
  enum : int { sizes = 2, options = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, 4, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    return bytes * (N * N + 2 * N * NRHS) + 4 * N;
  }
};
template <>
struct operation<op::getrs_no_pivot> : rules<op::getrs> {
  enum : int { sizes = 2, options = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    return bytes * (N * N + 2 * N * NRHS);
  }
};
template <>
struct rules<op::gesv> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 64)) return 5;
    if ((body == word::fragment && backend == word::cuda) && !((N + width - 1) / width * N * N * bytes / 4 <= (width < 32 ? 1024 : 2048))) return 6;
    if ((body == word::fragment) && !((N + width - 1) / width * (N + NRHS) * bytes / 4 <= 160)) return 7;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 8;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], batch = r.batch;
    if ((batch <= 256 && N > 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 4, word::global, word::fragment})) return true;
    if ((N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((N <= 32) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::gesv> : rules<op::gesv> {
  enum : int { sizes = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::out, 4, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return (2 * N * N * N + 2) / 3 + 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    return bytes * 2 * N * N + bytes * 2 * N * NRHS + 4 * N;
  }
};
template <>
struct rules<op::gesv_no_pivot> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((body == word::fragment) && !(run_time_sizes == 0)) return 1;
    if ((body == word::fragment) && !(scope != word::block)) return 2;
    if ((body == word::fragment) && !(width > 1)) return 3;
    if ((body == word::fragment) && !(N > 0)) return 4;
    if ((body == word::fragment) && !(N <= 64)) return 5;
    if ((body == word::fragment && backend == word::cuda) && !((N + width - 1) / width * N * N * bytes / 4 <= (width < 32 ? 2048 : 4096))) return 6;
    if ((body == word::fragment) && !((N + width - 1) / width * (N + NRHS) * bytes / 4 <= 160)) return 7;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 8;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], batch = r.batch;
    if ((batch <= 256 && N > 8 && N <= 32) && f(placement{word::warp, 32, 1, word::global, word::fragment})) return true;
    if ((batch <= 256 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 4, word::global, word::fragment})) return true;
    if ((N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((N <= 16) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((N <= 32) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    return false;
  }
};
template <>
struct operation<op::gesv_no_pivot> : rules<op::gesv_no_pivot> {
  enum : int { sizes = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NRHS = r.size[1];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::inout, r.bytes, 2, N, NRHS, N * NRHS);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1];
    return (2 * N * N * N + 2) / 3 + 2 * N * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NRHS = r.size[1], bytes = r.bytes;
    return bytes * 2 * N * N + bytes * 2 * N * NRHS;
  }
};
template <>
struct operation<op::trtri> : rules<op::chol_update> {
  enum : int { sizes = 1, options = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Fill::lower, 0, O...>() == Fill::upper ? word::upper : word::lower;
    r.option[1] = chosen<Diag::nonunit, 0, O...>() == Diag::unit ? word::unit : word::nonunit;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * N * (N + 1);
  }
};
template <>
struct operation<op::potri> : rules<op::chol_update> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::out, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (2 * N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + N * N);
  }
};
template <>
struct operation<op::getri> : rules<op::chol_update> {
  enum : int { sizes = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, 4, 1, N, 1, N);
    v(kind::out, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return (4 * N * N * N + 2) / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * 2 * N * N + 4 * N;
  }
};
template <>
struct operation<op::eig3> : no_rules {
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    v(kind::in, r.bytes, 2, 3, 3, 3 * 3);
    v(kind::out, r.bytes, 1, 3, 1, 3);
    v(kind::out, r.bytes, 2, 3, 3, 3 * 3);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 250;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long bytes = r.bytes;
    return bytes * 18;
  }
};
template <>
struct operation<op::svd3> : no_rules {
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    v(kind::in, r.bytes, 2, 3, 3, 3 * 3);
    v(kind::out, r.bytes, 2, 3, 3, 3 * 3);
    v(kind::out, r.bytes, 1, 3, 1, 3);
    v(kind::out, r.bytes, 2, 3, 3, 3 * 3);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 600;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long bytes = r.bytes;
    return bytes * 30;
  }
};
template <>
struct operation<op::closest_rotation> : no_rules {
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    v(kind::in, r.bytes, 2, 3, 3, 3 * 3);
    v(kind::out, r.bytes, 2, 3, 3, 3 * 3);
  }
  GLASS_CONSTANT static constexpr long long flops(const request&) {
    return 700;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long bytes = r.bytes;
    return bytes * 18;
  }
};
template <>
struct rules<op::eigh> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 32)) return 1;
    if ((body == word::fragment) && !(run_time_sizes == 0 && N > 0 && N <= 32)) return 2;
    if ((body == word::fragment) && !(scope != word::block && width > 1 && N <= width)) return 3;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], bytes = r.bytes, batch = r.batch, run_time_sizes = 0;
    if ((run_time_sizes == 0 && N > 0 && N <= 4) && f(placement{word::tile4, 4, 32, word::global, word::fragment})) return true;
    if ((run_time_sizes == 0 && N > 4 && N <= 8) && f(placement{word::tile8, 8, 16, word::global, word::fragment})) return true;
    if ((run_time_sizes == 0 && N > 8 && N <= 16 && (batch <= 1024 || N == 16)) && f(placement{word::tile16, 16, 8, word::global, word::fragment})) return true;
    if ((run_time_sizes == 0 && N > 8 && N < 16) && f(placement{word::tile4, 4, 16, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 16 && N <= 32 && (batch <= 1024 || (N == 32 && bytes == 4))) && f(placement{word::warp, 32, 4, word::global, word::fragment})) return true;
    if ((run_time_sizes == 0 && N > 16 && N <= 24) && f(placement{word::tile8, 8, 4, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 24 && N <= 32) && f(placement{word::tile16, 16, 4, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 32 && batch <= 256) && f(placement{word::block, 64, 1, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 32 && N <= 48 && bytes == 4) && f(placement{word::tile16, 16, 2, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 32 && N <= 48) && f(placement{word::warp, 32, 1, word::global, word::ql})) return true;
    if ((run_time_sizes == 0 && N > 48) && f(placement{word::block, 128, 1, word::global, word::ql})) return true;
    return false;
  }
};
template <>
struct operation<op::eigh> : rules<op::eigh> {
  enum : int { sizes = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::ql};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 2, N, N, N * N);
    v(kind::scratch, r.bytes, 1, N * (N + 5), 1, N * (N + 5));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 9 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + N * N + N);
  }
};
template <>
struct operation<op::psd_project> : rules<op::eigh> {
  enum : int { sizes = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::ql};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::scalar, r.bytes);
    v(kind::scratch, r.bytes, 1, N * (N + 5), 1, N * (N + 5));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 11 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + N * N);
  }
};
template <>
struct operation<op::syev> : rules<op::eigh> {
  enum : int { sizes = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::ql};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 2, N, N, N * N);
    v(kind::scratch, r.bytes, 1, N * (N + 5), 1, N * (N + 5));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 9 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + N * N + N);
  }
};
template <>
struct operation<op::eig_clamp> : rules<op::eigh> {
  enum : int { sizes = 1, bodies = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::fragment, word::loop, word::ql};
    return all[i];
  }
  GLASS_CONSTANT static constexpr bool in_step(word body) {
    return body == word::fragment;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0];
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::scalar, r.bytes);
    v(kind::scratch, r.bytes, 1, N * (N + 5), 1, N * (N + 5));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0];
    return 11 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], bytes = r.bytes;
    return bytes * (N * (N + 1) / 2 + N * N);
  }
};
template <>
struct rules<op::svd> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], run_time_sizes = 0;
    const word scope = c.scope, backend = word::cuda;
    if ((run_time_sizes == 0) && !(N <= M)) return 1;
    if ((scope == word::thread && backend == word::cuda) && !(M * N <= 1024)) return 2;
    return 0;
  }
};
template <>
struct operation<op::svd> : rules<op::svd> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 2, N, N, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 14 * M * N * N + 8 * N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (2 * M * N + N * N + N);
  }
};
template <>
struct operation<op::pinv> : rules<op::transpose> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 2, N, M, N * M);
    v(kind::scalar, r.bytes);
    v(kind::scratch, r.bytes, 1, M * N + (M < N ? M : N) * ((M < N ? M : N) + 1), 1, M * N + (M < N ? M : N) * ((M < N ? M : N) + 1));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return 16 * M * N * (M < N ? M : N) + 8 * (M < N ? M : N) * (M < N ? M : N) * (M < N ? M : N);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * 2 * M * N;
  }
};
template <>
struct operation<op::geqrf> : rules<op::transpose> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::inout, r.bytes, 2, M, N, M * N);
    v(kind::out, r.bytes, 1, M < N ? M : N, 1, M < N ? M : N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return M < N ? 2 * N * M * M - 2 * M * M * M / 3 : 2 * M * N * N - 2 * N * N * N / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (2 * M * N + (M < N ? M : N));
  }
};
template <>
struct operation<op::geqp3> : rules<op::transpose> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::inout, r.bytes, 2, M, N, M * N);
    v(kind::out, 4, 1, N, 1, N);
    v(kind::out, r.bytes, 1, M < N ? M : N, 1, M < N ? M : N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return M < N ? 3 * N * M * M - M * M * M : 3 * M * N * N - N * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (2 * M * N + (M < N ? M : N)) + 4 * N;
  }
};
template <>
struct rules<op::orgqr> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], run_time_sizes = 0;
    const word scope = c.scope, backend = word::cuda;
    if ((run_time_sizes == 0) && !(K <= N && N <= M)) return 1;
    if ((scope == word::thread && backend == word::cuda) && !(M * N <= 1024)) return 2;
    return 0;
  }
};
template <>
struct operation<op::orgqr> : rules<op::orgqr> {
  enum : int { sizes = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    v(kind::inout, r.bytes, 2, M, N, M * N);
    v(kind::in, r.bytes, 1, K, 1, K);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    return 4 * M * N * K - 2 * (M + N) * K * K + 4 * K * K * K / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes;
    return bytes * (2 * M * N + K);
  }
};
template <>
struct rules<op::ormqr> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], run_time_sizes = 0;
    const word SIDE = r.option[0], scope = c.scope, backend = word::cuda;
    if ((run_time_sizes == 0) && !(SIDE == word::left ? K <= M : K <= N)) return 1;
    if ((scope == word::thread && backend == word::cuda) && !(M * N * K <= 4096)) return 2;
    return 0;
  }
};
template <>
struct operation<op::ormqr> : rules<op::ormqr> {
  enum : int { sizes = 3, options = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Side::left, 0, O...>() == Side::right ? word::right : word::left;
    r.option[1] = chosen<Trans::no, 0, O...>() == Trans::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    const word SIDE = r.option[0];
    v(kind::in, r.bytes, 2, SIDE == word::left ? M : N, K, (SIDE == word::left ? M : N) * K);
    v(kind::in, r.bytes, 1, K, 1, K);
    v(kind::inout, r.bytes, 2, M, N, M * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2];
    const word SIDE = r.option[0];
    return 4 * M * N * K - (SIDE == word::left ? 2 * N * K * K : 2 * M * K * K);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], K = r.size[2], bytes = r.bytes;
    const word SIDE = r.option[0];
    return bytes * ((SIDE == word::left ? M : N) * K + K + 2 * M * N);
  }
};
template <>
struct operation<op::gels> : rules<op::transpose> {
  enum : int { sizes = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N, size::NRHS};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
    if (r.size[2] < 0) r.size[2] = 1;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1], NRHS = r.size[2];
    v(kind::inout, r.bytes, 2, M, N, M * N);
    v(kind::inout, r.bytes, 2, M < N ? N : M, NRHS, (M < N ? N : M) * NRHS);
    v(kind::scratch, r.bytes, 1, M < N ? M : N, 1, M < N ? M : N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1], NRHS = r.size[2];
    return (M < N ? 2 * N * M * M : 2 * M * N * N) + 4 * M * N * NRHS;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], NRHS = r.size[2], bytes = r.bytes;
    return bytes * (2 * M * N + 2 * (M < N ? N : M) * NRHS);
  }
};
template <>
struct rules<op::congruence_sym> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(N * N * K + N * K * K <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n16)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && K * N > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((MMA == word::tf32x3) && !(bytes == 4 && N >= 16)) return 7;
    if ((TILE == word::m32n32) && !(K > 16)) return 8;
    if ((body == word::direct) && !(width / 32 <= (((K + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((K + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) && (((K + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((K + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) <= 3 * (width / 32))) return 9;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((bytes == 4 && N >= 16 && arch >= 80 && K > 8 && K <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((K > 8 && K <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && K > 16 && K <= 32 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && K > 16 && K <= 32 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && K > 32 && K <= 48 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && K > 32 && K <= 48 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && K > 48 && K <= 64 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && K > 48 && K <= 64 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && K > 16 && K <= 32 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((K > 16 && K <= 32 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && K > 32 && K <= 64 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((K > 32 && K <= 64 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && K > 64 && K <= 96 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((K > 64 && K <= 96 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && K > 96 && K <= 128 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((K > 96 && K <= 128 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    return false;
  }
};
template <>
struct operation<op::congruence_sym> : rules<op::congruence_sym> {
  enum : int { sizes = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::K};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n16};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], K = r.size[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, N, K, N * K);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, K, K, K * K);
    v(kind::scratch, r.bytes, 1, N * K, 1, N * K);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], K = r.size[1];
    return 2 * N * N * K + N * K * K;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], K = r.size[1], bytes = r.bytes;
    return bytes * (N * N + N * K + 2 * K * K);
  }
};
template <>
struct rules<op::congruence_accum> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long P = r.size[0], N = r.size[1], bytes = r.bytes, run_time_sizes = 0, width = c.width;
    const word scope = c.scope, body = c.body, backend = word::cuda, MMA = c.tunable[0], TILE = c.tunable[1];
    if ((scope == word::thread && backend == word::cuda) && !(N * N * P + N * P * P <= 4096)) return 1;
    if ((body == word::loop) && !(MMA == word::f64 && TILE == word::m16n16)) return 2;
    if ((body != word::loop && backend == word::cuda) && !(arch >= 80)) return 3;
    if ((body != word::loop && backend == word::cuda && MMA == word::f64) && !(arch == 80 || arch == 90 || arch == 100 || (bytes == 8 && arch <= 100))) return 4;
    if ((body != word::loop) && !(run_time_sizes == 0 && P * N > 0)) return 5;
    if ((body != word::loop) && !(scope == word::warp || (scope == word::block && width / 32 * 32 == width))) return 6;
    if ((MMA == word::tf32x3) && !(bytes == 4 && N >= 16)) return 7;
    if ((TILE == word::m32n32) && !(P > 16)) return 8;
    if ((body == word::direct) && !(width / 32 <= (((P + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((P + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) && (((P + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) * (((P + (TILE == word::m32n32 ? 31 : 15)) / (TILE == word::m32n32 ? 32 : 16)) + 1) / 2) <= 3 * (width / 32))) return 9;
    return 0;
  }
  template <class F>
  GLASS_CONSTANT static constexpr bool listed(const request& r, [[maybe_unused]] int arch, F& f) {
    const long long P = r.size[0], N = r.size[1], bytes = r.bytes, batch = r.batch;
    if ((bytes == 4 && N >= 16 && arch >= 80 && P > 8 && P <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((P > 8 && P <= 16 && N > 8) && f(placement{word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && P > 16 && P <= 32 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && P > 16 && P <= 32 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && P > 32 && P <= 48 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && P > 32 && P <= 48 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && batch <= 64 && P > 48 && P <= 64 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m16n16}})) return true;
    if ((batch <= 64 && P > 48 && P <= 64 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m16n16}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && P > 16 && P <= 32 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((P > 16 && P <= 32 && N > 8) && f(placement{word::warp, 32, 2, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && P > 32 && P <= 64 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((P > 32 && P <= 64 && N > 8) && f(placement{word::block, 96, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && P > 64 && P <= 96 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((P > 64 && P <= 96 && N > 8) && f(placement{word::block, 192, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    if ((bytes == 4 && N >= 16 && arch >= 80 && P > 96 && P <= 128 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::tf32x3, word::m32n32}})) return true;
    if ((P > 96 && P <= 128 && N > 8) && f(placement{word::block, 320, 1, word::global, word::direct, {word::f64, word::m32n32}})) return true;
    return false;
  }
};
template <>
struct operation<op::congruence_accum> : rules<op::congruence_accum> {
  enum : int { sizes = 2, tunables = 2, bodies = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::P, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word body_at(int i) {
    constexpr word all[] = {word::loop, word::direct};
    return all[i];
  }
  GLASS_CONSTANT static constexpr word tunable_at(int i) {
    constexpr word all[] = {word::f64, word::m16n16};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long P = r.size[0], N = r.size[1];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, P, N, P * N);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, P, P, P * P);
    v(kind::scratch, r.bytes, 1, N * P, 1, N * P);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long P = r.size[0], N = r.size[1];
    return 2 * N * N * P + N * P * P;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long P = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (N * N + N * P + 2 * P * P);
  }
};
template <>
struct rules<op::bilinear> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], P = r.size[1], Q = r.size[2];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * Q + N * P * Q <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::bilinear> : rules<op::bilinear> {
  enum : int { sizes = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::P, size::Q};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
    if (r.size[2] < 0) r.size[2] = r.size[0];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], P = r.size[1], Q = r.size[2];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, N, P, N * P);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, N, Q, N * Q);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, P, Q, P * Q);
    v(kind::scratch, r.bytes, 1, N * Q, 1, N * Q);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], P = r.size[1], Q = r.size[2];
    return 2 * N * N * Q + 2 * N * P * Q;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], P = r.size[1], Q = r.size[2], bytes = r.bytes;
    return bytes * (N * N + N * P + N * Q + 2 * P * Q);
  }
};
template <>
struct rules<op::tensor_vec_contract> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * A * B <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::tensor_vec_contract> : rules<op::tensor_vec_contract> {
  enum : int { sizes = 3, options = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::A, size::B};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
    if (r.size[2] < 0) r.size[2] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<TensorAxis::K, 0, O...>() == TensorAxis::A ? word::A : chosen<TensorAxis::K, 0, O...>() == TensorAxis::B ? word::B : word::K;
    r.option[1] = chosen<Order::col, 0, O...>() == Order::row ? word::row : word::col;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2];
    const word AXIS = r.option[0];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, A * B, N, (A * B) * N);
    v(kind::in, r.bytes, 1, AXIS == word::K ? N : (AXIS == word::A ? A : B), 1, AXIS == word::K ? N : (AXIS == word::A ? A : B));
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 2, AXIS == word::K ? A : N, AXIS == word::B ? A : B, (AXIS == word::K ? A : N) * (AXIS == word::B ? A : B));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2];
    return 2 * N * A * B;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2], bytes = r.bytes;
    const word AXIS = r.option[0];
    return bytes * (N * A * B + (AXIS == word::K ? 2 * A * B + N : (AXIS == word::A ? 2 * N * B + A : 2 * N * A + B)));
  }
};
template <>
struct operation<op::vec_tensor_vec> : rules<op::tensor_vec_contract> {
  enum : int { sizes = 3, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::A, size::B};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
    if (r.size[2] < 0) r.size[2] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Order::col, 0, O...>() == Order::row ? word::row : word::col;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2];
    v(kind::scalar, r.bytes);
    v(kind::in, r.bytes, 2, A * B, N, (A * B) * N);
    v(kind::in, r.bytes, 1, A, 1, A);
    v(kind::in, r.bytes, 1, B, 1, B);
    v(kind::scalar, r.bytes);
    v(kind::inout, r.bytes, 1, N, 1, N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2];
    return 3 * N * A * B;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], A = r.size[1], B = r.size[2], bytes = r.bytes;
    return bytes * (N * A * B + A + B + 2 * N);
  }
};
template <>
struct rules<op::gn_step> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[1];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N <= 16)) return 1;
    return 0;
  }
};
template <>
struct operation<op::gn_step> : rules<op::gn_step> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Shift::diagonal, 0, O...>() == Shift::identity ? word::identity : word::diagonal;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::in, r.bytes, 1, M, 1, M);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::scratch, r.bytes, 1, N * N, 1, N * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return M * N * N + 2 * M * N + N * N * N / 3 + 2 * N * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (M * N + M + N);
  }
};
template <>
struct operation<op::lm_step> : rules<op::gn_step> {
  enum : int { sizes = 2 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::M, size::N};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[0] < 0) r.size[0] = r.size[1];
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long M = r.size[0], N = r.size[1];
    v(kind::in, r.bytes, 2, M, N, M * N);
    v(kind::in, r.bytes, 1, M, 1, M);
    v(kind::scalar, r.bytes);
    v(kind::out, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 1, 1, 1, 1);
    v(kind::scratch, r.bytes, 1, N * N + 2 * N, 1, N * N + 2 * N);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long M = r.size[0], N = r.size[1];
    return M * N * N + 2 * M * N + N * N * N / 3 + 2 * N * N + 4 * N;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long M = r.size[0], N = r.size[1], bytes = r.bytes;
    return bytes * (M * N + M + N + 1);
  }
};
template <>
struct rules<op::riccati_gain> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NU = r.size[1];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * NU + N * NU * NU <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::riccati_gain> : rules<op::riccati_gain> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NU};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Shift::none, 0, O...>() == Shift::identity ? word::identity : chosen<Shift::none, 0, O...>() == Shift::diagonal ? word::diagonal : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NU = r.size[1];
    const word SHIFT = r.option[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, N, NU, N * NU);
    v(kind::in, r.bytes, 2, NU, NU, NU * NU);
    v(kind::out, r.bytes, 2, NU, N, NU * N);
    v(kind::scratch, r.bytes, 1, NU * NU + N * NU, 1, NU * NU + N * NU);
    if (SHIFT != word::none) v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NU = r.size[1];
    return 4 * N * N * NU + 3 * N * NU * NU + NU * NU * NU / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NU = r.size[1], bytes = r.bytes;
    return bytes * (2 * N * N + 2 * N * NU + NU * NU);
  }
};
template <>
struct rules<op::riccati_step> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NU = r.size[1];
    const word scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * N + N * N * NU + N * NU * NU <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::riccati_step> : rules<op::riccati_step> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NU};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Shift::none, 0, O...>() == Shift::identity ? word::identity : chosen<Shift::none, 0, O...>() == Shift::diagonal ? word::diagonal : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NU = r.size[1];
    const word SHIFT = r.option[0];
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, N, NU, N * NU);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, NU, NU, NU * NU);
    v(kind::out, r.bytes, 2, NU, N, NU * N);
    v(kind::out, r.bytes, 2, N, N, N * N);
    v(kind::scratch, r.bytes, 1, NU * NU + N * NU + N * N, 1, NU * NU + N * NU + N * N);
    if (SHIFT != word::none) v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NU = r.size[1];
    return 2 * N * N * N + 6 * N * N * NU + 3 * N * NU * NU + NU * NU * NU / 3;
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NU = r.size[1], bytes = r.bytes;
    return bytes * (4 * N * N + 2 * N * NU + NU * NU);
  }
};
template <>
struct rules<op::lqr_backward> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NU = r.size[1];
    const word home = c.home, scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * N + N * N * NU + N * NU * NU <= 4096)) return 1;
    if (!(home == word::global)) return 2;
    return 0;
  }
};
template <>
struct operation<op::lqr_backward> : rules<op::lqr_backward> {
  enum : int { sizes = 3, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NU, size::STAGES};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
    if (r.size[2] < 0) r.size[2] = 4;
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Shift::none, 0, O...>() == Shift::identity ? word::identity : chosen<Shift::none, 0, O...>() == Shift::diagonal ? word::diagonal : word::none;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2];
    const word SHIFT = r.option[0];
    v(kind::in, r.bytes, 2, N, N * STAGES, N * (N * STAGES));
    v(kind::in, r.bytes, 2, N, NU * STAGES, N * (NU * STAGES));
    v(kind::in, r.bytes, 2, N, STAGES, N * STAGES);
    v(kind::in, r.bytes, 2, N, N * STAGES, N * (N * STAGES));
    v(kind::in, r.bytes, 2, NU, N * STAGES, NU * (N * STAGES));
    v(kind::in, r.bytes, 2, NU, NU * STAGES, NU * (NU * STAGES));
    v(kind::in, r.bytes, 2, N, STAGES, N * STAGES);
    v(kind::in, r.bytes, 2, NU, STAGES, NU * STAGES);
    v(kind::in, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 2, NU, N * STAGES, NU * (N * STAGES));
    v(kind::out, r.bytes, 2, NU, STAGES, NU * STAGES);
    v(kind::out, r.bytes, 2, N, N * (STAGES + 1), N * (N * (STAGES + 1)));
    v(kind::out, r.bytes, 2, N, STAGES + 1, N * (STAGES + 1));
    v(kind::scratch, r.bytes, 1, NU * NU + N * NU + (N + NU) * (N + 1), 1, NU * NU + N * NU + (N + NU) * (N + 1));
    if (SHIFT != word::none) v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2];
    return STAGES * (2 * N * N * N + 6 * N * N * NU + 3 * N * NU * NU + NU * NU * NU / 3);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2], bytes = r.bytes;
    return bytes * (STAGES * (3 * N * N + 3 * N * NU + NU * NU + 3 * N + 2 * NU) + 2 * N * N + 2 * N);
  }
};
template <>
struct rules<op::lqr_forward> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NU = r.size[1];
    const word home = c.home, scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N + N * NU <= 4096)) return 1;
    if (!(home == word::global)) return 2;
    return 0;
  }
};
template <>
struct operation<op::lqr_forward> : rules<op::lqr_forward> {
  enum : int { sizes = 3 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NU, size::STAGES};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
    if (r.size[2] < 0) r.size[2] = 4;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2];
    v(kind::in, r.bytes, 2, N, N * STAGES, N * (N * STAGES));
    v(kind::in, r.bytes, 2, N, NU * STAGES, N * (NU * STAGES));
    v(kind::in, r.bytes, 2, N, STAGES, N * STAGES);
    v(kind::in, r.bytes, 2, NU, N * STAGES, NU * (N * STAGES));
    v(kind::in, r.bytes, 2, NU, STAGES, NU * STAGES);
    v(kind::in, r.bytes, 1, N, 1, N);
    v(kind::out, r.bytes, 2, N, STAGES + 1, N * (STAGES + 1));
    v(kind::out, r.bytes, 2, NU, STAGES, NU * STAGES);
    v(kind::scalar, r.bytes);
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2];
    return STAGES * (2 * N * N + 4 * N * NU);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NU = r.size[1], STAGES = r.size[2], bytes = r.bytes;
    return bytes * (STAGES * (N * N + 2 * N * NU + 2 * N + 2 * NU) + 2 * N);
  }
};
template <>
struct rules<op::kalman_update> : no_rules {
  GLASS_CONSTANT static constexpr int broken(const request& r, const placement& c, [[maybe_unused]] int arch) {
    const long long N = r.size[0], NY = r.size[1];
    const word JOSEPH = r.option[0], scope = c.scope, backend = word::cuda;
    if ((scope == word::thread && backend == word::cuda) && !(N * N * NY + N * NY * NY + (JOSEPH == word::yes ? 2 * N * N * N : 0) <= 4096)) return 1;
    return 0;
  }
};
template <>
struct operation<op::kalman_update> : rules<op::kalman_update> {
  enum : int { sizes = 2, options = 1 };
  GLASS_CONSTANT static constexpr size size_at(int i) {
    constexpr size all[] = {size::N, size::NY};
    return all[i];
  }
  GLASS_CONSTANT static constexpr void complete(request& r) {
    if (r.size[1] < 0) r.size[1] = r.size[0];
  }
  template <auto... O>
  GLASS_CONSTANT static constexpr void take(request& r) {
    r.option[0] = chosen<Joseph::no, 0, O...>() == Joseph::yes ? word::yes : word::no;
  }
  template <class V>
  GLASS_CONSTANT static constexpr void operands([[maybe_unused]] const request& r, V& v) {
    const long long N = r.size[0], NY = r.size[1];
    const word JOSEPH = r.option[0];
    v(kind::inout, r.bytes, 1, N, 1, N);
    v(kind::inout, r.bytes, 2, N, N, N * N);
    v(kind::in, r.bytes, 2, NY, N, NY * N);
    v(kind::in, r.bytes, 2, NY, NY, NY * NY);
    v(kind::in, r.bytes, 1, NY, 1, NY);
    v(kind::scratch, r.bytes, 1, NY * NY + NY * N + NY + (JOSEPH == word::yes ? NY * N + 2 * N * N : 0), 1, NY * NY + NY * N + NY + (JOSEPH == word::yes ? NY * N + 2 * N * N : 0));
  }
  GLASS_CONSTANT static constexpr long long flops(const request& r) {
    const long long N = r.size[0], NY = r.size[1];
    const word JOSEPH = r.option[0];
    return 3 * N * N * NY + 2 * N * NY * NY + NY * NY * NY / 3 + (JOSEPH == word::yes ? 4 * N * N * N + N * N * NY : 0);
  }
  GLASS_CONSTANT static constexpr long long moved(const request& r) {
    const long long N = r.size[0], NY = r.size[1], bytes = r.bytes;
    return bytes * (2 * N * N + 2 * N + N * NY + NY * NY + NY);
  }
};
}  // namespace glass::dispatch
