// glass_examples NAME: runs one of the examples on the device that is there and says how it went.
#include <cstdio>
#include <cstring>
#include <exception>

#include "examples.hpp"

int main(int argc, char** argv) {
  struct {
    const char* name;
    example::answer (*run)(glass::jit::runtime&);
  } const programs[] = {
      {"lm_step", example::lm_step}, {"lqr_gain", example::lqr_gain}, {"mppi_weights", example::mppi_weights}};
  try {
    for (const auto& program : programs)
      if (argc == 2 && std::strcmp(argv[1], program.name) == 0) {
        glass::jit::runtime rt;
        const example::answer a = program.run(rt);
        std::printf("%s on %s\n%s\nlargest error %.2g, %s\n", a.kernel.problem().c_str(), rt.device().name.c_str(),
                    a.kernel.why().c_str(), a.error, a.right() ? "right" : "WRONG");
        return a.right() ? 0 : 1;
      }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "usage: %s lm_step|lqr_gain|mppi_weights\n", argv[0]);
  return 2;
}
