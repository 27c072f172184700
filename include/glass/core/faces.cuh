// Pointer faces: glass::thread::OP, glass::warp::OP, glass::block::OP and the bare glass::OP (block contract), one line
// per form of an operation, written after its value face OP<options...>(scope, views...):
//   GLASS_FACES_2(gemv, M, N, (just<T> alpha, const just<T>* A, const just<T>* x, just<T>* y),
//                 (alpha, as_matrix(A, M, N), as_vector(x, either<chosen<Trans::no, 0, O...>() == Trans::yes>(M, N)),
//                 ...))
// gives, in each namespace,
//   OP<T, 6, 7, options...>(alpha, A, x, y)      sizes as constants
//   OP<T, options...>(6, 7, alpha, A, x, y)      sizes at run time
// The bare OP with constant sizes takes the body that was measured for one problem (dispatch/bare.cuh).
// Inside the line, T is the element type, O... the options, and M, N stand for the sizes in both cases. Arguments are
// written just<T>, so that T is named and never deduced.
#pragma once
#include <glass/core/scope.cuh>
#include <glass/core/view.cuh>
#if GLASS_DISPATCH
#include <glass/dispatch/bare.cuh>
#endif
namespace glass {
template <int N>
struct size_constant {};
struct size_now {
  int n;
};
template <class T, int M, int N>
GLASS_SCALAR constexpr matrix<T, M, N> as_matrix(T* p, size_constant<M>, size_constant<N>) {
  return matrix<T, M, N>(p);
}
template <class T>
GLASS_SCALAR constexpr matrix<T, dynamic, dynamic> as_matrix(T* p, size_now m, size_now n) {
  return {p, m.n, n.n};
}
// With a leading dimension.
template <class T, int M, int N, int Ld>
GLASS_SCALAR constexpr matrix<T, M, N, Ld> as_matrix(T* p, size_constant<M>, size_constant<N>, size_constant<Ld>) {
  return matrix<T, M, N, Ld>(p);
}
template <class T>
GLASS_SCALAR constexpr matrix<T, dynamic, dynamic> as_matrix(T* p, size_now m, size_now n, size_now ld) {
  return {p, m.n, n.n, ld.n};
}
template <class T, int M, int N>
GLASS_SCALAR constexpr auto as_matrix_by_rows(T* p, size_constant<M>, size_constant<N>) {
  return matrix<T, M, N, N, Order::row>(p);
}
template <class T>
GLASS_SCALAR constexpr matrix<T, dynamic, dynamic, dynamic, Order::row> as_matrix_by_rows(T* p, size_now m,
                                                                                          size_now n) {
  return {p, m.n, n.n};
}
// Either, as an option of the face says.
template <Order O, class T, class M, class N>
GLASS_SCALAR constexpr auto as_matrix_in(T* p, M m, N n) {
  if constexpr (O == Order::row)
    return as_matrix_by_rows(p, m, n);
  else
    return as_matrix(p, m, n);
}
template <class T, int N>
GLASS_SCALAR constexpr vector<T, N> as_vector(T* p, size_constant<N>) {
  return vector<T, N>(p);
}
template <class T>
GLASS_SCALAR constexpr vector<T, dynamic> as_vector(T* p, size_now n) {
  return {p, n.n};
}
// With an increment.
template <class T, int N, int Inc>
GLASS_SCALAR constexpr vector<T, N, Inc> as_vector(T* p, size_constant<N>, size_constant<Inc>) {
  return vector<T, N, Inc>(p);
}
template <class T>
GLASS_SCALAR constexpr vector<T, dynamic, dynamic> as_vector(T* p, size_now n, size_now inc) {
  return {p, n.n, inc.n};
}
// The number itself, where it is no extent.
template <int N>
GLASS_SCALAR constexpr int as_number(size_constant<N>) {
  return N;
}
GLASS_SCALAR constexpr int as_number(size_now n) { return n.n; }
// The first of two sizes if Condition, else the second.
template <bool Condition, class A, class B>
GLASS_SCALAR constexpr auto either(A a, B b) {
  if constexpr (Condition)
    return a;
  else
    return b;
}
namespace detail {
// The sizes n m and n + 1.
template <int N, int M>
GLASS_SCALAR constexpr size_constant<N * M> both(size_constant<N>, size_constant<M>) {
  return {};
}
GLASS_SCALAR constexpr size_now both(size_now n, size_now m) { return {n.n * m.n}; }
template <int N>
GLASS_SCALAR constexpr size_constant<N + 1> one_more(size_constant<N>) {
  return {};
}
GLASS_SCALAR constexpr size_now one_more(size_now n) { return {n.n + 1}; }
template <auto... O>
inline constexpr bool only_options = (true && ... && is_option<decltype(O)>);
}  // namespace detail
}  // namespace glass

