#include "store/tally.hpp"

#include "base/text.hpp"
#include "store/layer.hpp"

namespace glass::jit {

void tally::write(layer& to, double pause) {
  const double now = seconds_now();
  if (empty_ || (written_ > 0 && now - written_ < pause) || !to.writable()) return;
  written_ = now;
  try {
    to.add_counts(since_, utc_now().substr(0, 10));
    since_ = {}, empty_ = true;
  } catch (const database_error&) {  // busy, full or damaged: whoever needs it for more says so
  }
}

}  // namespace glass::jit
