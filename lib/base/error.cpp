// Texts of errors and names of enumerators, one table each.
#include "glass/jit/error.hpp"

#include <cstdarg>
#include <cstdio>

#include "glass/jit/event.hpp"
#include "glass/jit/operand.hpp"
#include "glass/jit/placement.hpp"
#include "glass/jit/problem.hpp"
#include "glass/jit/tuning.hpp"

namespace glass::jit {
namespace {
template <class E, std::size_t N>
const char* look_up(const char* const (&names)[N], E e) noexcept {
  const auto i = static_cast<std::size_t>(e);
  return i < N ? names[i] : "?";
}
}  // namespace

const char* name(errc e) noexcept {
  static const char* const names[] = {"ok",
                                      "invalid_argument",
                                      "unknown_name",
                                      "no_driver",
                                      "no_device",
                                      "no_compiler",
                                      "compiler_too_old",
                                      "driver_too_old",
                                      "compile_failed",
                                      "load_failed",
                                      "too_large",
                                      "launch_failed",
                                      "device_lost",
                                      "hang",
                                      "divergent",
                                      "race",
                                      "wrong_result",
                                      "refused",
                                      "out_of_memory",
                                      "interrupted",
                                      "io",
                                      "store"};
  static_assert(std::size(names) == static_cast<std::size_t>(errc::store) + 1);
  return look_up(names, e);
}
const char* name(stage e) noexcept {
  static const char* const names[] = {"device", "source", "compile", "load", "tune", "store", "launch"};
  return look_up(names, e);
}
const char* name(scalar_type e) noexcept {
  static const char* const names[] = {"f32", "f64", "i32"};
  return look_up(names, e);
}
const char* name(access e) noexcept {
  static const char* const names[] = {"in", "out", "inout", "scratch", "scalar", "info", "workspace"};
  return look_up(names, e);
}
const char* name(kind e) noexcept {
  static const char* const names[] = {"general", "spd", "lower", "upper", "positive", "index", "unit_quaternion"};
  return look_up(names, e);
}
const char* name(order e) noexcept {
  static const char* const names[] = {"col", "row", "interleaved"};
  return look_up(names, e);
}
const char* name(measure e) noexcept {
  static const char* const names[] = {"throughput", "latency", "graph"};
  return look_up(names, e);
}
const char* name(tier e) noexcept {
  static const char* const names[] = {"named",        "exact", "nearby_batch", "nearby_shape",
                                      "other_device", "model", "default"};
  return look_up(names, e);
}
const char* name(tune_mode e) noexcept {
  static const char* const names[] = {"first_use", "background", "off", "frozen", "exhaustive"};
  return look_up(names, e);
}
const char* name(event_kind e) noexcept {
  static const char* const names[] = {"hit", "miss", "compile", "load", "tune", "heal", "alarm", "swap"};
  return look_up(names, e);
}

std::string error::compose(const parts& p) {
  std::string s = std::string("glass: ") + name(p.stage) + ": " + p.message;
  if (!p.hint.empty()) s += "\n  " + p.hint;
  return s;
}

status::status(errc code, const char* format, ...) noexcept : code_(code) {
  va_list list;
  va_start(list, format);
  std::vsnprintf(text_, sizeof text_, format, list);
  va_end(list);
}
void status::check() const {
  if (!ok()) throw error(code_, stage::launch, text_);
}

}  // namespace glass::jit
