// Every input that the fuzzers keep, once; what they once found stays found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/targets.hpp"

namespace glass::faults {
namespace {

TEST(corpus, every_input_is_taken_or_refused) {
  for (const auto& [name, run] : fuzz_targets()) {
    int inputs = 0;
    for (const auto& e :
         std::filesystem::directory_iterator(std::filesystem::path(GLASS_SOURCE_DIR "/tests/faults/corpus") / name)) {
      SCOPED_TRACE(e.path().string());
      std::ostringstream bytes;
      bytes << std::ifstream(e.path(), std::ios::binary).rdbuf();
      const std::string all = bytes.str();
      for (std::size_t cut : {std::size_t(0), std::size_t(1), all.size() / 2})  // and without its end
        EXPECT_NO_THROW(run(std::string_view(all).substr(0, all.size() - cut)));
      ++inputs;
    }
    EXPECT_GT(inputs, 1) << name;
  }
}

}  // namespace
}  // namespace glass::faults
