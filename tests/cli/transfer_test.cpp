// glass transfer: what it prints of two packs or of one cache, and what it refuses.
#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "cli/program.hpp"
#include "store/pack_writer.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Transfer : public program {
 protected:
  Transfer() { own_cache = true; }
  struct tried {
    std::string placement;
    double ns;
  };
  static decision_row decision(const std::string& power, int n, const std::vector<tried>& candidates) {
    decision_row d;
    d.material = power + std::to_string(n), d.key = hash(d.material);
    d.identity = "posv/1", d.sizes = "N=" + std::to_string(n), d.type = "f32", d.measure = "throughput";
    d.batch_class = 64, d.backend = "cuda", d.target = "sm_87", d.fingerprint = "cuda sm_87 sm=16";
    d.power_class = power, d.candidate_set = "2", d.placement = candidates[0].placement, d.ns = candidates[0].ns;
    d.default_ns = 50, d.samples = 1, d.complete = true, d.created = "2026-01-02T03:04:05Z";
    return d;
  }
  template <class Add>
  void each(const std::string& power, const std::map<int, std::vector<tried>>& problems, Add add) const {
    for (const auto& [n, candidates] : problems) {
      const decision_row d = decision(power, n, candidates);
      std::vector<candidate_row> rows;
      for (const tried& t : candidates) rows.push_back({d.key, t.placement, "ok", "", {t.ns}, 0.1, ""});
      add(d, rows);
    }
  }
  void pack(const std::string& name, const std::string& power,
            const std::map<int, std::vector<tried>>& problems) const {
    pack_writer w;
    each(power, problems, [&](const decision_row& d, const std::vector<candidate_row>& rows) { w.add(d, rows); });
    w.finish(path(name), "");
  }
  void two_packs() const {
    pack("a.pack", "nvpmodel=MODE_15W", {{8, {{"p", 4}, {"q", 8}}}, {16, {{"p", 4}, {"q", 5}}}, {24, {{"r", 9}}}});
    pack("b.pack", "nvpmodel=MODE_30W", {{8, {{"p", 2}}}, {16, {{"q", 2}, {"p", 8}}}, {24, {{"q", 2}}}});
  }
};

TEST_F(Transfer, PrintsWhatAsVerdictsCostOnB) {
  two_packs();
  const answer a = glass("transfer a.pack b.pack");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(a.out, AllOf(HasSubstr("MODE_15W, 3 decisions"), HasSubstr("verdicts of A on B"),
                           Not(HasSubstr("verdicts of B on A")), HasSubstr("1 not compared, B has no time for:")));
  EXPECT_THAT(a.out, ::testing::ContainsRegex("decision of the same problem +3 +2 +2 +2.000 +4.000 +4.000"));
  EXPECT_THAT(a.out, ::testing::ContainsRegex("no decision, the default +2 +2 +25.000 +25.000 +25.000"));
  EXPECT_THAT(a.out, ::testing::ContainsRegex("4.000 +posv N=16 f32 batch=64 throughput +exact +p +8.* q +2"));
  EXPECT_THAT(a.out, ::testing::ContainsRegex("posv N=24 f32 batch=64 throughput +exact +r +not measured"));
}

TEST_F(Transfer, AsJsonInBothDirectionsWithEveryCell) {
  two_packs();
  const auto j = glass("transfer a.pack b.pack --both --json").json();
  EXPECT_EQ(j["a"]["power_class"], "nvpmodel=MODE_15W");
  EXPECT_EQ(j["same_device"], false);
  ASSERT_EQ(j["directions"].size(), 2u);
  const auto& there = j["directions"][0];
  EXPECT_EQ(there["exact"]["differ"], 2);
  EXPECT_NEAR(there["exact"]["geometric_mean"].get<double>(), 2, 1e-12);
  EXPECT_EQ(there["cells"].size(), 2u);
  EXPECT_EQ(there["not_compared"][0]["why"], "not measured");
  EXPECT_TRUE(there["nearby_shape"]["worst"].is_null());
  const auto& back = j["directions"][1];  // 8: p, 1; 16: q costs 5/4; 24: q was never measured on A
  EXPECT_EQ(back["verdicts_of"], "B");
  EXPECT_NEAR(back["exact"]["worst"].get<double>(), 1.25, 1e-12);
  EXPECT_EQ(back["not_compared"].size(), 1u);
}

TEST_F(Transfer, OneCacheOfTwoPowerClassesIsAskedByName) {
  const auto rows = store::open(path("cache"), nullptr);
  for (const char* power : {"limit=300W", "limit=700W"})
    each(power, {{8, {{"p", 4}}}}, [&](const decision_row& d, const std::vector<candidate_row>& some) {
      rows->put_decision(d);
      for (const candidate_row& c : some) rows->put_candidate(c);
    });
  const answer unnamed = glass("transfer cache cache");
  EXPECT_EQ(unnamed.status, 1);
  EXPECT_THAT(unnamed.err, AllOf(HasSubstr("several devices or power classes"), HasSubstr("--device-a"),
                                 HasSubstr("limit=300W, 1 decisions")));
  EXPECT_THAT(glass("transfer cache cache --device-a 300W --device-b 5W").err, HasSubstr("no device with '5W'"));
  const auto j = glass("transfer cache cache --device-a 300W --device-b 700W --json").json();
  EXPECT_EQ(j["directions"][0]["exact"]["compared"], 1);
  EXPECT_THAT(glass("transfer cache cache --device-a 300W --device-b 300W").out,
              HasSubstr("how tuning repeats itself"));
  EXPECT_THAT(glass("transfer cache none.pack --device-a 300W").err, HasSubstr("there is no pack and no cache"));
}

}  // namespace
}  // namespace glass::jit
