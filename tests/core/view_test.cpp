// Views as plain C++: where an element lies for every order, leading dimension and increment, and the parts of a view.
// Constant and run-time sizes side by side.
#include <glass/core/view.cuh>

#include <gmock/gmock.h>

#include <numeric>
#include <type_traits>
#include <vector>

namespace {
using glass::dynamic, glass::matrix, glass::Order, glass::vector;
using testing::ElementsAre;

template <class View>
std::vector<int> elements(View a) {
  std::vector<int> all;
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < a.rows(); ++i) all.push_back(a(i, j));
  return all;
}

struct view : testing::Test {
  view() { std::iota(data, data + 64, 0); }
  int data[64];
};

TEST_F(view, is_column_major_with_the_rows_as_leading_dimension) {
  EXPECT_THAT(elements(matrix<int, 2, 3>(data)), ElementsAre(0, 1, 2, 3, 4, 5));
}
TEST_F(view, of_constant_sizes_is_one_pointer) {
  static_assert(sizeof(matrix<int, 2, 3>) == sizeof(int*) && sizeof(vector<int, 5>) == sizeof(int*));
  static_assert(matrix<int, 2, 3>::is_static && !matrix<int, dynamic, 3>::is_static);
  static_assert(matrix<int, 2, 3>::writable && !matrix<const int, 2, 3>::writable);
}
TEST_F(view, takes_a_leading_dimension) {
  EXPECT_THAT(elements(matrix<int, 2, 3, 4>(data)), ElementsAre(0, 1, 4, 5, 8, 9));
  EXPECT_THAT(elements(matrix<int, 2, 3, dynamic>(data, 2, 3, 5)), ElementsAre(0, 1, 5, 6, 10, 11));
}
TEST_F(view, stores_rows_one_after_the_other_when_row_major) {
  EXPECT_THAT(elements(matrix<int, 2, 3, 3, Order::row>(data)), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(elements(matrix<int, dynamic, dynamic, dynamic, Order::row>(data, 2, 3)), ElementsAre(0, 3, 1, 4, 2, 5));
}
TEST_F(view, steps_by_its_increment_when_interleaved) {
  EXPECT_THAT(elements(matrix<int, 2, 2, 2, Order::col, dynamic>(data + 1, 2, 2, 2, 10)), ElementsAre(1, 11, 21, 31));
  EXPECT_THAT(elements(vector<int, 3, dynamic>(data + 1, 3, 10)), ElementsAre(1, 11, 21));
}
TEST_F(view, reaches_beyond_two_to_the_31_elements) {
  const matrix<char, 100, 1, 100, Order::col, dynamic> a(nullptr, 100, 1, 100, 1ll << 30);
  EXPECT_EQ(a.offset(99, 0), 99ll << 30);
}
TEST_F(view, with_run_time_sizes_is_deduced_from_a_pointer_and_numbers) {
  const matrix a{data, 2, 3};
  const vector x{data, 4};
  static_assert(std::is_same_v<decltype(a), const matrix<int, dynamic, dynamic>>);
  EXPECT_THAT(elements(a), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(elements(x), ElementsAre(0, 1, 2, 3));
}
TEST_F(view, converts_to_read_only) {
  const matrix<const int, 2, 3> a = matrix<int, 2, 3>(data);
  const vector<const int, dynamic> x = vector<int, dynamic>(data, 3);
  EXPECT_THAT(elements(a), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(elements(x), ElementsAre(0, 1, 2));
  static_assert(!std::is_convertible_v<matrix<const int, 2, 3>, matrix<int, 2, 3>>);
}
TEST_F(view, has_columns_rows_blocks_and_a_transpose_in_place) {
  const matrix<int, 3, 4, 5> a(data);
  EXPECT_THAT(elements(a.column(2)), ElementsAre(10, 11, 12));
  EXPECT_THAT(elements(a.row(1)), ElementsAre(1, 6, 11, 16));
  EXPECT_THAT(elements(a.transposed()), ElementsAre(0, 5, 10, 15, 1, 6, 11, 16, 2, 7, 12, 17));
  EXPECT_THAT(elements(a.block<2, 2>(1, 2)), ElementsAre(11, 12, 16, 17));
  EXPECT_THAT(elements(a.block(1, 2, 2, 1)), ElementsAre(11, 12));
  EXPECT_THAT(elements(a.transposed().block(1, 0, 2, 2)), ElementsAre(5, 10, 6, 11));
  static_assert(std::is_same_v<decltype(a.transposed().transposed()), matrix<int, 3, 4, 5>>);
  static_assert(decltype(a.row(0))::static_inc == 5);
}
TEST_F(view, of_a_vector_has_segments) {
  EXPECT_THAT(elements(vector<int, 6>(data).segment<2>(3)), ElementsAre(3, 4));
  EXPECT_THAT(elements(vector<int, 6, 2>(data).segment(1, 2)), ElementsAre(2, 4));
}
TEST_F(view, sizes_agree_unless_both_are_constants_and_differ) {
  EXPECT_TRUE(glass::agree(3, 3) && glass::agree(-1, 3) && glass::agree(3, -1));
  EXPECT_FALSE(glass::agree(3, 4));
}
}  // namespace
