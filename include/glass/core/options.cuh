// Options of operations: enums of different types, in any order after the sizes, the first value the default. No
// positional bools.
//   constexpr Trans trans = chosen<Trans::no, 0, Options...>();       // the first Trans given, else Trans::no
//   static_assert(takes<types<Trans, Sync>, Options...>, "glass: gemv takes the options Trans and Sync, in any order.");
#pragma once
#include <glass/core/config.cuh>
namespace glass {
enum class Trans { no, yes };
enum class Fill { lower, upper, full };
enum class Diag { nonunit, unit };
enum class Side { left, right };
enum class Atomic { no, yes };               // yes: added to what is there, so that several may add to one place
enum class Order { col, row, interleaved };  // interleaved: element e of problem p at e * count + p
enum class Shift { none, identity, diagonal };
enum class Direction { forward, backward };
enum class Factor { keep, discard };  // discard: the factor is not wanted, and what is left in its place unspecified
enum class Pivot { none, partial, bunch_kaufman };
enum class TensorAxis { K, A, B };
enum class Symmetric { no, yes };
enum class Sweeps : int { automatic };  // Sweeps{8}: eight sweeps of an iteration
enum class Joseph { no, yes };
enum class Sum { fast, fixed };  // fixed: the additions depend on the number of terms only, not on the lanes
enum class Sync { yes, no };     // no: drops the barrier at the end of an operation
// Which algorithm of an operation: automatic leaves it to the operation; fragment: registers dealt over the lanes;
// loop: strided loops over memory, every scope and size; direct: fragments of tensor cores, straight from memory; ring:
// those fed from shared memory that is filled ahead; rows: registers, and broadcasts through the scope's exchange
// memory; left, regs: tiles of 8 x 8 on tensor cores, left-looking from exchange memory, right-looking in registers;
// stream: ring with longer chunks, over problem after problem; whole: left with all tiles in exchange memory. Those two
// may need more of it than a kernel's own 48 KB: scope::block<N, Reserve>. rolled: fragment in loops that are not unrolled.
// ql: eigenvalues by tridiagonal form and QL.
enum class Body { automatic, fragment, loop, direct, ring, rows, left, regs, stream, whole, rolled, ql };
// How a fragment travels between memory and registers: direct: each lane its own elements; staged: the scope's problem
// as one run of memory, in pieces of 16 bytes through exchange memory; joined: the same for all scopes of a warp, whose
// problems lie back to back (core/staging.cuh).
enum class Path { direct, staged, joined };
// Arithmetic of a product on tensor cores. f64: exact products, f64 sums, rounded once. tf32x3 (float only): numbers as
// two parts of 11 bits, three products; errors within 10 eps of each term. A block with a number above 2^78, a sum above
// 2^56 or Inf, or with alpha beyond 2^-40 .. 2^40, is computed again in float.
enum class Mma { f64, tf32x3 };
// The block of C that one warp computes at a time on tensor cores: rows x columns.
enum class Tile {
  m16n8,
  m16n16,
  m16n32,
  m16n48,
  m32n24,
  m32n32,
  m32n48,
  m32n64,
  m48n24,
  m64n32,
  m64n64,
  m96n24,
  m96n48
};

template <class... T>
struct types {};

namespace detail {
template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;
template <bool>
struct enable {};
template <>
struct enable<true> {
  using type = int;
};
template <bool Condition>
using when =
    typename enable<Condition>::type;  // as the default of a template parameter: this overload only if Condition
template <class T>
struct identity {
  using type = T;
};
template <class T>
inline constexpr bool is_option = __is_enum(T);

// The `Left`-th value of Default's type among Given.
template <auto Default, int Left>
GLASS_SCALAR constexpr auto pick() {
  return Default;
}
template <auto Default, int Left, auto First, auto... Rest>
GLASS_SCALAR constexpr auto pick() {
  if constexpr (same<decltype(First), decltype(Default)>) {
    if constexpr (Left == 0)
      return First;
    else
      return pick<Default, Left - 1, Rest...>();
  } else {
    return pick<Default, Left, Rest...>();
  }
}
template <class T, class... Known>
GLASS_SCALAR constexpr int times() {
  return (0 + ... + int(same<T, Known>));
}
template <class Known, auto... Given>
struct taken;
template <class... Known, auto... Given>
struct taken<types<Known...>, Given...> {
  static constexpr bool value = (true && ... && (times<decltype(Given), Known...>() > 0)) &&
                                (true && ... && (times<Known, decltype(Given)...>() <= times<Known, Known...>()));
};
}  // namespace detail

// The value of the Which-th option of Default's type (0: the first), or Default.
template <auto Default, int Which, auto... Given>
GLASS_SCALAR constexpr auto chosen() {
  return detail::pick<Default, Which, Given...>();
}
// Every given option is of a known type, and none comes more often than its type is listed: types<Trans, Trans, Sync>
// for gemm.
template <class Known, auto... Given>
inline constexpr bool takes = detail::taken<Known, Given...>::value;
// A type that is named, never deduced: just<T> alpha takes 1, 1.0 and T(1).
template <class T>
using just = typename detail::identity<T>::type;
}  // namespace glass
