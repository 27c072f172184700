// The problem that the tests of this folder build: the Levenberg-Marquardt step, and variations of it.
#pragma once
#include "build/build.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {

inline const std::string lm_text = R"(template <class Scope, class T, int NX, int NU>
GLASS_DEVICE int lm_step(Scope scope, glass::matrix<const T, NX, NU> J, glass::vector<const T, NX> r, T lambda,
                         glass::vector<T, NU> dq, glass::matrix<T, NU, NU> H) {
  glass::syrk<glass::Trans::yes>(scope, 1, J, 0, H);
  glass::add_identity(scope, lambda, H);
  glass::gemv<glass::Trans::yes>(scope, 1, J, r, dq);
  return glass::posv(scope, H, dq);
}
)";

inline operation_description lm_step(const std::string& text = lm_text) {
  operation_description d;
  d.name = "lm_step", d.text = text;
  d.operands = {in("J", {"NX", "NU"}),      in("r", {"NX"}), scalar("lambda", 1e-3), out("dq", {"NU"}),
                scratch("H", {"NU", "NU"}), info()};
  return d;
}
inline problem six_by_seven() {
  problem p;
  p.sizes = {{"NX", 6}, {"NU", 7}};
  p.batch = 4096;
  return p;
}
inline bound_problem lm_bound(const std::string& text = lm_text) { return bind(lm_step(text), six_by_seven(), false); }
inline placement tile8() { return placement::parse("scope=tile8 pack=16"); }

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? throw std::runtime_error("the text has no " + what)
                                 : text.replace(at, what.size(), with);
}

}  // namespace glass::jit
