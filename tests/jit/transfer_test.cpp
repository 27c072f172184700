// What A's verdicts cost on B: by hand-made rows whose answers are known, and between two power classes of a scripted
// device that were really tuned.
#include "runtime/transfer.hpp"

#include <cmath>

#include "jit_fixture.hpp"
#include "store/layer.hpp"

namespace glass::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using decided = measured_device::decided;
using sample_list = std::vector<std::pair<std::string, std::vector<double>>>;

decided on(const std::string& power, const std::string& sizes, int batch, const std::string& winner, double ns,
           const sample_list& candidates = {}, double default_ns = 0) {
  decision_row d;
  d.identity = "posv/1", d.sizes = sizes, d.type = "f32", d.measure = "throughput", d.batch_class = batch;
  d.backend = "cuda", d.target = "sm_87", d.fingerprint = "cuda sm_87 sm=16", d.power_class = power;
  d.candidate_set = "2", d.placement = winner, d.ns = ns, d.default_ns = default_ns, d.created = "2026-01-02T03:04:05Z";
  d.key = power + sizes + std::to_string(batch);
  decided all{d, {}};
  for (const auto& [placement, samples] : candidates)
    all.candidates.push_back({d.key, placement, "ok", "", samples, 0.1, ""});
  return all;
}
measured_device one(std::vector<decided> rows) {
  auto all = devices_of(std::move(rows));
  EXPECT_THAT(all, SizeIs(1));
  return all.at(0);
}

TEST(Transfer, OfProblemsThatBothDecidedIsTheTimeOfAsPlacementOverBsOwn) {
  const auto a = one({on("15W", "N=8", 64, "p", 1), on("15W", "N=16", 64, "p", 1), on("15W", "N=32", 64, "p", 1)});
  const auto b = one({on("30W", "N=8", 64, "p", 10, {{"p", {10}}}, 30),
                      on("30W", "N=16", 64, "q", 20, {{"q", {20}}, {"p", {26, 22, 24}}}, 20),
                      on("30W", "N=32", 64, "q", 10, {{"q", {10}}, {"p", {20}}}, 40)});
  const transfer t = transfer_between(a, b);
  EXPECT_EQ(t.exact.problems, 3u);
  EXPECT_EQ(t.exact.differ, 2u);
  EXPECT_EQ(t.exact.compared, 3u);
  EXPECT_NEAR(t.exact.geometric_mean, std::cbrt(1 * 1.2 * 2), 1e-12);
  EXPECT_NEAR(t.exact.percentile_95, 2, 1e-12);
  EXPECT_NEAR(t.exact.worst, 2, 1e-12);
  EXPECT_NEAR(t.untuned.geometric_mean, std::cbrt(3.0 * 1 * 4), 1e-12);
  EXPECT_EQ(t.nearby_batch.problems + t.nearby_shape.problems, 0u);
  ASSERT_THAT(t.cells, SizeIs(3));
  EXPECT_EQ(t.cells[0].problem, "posv N=32 f32 batch=64 throughput");  // the dearest first
  EXPECT_NEAR(t.cells[1].cost(), 1.2, 1e-12);
  EXPECT_NEAR(t.cells[1].ns, 24, 1e-12);
  EXPECT_EQ(t.cells[2].cost(), 1);
}

TEST(Transfer, ThePercentileIsTheLeastCostThatNineteenOfTwentyDoNotExceed) {
  std::vector<decided> a, b;
  for (int n = 1; n <= 40; ++n) {
    const std::string sizes = "N=" + std::to_string(n);
    a.push_back(on("15W", sizes, 1, "p", 1));
    b.push_back(on("30W", sizes, 1, "q", 100, {{"p", {100.0 + n}}}));
  }
  const transfer_cost c = transfer_between(one(a), one(b)).exact;
  EXPECT_NEAR(c.percentile_95, 1.38, 1e-12);
  EXPECT_NEAR(c.worst, 1.40, 1e-12);
}

TEST(Transfer, WhatBNeverMeasuredIsListedWithTheReasonAndNotGuessed) {
  const auto a = one({on("15W", "N=8", 64, "p", 1), on("15W", "N=9", 64, "p", 1), on("15W", "N=10", 64, "p", 1),
                      on("15W", "N=11", 64, "p", 1), on("15W", "N=12", 64, "p", 1)});
  std::vector<decided> rows = {
      on("30W", "N=8", 64, "q", 10, {{"q", {10}}}), on("30W", "N=9", 64, "q", 10, {{"p", {}}, {"q", {10}}}),
      on("30W", "N=10", 64, "q", 10, {{"p", {5}}}), on("30W", "N=11", 64, "q", 10), on("30W", "N=12", 64, "p", 10)};
  rows[1].candidates[0].state = "wrong", rows[1].candidates[0].reason = "x of problem 3 differs by 2";
  rows[2].candidates[0].state = "timing";
  const transfer t = transfer_between(a, one(rows));
  EXPECT_EQ(t.exact.problems, 5u);
  EXPECT_EQ(t.exact.differ, 4u);
  EXPECT_EQ(t.exact.compared, 1u);
  EXPECT_EQ(t.exact.worst, 1);
  std::vector<std::string> reasons;
  for (const transfer_cell& c : t.cells) reasons.push_back(c.why);
  EXPECT_THAT(reasons, ElementsAre("", "its measurement was interrupted", "no candidates are kept with this decision",
                                   "not measured", "wrong: x of problem 3 differs by 2"));
}

