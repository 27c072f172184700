// Images of kernels that call a library: its version is in their key, they run where it is absent, and they are no quick
// answer.
#include "support/library_backend.hpp"

#include <gmock/gmock.h>

#include "build/key.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using ::testing::HasSubstr;

class library_images : public ::testing::Test {
 protected:
  std::shared_ptr<testing::library_backend> device = std::make_shared<testing::library_backend>();
  std::shared_ptr<warner> warn = std::make_shared<warner>([](const std::string&) {});
  std::shared_ptr<store> rows = store::open("memory", warn);
  bound_problem problem = bind(testing::scale_with_calls(), testing::scale_problem(), false);
  placement theirs = placement::parse("scope=block64 pack=2 home=shared body=nvidia"),
            ours = placement::parse("scope=block64");
};

TEST_F(library_images, the_text_calls_what_the_row_says) {
  const source s = assemble(problem, theirs);
  ASSERT_EQ(s.functions.size(), 1u);
  EXPECT_EQ(s.functions[0].text(), "cusolverdx scale 8 f32 threads=64 batches=2 as glass_scale_f32");
  EXPECT_THAT(s.text, HasSubstr("#include <glass/linked/solver.cuh>"));
  EXPECT_THAT(s.text, HasSubstr("::glass::linked::scale"));
  EXPECT_TRUE(assemble(problem, ours).functions.empty());
  const bound_problem gemm =
      bind(find_operation("gemm"),
           {.sizes = {{"M", 8}, {"N", 16}, {"K", 4}}, .type = f64, .options = {{"TRANSB", "yes"}}}, true);
  EXPECT_EQ(assemble(gemm, placement::parse("scope=block64 home=shared body=nvidia")).functions.at(0).text(),
            "cublasdx mm 8x16x4 f64 threads=64 batches=1 transposed_b as glass_mm_f64");
}

TEST_F(library_images, the_librarys_version_is_in_their_key_and_in_no_other) {
  builder b(device, rows, warn);
  const std::string before = b.key(problem, theirs), own = b.key(problem, ours);
  EXPECT_EQ(b.compiler(problem, theirs), "fake 1.0, libmathdx 0.4");
  device->version = "libmathdx 0.5";
  EXPECT_NE(b.key(problem, theirs), before);
  EXPECT_EQ(b.key(problem, ours), own);
  device->installed = false;
  EXPECT_EQ(b.key(problem, ours), own);
  EXPECT_EQ(b.key(problem, theirs), "");
}

TEST_F(library_images, run_where_the_library_is_absent) {
  std::vector<unsigned char> bytes;
  {
    builder b(device, rows, warn);
    bytes = b.get(problem, theirs).bytes;
  }
  device->installed = false;  // on the robot, say, with the store in a pack
  builder there(device, rows, warn);
  EXPECT_EQ(there.get(problem, theirs).bytes, bytes);
  EXPECT_EQ(there.get(problem, theirs, effort::none).bytes, bytes);
  EXPECT_EQ(there.counters().compiles, 0);
  device->has_compiler = false;
  builder without(device, rows, warn);
  EXPECT_EQ(without.get(problem, theirs, effort::none).bytes, bytes);
}

TEST_F(library_images, that_are_not_at_hand_name_the_library) {
  device->installed = false;
  builder b(device, rows, warn);
  try {
    b.get(problem, theirs);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::no_compiler);
    EXPECT_THAT(e.message(), HasSubstr("the library is not in this script"));
  }
  EXPECT_TRUE(b.get(problem, ours).compiled) << "others go on";
}

TEST_F(library_images, are_no_quick_answer) {
  device->quick = {"-quick"};
  builder b(device, rows, warn);
  try {
    b.get(problem, theirs, effort::quick);
    FAIL();
  } catch (const error& e) { EXPECT_EQ(e.code(), errc::refused); }
  EXPECT_TRUE(b.get(problem, ours, effort::quick).compiled);
  EXPECT_TRUE(b.get(problem, theirs).compiled);
  EXPECT_FALSE(b.get(problem, theirs, effort::quick).compiled) << "at hand it is as good as any";
}

}  // namespace
}  // namespace glass::jit
