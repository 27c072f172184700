// Options: chosen by type whatever their order, by position among equal types, and refused when unknown or too many.
// What a wrong one looks like to a user is in tests/fail.
#include <glass/core/options.cuh>

#include <gtest/gtest.h>

namespace {
using namespace glass;

TEST(options, have_defaults) {
  static_assert(chosen<Trans::no, 0>() == Trans::no);
  static_assert(chosen<Sync::yes, 0, Trans::yes>() == Sync::yes);
}
TEST(options, come_in_any_order) {
  static_assert(chosen<Trans::no, 0, Sync::no, Trans::yes>() == Trans::yes);
  static_assert(chosen<Sync::yes, 0, Sync::no, Trans::yes>() == Sync::no);
}
TEST(options, of_equal_type_are_by_position) {
  static_assert(chosen<Trans::no, 0, Trans::yes, Sync::no, Trans::no>() == Trans::yes);
  static_assert(chosen<Trans::no, 1, Trans::no, Sync::no, Trans::yes>() == Trans::yes);
  static_assert(chosen<Trans::no, 1, Trans::yes>() == Trans::no);
}
TEST(options, are_refused_when_unknown_or_too_many) {
  using known = types<Trans, Trans, Sync>;
  static_assert(takes<known>);
  static_assert(takes<known, Trans::yes, Sync::no, Trans::no>);
  static_assert(!takes<known, Fill::lower>);
  static_assert(!takes<known, Trans::yes, Diag::unit>);
  static_assert(!takes<known, Sync::no, Sync::yes>);
  static_assert(!takes<known, Trans::no, Trans::no, Trans::no>);
}
}  // namespace