#define GLASS_UNWRAP(...) __VA_ARGS__
// The call of a form with constant sizes: in the scope of its namespace, or as it was measured (the bare name; what it
// does in the block is in dispatch/bare.cuh). Sizes go by their names.
#define GLASS_IN_SCOPE(OP, SIZES, VIEWS, SCOPE) return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);
#if GLASS_DISPATCH
#define GLASS_SIZED(N_) ::glass::dispatch::sized<::glass::dispatch::size_named(#N_), N_##_>
#define GLASS_AS_MEASURED(OP, SIZES, VIEWS, SCOPE)                                                                    \
  using glass_alone = ::glass::dispatch::alone<::glass::dispatch::op_named(#OP), T, types<GLASS_UNWRAP SIZES>, O...>; \
  if constexpr (glass_alone::options == 0) {                                                                          \
    GLASS_ALONE((::glass::OP<O...>(typename glass_alone::scope{}, GLASS_UNWRAP VIEWS)))                               \
  } else if constexpr (glass_alone::options == 1) {                                                                   \
    GLASS_ALONE((::glass::OP<glass_alone::body, O...>(typename glass_alone::scope{}, GLASS_UNWRAP VIEWS)))            \
  } else if constexpr (glass_alone::options == 3) {                                                                   \
    GLASS_ALONE((::glass::OP<glass_alone::body, glass_alone::mma, glass_alone::tile, O...>(                           \
        typename glass_alone::scope{}, GLASS_UNWRAP VIEWS)))                                                          \
  }                                                                                                                   \
  return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);
#define GLASS_ALONE(CALL)                                           \
  if (glass_alone::fits_here()) {                                   \
    using glass_result = decltype CALL;                             \
    if constexpr (::glass::detail::same<glass_result, void>) {      \
      if (glass_alone::takes_part()) GLASS_UNWRAP CALL;             \
      return glass_alone::end();                                    \
    } else {                                                        \
      glass_result glass_got{};                                     \
      if (glass_alone::takes_part()) glass_got = GLASS_UNWRAP CALL; \
      return glass_alone::end(glass_got);                           \
    }                                                               \
  }
#else
#define GLASS_AS_MEASURED GLASS_IN_SCOPE
#endif
#define GLASS_FACE_0(OP, ARGUMENTS, VIEWS, SCOPE)                             \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0> \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                              \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                    \
  }
