// The faces of one small operation, made by one line per form.
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>

#include <gtest/gtest.h>

namespace glass {
// y <- alpha op(A) 1: row or column sums.
template <auto... Options, class S, class A, class Y>
GLASS_DEVICE int sums(S scope, value_of<Y> alpha, A a, Y y) {
  static_assert(takes<types<Trans, Sync>, Options...>);
  constexpr bool t = chosen<Trans::no, 0, Options...>() == Trans::yes;
  each(scope, t ? a.cols() : a.rows(), [&](int i) {
    y(i) = 0;
    for (int k = 0; k < (t ? a.rows() : a.cols()); ++k) y(i) += alpha * (t ? a(k, i) : a(i, k));
  });
  if constexpr (chosen<Sync::yes, 0, Options...>() == Sync::yes) scope.sync();
  return A::is_static;
}
GLASS_FACES_2(sums, M, N, (just<T> alpha, const just<T>* a, just<T>* y),
              (alpha, as_matrix(a, M, N), as_vector(y, either<chosen<Trans::no, 0, O...>() == Trans::yes>(N, M))))
GLASS_FACES_1(sums, N, (const just<T>* a, just<T>* y), (1, as_matrix(a, N, N), as_vector(y, N)))
GLASS_FACES_3(sums, M, N, K, (const just<T>* a, just<T>* y, int),
              (1, as_matrix_by_rows(a, M, N), as_vector(y, either<false>(K, M))))
}  // namespace glass

namespace {
const float a[4] = {1, 2, 3, 4};
float y[2];

TEST(faces, take_sizes_as_constants) {
  EXPECT_EQ((glass::thread::sums<float, 2, 2>(2, a, y)), 1);
  EXPECT_EQ(y[0], 8);
  EXPECT_EQ(y[1], 12);
}
TEST(faces, take_sizes_at_run_time_as_first_arguments) {
  EXPECT_EQ(glass::thread::sums<float>(2, 2, 1.0, a, y), 0);
  EXPECT_EQ(y[0], 4);
  EXPECT_EQ(y[1], 6);
}
TEST(faces, take_options_after_the_sizes_in_any_order) {
  glass::thread::sums<float, 2, 2, glass::Sync::no, glass::Trans::yes>(1, a, y);
  EXPECT_EQ(y[0], 3);
  glass::thread::sums<float, glass::Trans::yes, glass::Sync::no>(1, 2, 10, a, y);  // 1 x 2
  EXPECT_EQ(y[0], 10);
  EXPECT_EQ(y[1], 20);
}
TEST(faces, differ_in_the_number_of_sizes) {
  glass::thread::sums<float, 2>(a, y);
  EXPECT_EQ(y[0], 4);
  glass::thread::sums<float, 2, 2, 2>(a, y, 0);  // stored by rows
  EXPECT_EQ(y[0], 3);
  glass::thread::sums<float>(2, 2, 2, a, y, 0);
  EXPECT_EQ(y[1], 7);
}
}  // namespace
