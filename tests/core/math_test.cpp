// The host's side of the scalar functions: accuracy, and what they do with NaN, Inf and signed zeros.
// The device's side is tested on a GPU.
#include <glass/core/math.cuh>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {
template <class T>
struct math : testing::Test {
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
};
using both = testing::Types<float, double>;
TYPED_TEST_SUITE(math, both);

TYPED_TEST(math, roots_are_within_an_ulp_or_two) {
  using T = TypeParam;
  for (T x : {T(1e-30), T(0.1), T(2), T(3), T(1e30)}) {
    EXPECT_EQ(glass::square_root(x), std::sqrt(x));
    EXPECT_NEAR(double(glass::reciprocal_square_root(x) * std::sqrt(x)), 1, 2 * std::numeric_limits<T>::epsilon());
  }
  EXPECT_EQ(glass::reciprocal_square_root(T(0)), this->inf);
  EXPECT_EQ(glass::reciprocal_square_root(this->inf), T(0));
}
TYPED_TEST(math, least_and_greatest_ignore_nan_on_either_side) {
  using T = TypeParam;
  EXPECT_EQ(glass::least(T(1), T(2)), T(1));
  EXPECT_EQ(glass::least(T(2), T(1)), T(1));
  EXPECT_EQ(glass::greatest(T(1), T(2)), T(2));
  for (auto f : {glass::least<T>, glass::greatest<T>}) {
    EXPECT_EQ(f(this->nan, T(3)), T(3));
    EXPECT_EQ(f(T(3), this->nan), T(3));
    EXPECT_TRUE(std::isnan(f(this->nan, this->nan)));
  }
}
TYPED_TEST(math, knows_finite_numbers) {
  using T = TypeParam;
  EXPECT_TRUE(glass::is_finite(T(0)) && glass::is_finite(std::numeric_limits<T>::max()));
  EXPECT_FALSE(glass::is_finite(this->nan) || glass::is_finite(this->inf) || glass::is_finite(-this->inf));
}
TYPED_TEST(math, a_power_of_two_brings_a_number_to_one_or_more_and_below_two) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  for (const T x :
       {T(1), T(-1.5), std::nextafter(T(2), T(1)), T(3), T(1e-30), T(1e30), limits::min(), limits::max() / 2}) {
    const T scale = glass::scale_to_two(x);
    EXPECT_GE(std::abs(x * scale), T(1)) << x;
    EXPECT_LT(std::abs(x * scale), T(2)) << x;
    int exponent;
    EXPECT_EQ(std::frexp(scale, &exponent), T(0.5)) << "a power of two for " << x;
  }
  EXPECT_GE(limits::denorm_min() * glass::scale_to_two(limits::denorm_min()),
            limits::epsilon() / 2);  // a normal number
  EXPECT_TRUE(std::isfinite(limits::max() * glass::scale_to_two(limits::max())));
  EXPECT_GT(glass::scale_to_two(this->inf), T(0));
}
TYPED_TEST(math, absolute_value_of_minus_zero_is_zero) {
  using T = TypeParam;
  EXPECT_EQ(glass::absolute(T(-2)), T(2));
  EXPECT_FALSE(std::signbit(glass::absolute(T(-0.0))));
  EXPECT_TRUE(std::isnan(glass::absolute(this->nan)));
}
TYPED_TEST(math, fused_multiplies_and_adds) {
  using T = TypeParam;
  EXPECT_EQ(glass::fused(T(2), T(3), T(4)), T(10));
  EXPECT_EQ(glass::reciprocal(T(4)), T(0.25));
}
}  // namespace
