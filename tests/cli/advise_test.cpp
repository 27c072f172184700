// glass advise and glass table: what they print, and that the advice is that of glass::recommend.
#include <gmock/gmock.h>

#include "glass/jit.hpp"
#include "glass/recommend.cuh"
#include "tests/cli/program.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

const char* const with_shipped = "GLASS_SHIPPED= GLASS_CACHE=memory";

class advise_command : public program {};

TEST_F(advise_command, says_how_a_problem_is_placed_and_why) {
  const answer r = glass("advise posv --size N=12 --batch 256 --arch sm_87", with_shipped);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("posv N=12 NRHS=1 FACTOR=keep SHIFT=none f32 batch=256 on sm_87 (Orin)\n"));
  EXPECT_THAT(r.out,
              HasSubstr("other_device (shipped): nobody measured this problem on such a GPU; the nearest that was: "));
  EXPECT_THAT(r.out, HasSubstr("runner-up: "));
}
TEST_F(advise_command, as_json_has_a_launch_shape) {
  const answer r = glass("advise gemm_to --size N=64 --batch 1 --arch sm_90 --json", with_shipped);
  ASSERT_EQ(r.status, 0) << r.err;
  const auto j = r.json();
  EXPECT_EQ(j["tier"], "exact");
  EXPECT_EQ(j["scope"], "block128");
  EXPECT_EQ(j["body"], "ring");
  EXPECT_EQ(j["tunables"]["TILE"], "m32n32");
  EXPECT_EQ(j["threads"], 128);
  EXPECT_EQ(j["problems_per_block"], 1);
  EXPECT_GT(j["gain"], 1.1);
  EXPECT_THAT(std::string(j["runner_up"]["placement"]), HasSubstr("scope=block256"));
}
TEST_F(advise_command, without_decisions_goes_by_the_model) {
  const answer r = glass("advise posv --size N=12 --batch 256 --arch sm_80", "GLASS_SHIPPED=off GLASS_CACHE=memory");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("model: nothing like it was measured"));
}
TEST_F(advise_command, says_what_it_cannot_read) {
  EXPECT_THAT(glass("advise posv --size N=12").err, HasSubstr("--arch"));
  EXPECT_THAT(glass("advise posv --size N=12 --arch sm_x").err, HasSubstr("'sm_x' is no architecture"));
  EXPECT_THAT(glass("advise posw --size N=12 --arch sm_90").err, HasSubstr("Did you mean 'posv'?"));
}

// The runtime's side and the headers' side, problem by problem.
template <glass::op O, class T, int N, long long Batch>
void agree(const std::string& operation) {
  for (const int arch : {75, 80, 87, 90, 120}) {
    problem p;
    p.sizes = {{"N", N}}, p.type = sizeof(T) == 8 ? f64 : f32, p.batch = Batch;
    const advice a = advise(operation, p, "sm_" + std::to_string(arch));
    const ::glass::recommendation r = ::glass::recommend<O, T, N, Batch>(arch);
    const std::string what = a.text() + std::to_string(arch);
    EXPECT_EQ(r.width, a.placement.width()) << what;
    EXPECT_EQ(r.block, a.placement.is_block()) << what;
    EXPECT_EQ(r.threads, a.threads) << what;
    EXPECT_EQ(r.problems, a.problems) << what;
    EXPECT_EQ(r.shared_bytes, static_cast<long long>(a.shared_bytes)) << what;
    EXPECT_EQ(static_cast<int>(r.how), static_cast<int>(a.how) - static_cast<int>(tier::exact)) << what;
    EXPECT_NEAR(r.ns, a.ns, 1e-3 * a.ns) << what;
  }
}
TEST(advise, is_what_recommend_says) {
  const char* const before = std::getenv("GLASS_SHIPPED");
  const std::string kept = before ? before : "";
  ::setenv("GLASS_SHIPPED", "", 1), ::setenv("GLASS_CACHE", "memory", 1);
  agree<::glass::op::posv, float, 12, 256>("posv");
  agree<::glass::op::posv, float, 16, 16384>("posv");
  agree<::glass::op::potrf, double, 128, 16384>("potrf");
  agree<::glass::op::gemm_to, float, 64, 1>("gemm_to");
  agree<::glass::op::gemm_to, double, 48, 4096>("gemm_to");
  agree<::glass::op::dot, double, 100, 64>("dot");
  agree<::glass::op::trsv, float, 20, 1000>("trsv");
  agree<::glass::op::axpy, float, 100, 1000>("axpy");
  ::setenv("GLASS_SHIPPED", kept.c_str(), 1), ::unsetenv("GLASS_CACHE");
}

class table_command : public program {};

TEST_F(table_command, prints_the_header_that_is_in_the_tree) {
  const answer r = glass("table --arch sm_90", with_shipped);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(r.out == read(GLASS_SOURCE_DIR "/include/glass/dispatch/sm_90.cuh"));
  EXPECT_THAT(r.err, HasSubstr(" decisions\n"));
}
TEST_F(table_command, without_decisions_says_so) {
  const answer r = glass("table --arch sm_75", with_shipped);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("there is no decision for sm_75 that a static program could use."));
}

}  // namespace
