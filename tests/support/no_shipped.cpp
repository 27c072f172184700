// Tests know nothing but what they store themselves: the decisions that come with glass are off, unless a test asks for
// them or GLASS_SHIPPED is set.
#include <cstdlib>

namespace {
[[maybe_unused]] const int set = ::setenv("GLASS_SHIPPED", "off", 0);
}
