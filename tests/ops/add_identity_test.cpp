// add_identity: exactly alpha more on the diagonal, nothing else.
#include "glass/matrix/add_identity.cuh"

#include "support/solves.hpp"

namespace glass::test {
namespace {

template <class T>
struct problem {
  T alpha;
  dense<T> a0;
  operand<T> a;
  problem(T al, const dense<T>& A, layout how) : alpha(al), a0(A), a(A, how) {}
};
template <class T>
std::string judge(problem<T>& p) {
  if (!p.a.untouched([](int i, int j) { return i == j; })) return "memory outside the diagonal was written";
  for (int i = 0; i < std::min(p.a0.rows, p.a0.cols); ++i)
    if (!same_bits<T>(p.a.result()(i, i), p.a0(i, i) + p.alpha)) return "diagonal entry " + std::to_string(i);
  return "";
}
template <class S, layout L, int M, int N, class T>
void act(problem<T>& p) {
  const S scope;
  add_identity(scope, p.alpha, p.a.template matrix<L, M, N>());
  use_all(scope, p.a);
}
template <layout L, int M, int N, class T, class S>
void adds(const scope_case<S>& c, int m, int n) {
  const auto a = uniform<T>(m, n);
  in_every_order<problem<T>>(
      c.how, std::to_string(m) + " x " + std::to_string(n), [&] { return problem<T>(T(0.25), a, L); },
      act<S, L, M, N, T>, judge<T>);
}

template <class T>
struct AddIdentity : testing::Test {};
TYPED_TEST_SUITE(AddIdentity, scalars, scalar_names);

TYPED_TEST(AddIdentity, AnySizeAndLayout) {
  using T = TypeParam;
  for (const int n : any_size)
    every_scope<TypeParam>([&](auto c) {
      adds<layout::natural, -1, -1, T>(c, n, n);
      adds<layout::by_rows, -1, -1, T>(c, n, n / 2);
      adds<layout::padded, -1, -1, T>(c, n / 2, n);
    });
  every_scope<TypeParam>([&](auto c) {
    adds<layout::natural, 7, 7, T>(c, 7, 7);
    adds<layout::interleaved, 7, 7, T>(c, 7, 7);
  });
}
TYPED_TEST(AddIdentity, PointerFaces) {
  using T = TypeParam;
  T a[] = {1, 2, 3, 4};
  thread::add_identity<T, 2>(1, a);
  thread::add_identity<T>(2, 1, a);
  EXPECT_EQ(a[0], T(3));
  EXPECT_EQ(a[1], T(2));
  EXPECT_EQ(a[3], T(6));
}

}  // namespace
}  // namespace glass::test