TEST(Transfer, WhatAAnswersByALowerTierIsCountedApart) {
  const auto a = one({on("15W", "N=16", 64, "p", 1), on("15W", "N=32", 64, "r", 1)});
  auto other = on("30W", "N=16", 64, "q", 1);
  other.row.identity = "gemv/1";
  const auto b = one({on("30W", "N=16", 1, "q", 20, {{"p", {30}}}, 100), on("30W", "N=40", 64, "q", 10, {{"r", {11}}}),
                      on("30W", "N=48", 64, "q", 10, {{"p", {11}}}), other});
  const transfer t = transfer_between(a, b);
  EXPECT_EQ(t.exact.problems, 0u);
  EXPECT_EQ(t.nearby_batch.compared, 1u);
  EXPECT_NEAR(t.nearby_batch.worst, 1.5, 1e-12);
  EXPECT_EQ(t.nearby_shape.problems, 2u);  // r of N=32 answers for both; on B it was measured at 40 only
  EXPECT_EQ(t.nearby_shape.compared, 1u);
  EXPECT_NEAR(t.nearby_shape.geometric_mean, 1.1, 1e-12);
  EXPECT_EQ(t.untuned.problems, 0u);
  EXPECT_THAT(t.unserved, ElementsAre("gemv N=16 f32 batch=64 throughput"));
  ASSERT_THAT(t.cells, SizeIs(3));
  EXPECT_EQ(t.cells[0].origin, "batch=64");
  EXPECT_EQ(t.cells[1].origin, "N=32");
  EXPECT_EQ(t.cells[2].why, "not measured");
}

TEST(Transfer, VerdictsThatNoLongerHoldAndOlderOnesAreNotUsed) {
  auto void_one = on("30W", "N=8", 64, "q", 10), replaced = on("15W", "N=9", 64, "p", 1),
       old = on("15W", "N=10", 64, "old", 1), fresh = on("15W", "N=10", 64, "p", 1);
  void_one.row.state = replaced.row.state = "winner no longer runs", replaced.row.runner_up = "r";
  old.row.candidate_set = "1", old.row.created = "2027-01-02T03:04:05Z", old.row.key = "old";
  const auto a = one({replaced, fresh, old});
  EXPECT_THAT(a.decisions, SizeIs(2));
  const auto b = one({void_one, on("30W", "N=9", 64, "q", 10, {{"p", {50}}, {"r", {20}}}),
                      on("30W", "N=10", 64, "q", 10, {{"old", {50}}, {"p", {30}}})});
  EXPECT_THAT(b.decisions, SizeIs(2));
  const transfer t = transfer_between(a, b);
  ASSERT_THAT(t.cells, SizeIs(2));
  EXPECT_NEAR(t.cells[0].cost(), 3, 1e-12);
  EXPECT_NEAR(t.cells[1].cost(), 2, 1e-12);  // of A's runner-up, which a runtime takes
}

TEST(Transfer, DevicesAreToldApartByFingerprintAndPowerClass) {
  auto elsewhere = on("15W", "N=8", 64, "p", 1);
  elsewhere.row.fingerprint = "cuda sm_87 sm=8";
  const auto all =
      devices_of({on("30W", "N=8", 64, "p", 1), on("15W", "N=8", 64, "p", 1), on("15W", "N=9", 64, "p", 1), elsewhere});
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].text(), "cuda sm_87 sm=16, power class 15W");
  EXPECT_THAT(all[0].decisions, SizeIs(2));
  EXPECT_FALSE(all[0].same_as(all[1]) || all[1].same_as(all[2]) || all[0].same_as(all[2]));
}

class TransferTuned : public testing::Scripted {
 protected:
  static constexpr const char* tile4 = "variant=fused scope=tile4 pack=16 home=global";
  static constexpr const char* tile8 = "variant=fused scope=tile8 pack=8 home=global";
  void tune(const std::string& power, std::map<std::string, testing::behaviour> times, std::vector<int> sizes) {
    ns = std::move(times);
    changed_device = [this, power] {
      auto d = fresh_device();
      d->description.power_class = power;
      return d;
    };
    runtime rt = start(tune_mode::exhaustive);
    for (const int n : sizes) get(rt, n);
  }
};

TEST_F(TransferTuned, BetweenTwoPowerClassesOfOneDeviceInOneCache) {
  tune("limit=300W", {{tile4, {.ns = 4}}, {tile8, {.ns = 6}}}, {8});
  tune("limit=700W", {{tile4, {.ns = 3}}, {tile8, {.ns = 2}}}, {8, 9});
  layer rows((folder / "cache.sqlite").string(), database::mode::read_only);
  std::vector<damaged_row> damaged;
  std::vector<decided> all;
  for (const decision_row& d : rows.decisions(damaged)) all.push_back({d, rows.candidates(d.key, damaged)});
  auto devices = devices_of(all);
  ASSERT_THAT(devices, SizeIs(2));
  const measured_device &high = devices[0], &low = devices[1];
  ASSERT_EQ(low.power_class, "limit=300W");
  const transfer up = transfer_between(low, high), down = transfer_between(high, low);
  EXPECT_EQ(up.exact.problems, 1u);
  EXPECT_NEAR(up.exact.worst, 1.5, 1e-9);
  EXPECT_NEAR(up.untuned.worst, 10, 1e-9);
  EXPECT_EQ(up.nearby_shape.problems, 1u);  // N=9, by the 300 W decision of N=8
  EXPECT_NEAR(up.nearby_shape.worst, 1.5, 1e-9);
  EXPECT_NEAR(down.exact.worst, 1.5, 1e-9);
  EXPECT_THAT(down.unserved, IsEmpty());
}

}  // namespace
}  // namespace glass::jit