#define GLASS_FACE_1(OP, N_, ARGUMENTS, VIEWS, SCOPE, HOW)                               \
  template <class T, int N_##_, auto... O, detail::when<detail::only_options<O...>> = 0> \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                                         \
    [[maybe_unused]] constexpr size_constant<N_##_> N_{};                                \
    HOW(OP, (GLASS_SIZED(N_)), VIEWS, SCOPE)                                             \
  }                                                                                      \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0>            \
  GLASS_DEVICE auto OP(int N_##_, GLASS_UNWRAP ARGUMENTS) {                              \
    [[maybe_unused]] const size_now N_{N_##_};                                           \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                               \
  }
#define GLASS_FACE_2(OP, M_, N_, ARGUMENTS, VIEWS, SCOPE, HOW)                                      \
  template <class T, int M_##_, int N_##_, auto... O, detail::when<detail::only_options<O...>> = 0> \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                                                    \
    [[maybe_unused]] constexpr size_constant<M_##_> M_{};                                           \
    [[maybe_unused]] constexpr size_constant<N_##_> N_{};                                           \
    HOW(OP, (GLASS_SIZED(M_), GLASS_SIZED(N_)), VIEWS, SCOPE)                                       \
  }                                                                                                 \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0>                       \
  GLASS_DEVICE auto OP(int M_##_, int N_##_, GLASS_UNWRAP ARGUMENTS) {                              \
    [[maybe_unused]] const size_now M_{M_##_}, N_{N_##_};                                           \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                                          \
  }
#define GLASS_FACE_3(OP, M_, N_, K_, ARGUMENTS, VIEWS, SCOPE, HOW)                                             \
  template <class T, int M_##_, int N_##_, int K_##_, auto... O, detail::when<detail::only_options<O...>> = 0> \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                                                               \
    [[maybe_unused]] constexpr size_constant<M_##_> M_{};                                                      \
    [[maybe_unused]] constexpr size_constant<N_##_> N_{};                                                      \
    [[maybe_unused]] constexpr size_constant<K_##_> K_{};                                                      \
    HOW(OP, (GLASS_SIZED(M_), GLASS_SIZED(N_), GLASS_SIZED(K_)), VIEWS, SCOPE)                                 \
  }                                                                                                            \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0>                                  \
  GLASS_DEVICE auto OP(int M_##_, int N_##_, int K_##_, GLASS_UNWRAP ARGUMENTS) {                              \
    [[maybe_unused]] const size_now M_{M_##_}, N_{N_##_}, K_{K_##_};                                           \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                                                     \
  }
#define GLASS_FACE_4(OP, M_, N_, K_, L_, ARGUMENTS, VIEWS, SCOPE, HOW)                          \
  template <class T, int M_##_, int N_##_, int K_##_, int L_##_, auto... O,                     \
            detail::when<detail::only_options<O...>> = 0>                                       \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                                                \
    [[maybe_unused]] constexpr size_constant<M_##_> M_{};                                       \
    [[maybe_unused]] constexpr size_constant<N_##_> N_{};                                       \
    [[maybe_unused]] constexpr size_constant<K_##_> K_{};                                       \
    [[maybe_unused]] constexpr size_constant<L_##_> L_{};                                       \
    HOW(OP, (GLASS_SIZED(M_), GLASS_SIZED(N_), GLASS_SIZED(K_), GLASS_SIZED(L_)), VIEWS, SCOPE) \
  }                                                                                             \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0>                   \
  GLASS_DEVICE auto OP(int M_##_, int N_##_, int K_##_, int L_##_, GLASS_UNWRAP ARGUMENTS) {    \
    [[maybe_unused]] const size_now M_{M_##_}, N_{N_##_}, K_{K_##_}, L_{L_##_};                 \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                                      \
  }
#define GLASS_FACE_5(OP, M_, N_, K_, A_, B_, ARGUMENTS, VIEWS, SCOPE, HOW)                                       \
  template <class T, int M_##_, int N_##_, int K_##_, int A_##_, int B_##_, auto... O,                           \
            detail::when<detail::only_options<O...>> = 0>                                                        \
  GLASS_DEVICE auto OP(GLASS_UNWRAP ARGUMENTS) {                                                                 \
    [[maybe_unused]] constexpr size_constant<M_##_> M_{};                                                        \
    [[maybe_unused]] constexpr size_constant<N_##_> N_{};                                                        \
    [[maybe_unused]] constexpr size_constant<K_##_> K_{};                                                        \
    [[maybe_unused]] constexpr size_constant<A_##_> A_{};                                                        \
    [[maybe_unused]] constexpr size_constant<B_##_> B_{};                                                        \
    HOW(OP, (GLASS_SIZED(M_), GLASS_SIZED(N_), GLASS_SIZED(K_), GLASS_SIZED(A_), GLASS_SIZED(B_)), VIEWS, SCOPE) \
  }                                                                                                              \
  template <class T, auto... O, detail::when<detail::only_options<O...>> = 0>                                    \
  GLASS_DEVICE auto OP(int M_##_, int N_##_, int K_##_, int A_##_, int B_##_, GLASS_UNWRAP ARGUMENTS) {          \
    [[maybe_unused]] const size_now M_{M_##_}, N_{N_##_}, K_{K_##_}, A_{A_##_}, B_{B_##_};                       \
    return ::glass::OP<O...>(SCOPE{}, GLASS_UNWRAP VIEWS);                                                       \
  }
// All four places of one form with 0 to 5 sizes.
#define GLASS_EVERYWHERE(FACE, ...)          \
  namespace thread {                         \
  FACE(__VA_ARGS__, ::glass::scope::thread)  \
  }                                          \
  namespace warp {                           \
  FACE(__VA_ARGS__, ::glass::scope::warp)    \
  }                                          \
  namespace block {                          \
  FACE(__VA_ARGS__, ::glass::scope::block<>) \
  }                                          \
  FACE(__VA_ARGS__, ::glass::scope::block<>)
#define GLASS_EVERYWHERE_SIZED(FACE, ...)                    \
  namespace thread {                                         \
  FACE(__VA_ARGS__, ::glass::scope::thread, GLASS_IN_SCOPE)  \
  }                                                          \
  namespace warp {                                           \
  FACE(__VA_ARGS__, ::glass::scope::warp, GLASS_IN_SCOPE)    \
  }                                                          \
  namespace block {                                          \
  FACE(__VA_ARGS__, ::glass::scope::block<>, GLASS_IN_SCOPE) \
  }                                                          \
  FACE(__VA_ARGS__, ::glass::scope::block<>, GLASS_AS_MEASURED)
#define GLASS_FACES_0(OP, ARGUMENTS, VIEWS) GLASS_EVERYWHERE(GLASS_FACE_0, OP, ARGUMENTS, VIEWS)
#define GLASS_FACES_1(OP, N, ARGUMENTS, VIEWS) GLASS_EVERYWHERE_SIZED(GLASS_FACE_1, OP, N, ARGUMENTS, VIEWS)
#define GLASS_FACES_2(OP, M, N, ARGUMENTS, VIEWS) GLASS_EVERYWHERE_SIZED(GLASS_FACE_2, OP, M, N, ARGUMENTS, VIEWS)
#define GLASS_FACES_3(OP, M, N, K, ARGUMENTS, VIEWS) GLASS_EVERYWHERE_SIZED(GLASS_FACE_3, OP, M, N, K, ARGUMENTS, VIEWS)
#define GLASS_FACES_4(OP, M, N, K, L, ARGUMENTS, VIEWS) \
  GLASS_EVERYWHERE_SIZED(GLASS_FACE_4, OP, M, N, K, L, ARGUMENTS, VIEWS)
#define GLASS_FACES_5(OP, M, N, K, A, B, ARGUMENTS, VIEWS) \
  GLASS_EVERYWHERE_SIZED(GLASS_FACE_5, OP, M, N, K, A, B, ARGUMENTS, VIEWS)
