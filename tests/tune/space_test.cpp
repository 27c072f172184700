// Which placements are legal, why not, and which one a problem starts with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "catalog/check.hpp"
#include "glass/jit/runtime.hpp"
#include "support/scale.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using testing::fake_backend;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bound_problem built_in(const std::string& name, std::map<std::string, size_value> sizes, scalar_type type = f32,
                       long long batch = 8192) {
  return bind(find_operation(name), {.sizes = std::move(sizes), .type = type, .batch = batch}, true);
}
// N, for the operations that have sizes.
std::map<std::string, size_value> sized(const operation_description& d, size_value n) {
  if (size_names(d).empty()) return {};
  return {{"N", n}};
}
bound_problem interleaved_axpy(bool both) {
  operation_description d = testing::scale();
  d.operands = {scalar("alpha", 0.5), in("x", {"N"}).interleaved(),
                both ? inout("y", {"N"}).interleaved() : inout("y", {"N"})};
  return bind(d, testing::scale_problem(), false);
}

struct judgement {
  const char* what;
  bound_problem problem;
  device_description device;
  const char* placement;
  const char* reason;  // "": legal
};

// Each condition of legality just broken and just kept.
TEST(Space, SaysWhyAPlacementIsIllegal) {
  const device_description gpu = fake_backend::gpu(), cpu = fake_backend::cpu();
  device_description small = gpu;
  small.max_threads_per_block = 512;
  const bound_problem posv = built_in("posv", {{"N", 12}}), large = built_in("posv", {{"N", 64}}, f64);
  const bound_problem product = built_in("gemm", {{"N", 128}}, f64), wide = built_in("posv", {{"N", 128}}, f64);
  device_description tight = gpu;
  tight.shared_per_block_optin = 64 << 10;
  const std::vector<judgement> table = {
      {"problems of a block in turn", product, gpu, "scope=block256 pack=8 body=stream TILE=m64n32", ""},
      {"problems of a block in turn", product, gpu, "scope=block256 pack=8 body=ring TILE=m64n32",
       "a block takes one problem"},
      {"exchange memory in reserve", wide, gpu, "scope=block128 body=whole", ""},
      {"exchange memory in reserve", wide, tight, "scope=block128 body=whole",
       "69760 bytes of shared memory a block are more than the 65536"},
      {"variant", posv, gpu, "variant=split scope=tile8 pack=16", "needs a workspace operand"},
      {"threads", posv, gpu, "scope=warp pack=33 body=loop", "1056 threads a block are more than the 1024"},
      {"threads", posv, gpu, "scope=warp pack=32 body=loop", ""},
      {"threads of a lesser device", posv, small, "scope=warp pack=17 body=loop",
       "544 threads a block are more than the 512"},
      {"threads of the emulator", posv, cpu, "scope=warp pack=33 body=loop", "1056 threads a block"},
      {"whole warps", posv, gpu, "scope=tile8 pack=3",
       "24 threads a block are not whole warps; the least pack for tile8 is 4"},
      {"whole warps", posv, gpu, "scope=tile8 pack=4", ""},
      {"whole warps of the emulator", posv, cpu, "scope=tile8 pack=3", ""},
      {"task", posv, cpu, "scope=thread pack=65537", "more than a task of the pool takes"},
      {"task", posv, cpu, "scope=thread pack=65536", ""},
      {"staging", interleaved_axpy(true), gpu, "scope=warp pack=1 home=shared", "would stage nothing"},
      {"staging", interleaved_axpy(true), gpu, "scope=warp pack=1 home=global", ""},
      {"staging one of two", interleaved_axpy(false), gpu, "scope=warp pack=1 home=shared", ""},
      {"shared memory", large, gpu, "scope=warp pack=7 home=shared body=loop",
       "232960 bytes of shared memory a block are more than the 232448"},
      {"shared memory", large, gpu, "scope=warp pack=6 home=shared body=loop", ""},
      {"shared memory in place", large, gpu, "scope=warp pack=7 home=global body=loop", ""},
      {"rule of the row", posv, gpu, "scope=block64 pack=1 body=fragment", "not over a block"},
      {"rule of the row", posv, gpu, "scope=block64 pack=1 body=loop", ""},
      {"rule with a size", large, gpu, "scope=thread pack=32 body=loop", "One thread per problem is for N <= 16"},
      {"rule with a backend", large, cpu, "scope=thread pack=32 body=loop", ""},
  };
  for (const auto& j : table) {
    const std::string got = examine(j.problem, j.device, placement::parse(j.placement)).illegal;
    if (*j.reason)
      EXPECT_THAT(got, HasSubstr(j.reason)) << j.what << ": " << j.placement;
    else
      EXPECT_THAT(got, IsEmpty()) << j.what << ": " << j.placement;
  }
}

TEST(Space, RefusesWordsThatAreNoPlacementOfThisOperation) {
  const bound_problem posv = built_in("posv", {{"N", 12}});
  operation_description d = testing::scale();
  d.tunables = {{"UNROLL", {1, 2, 4}}};
  const bound_problem scale = bind(d, testing::scale_problem(), false);
  const auto refusal = [](const bound_problem& p, auto change) -> std::string {
    placement c;
    c.pack = 32;
    change(c);
    try {
      examine(p, fake_backend::gpu(), c);
    } catch (const error& e) { return e.what(); }
    return "accepted";
  };
  EXPECT_THAT(refusal(posv, [](placement& c) { c.variant = "splitt"; }), HasSubstr("Did you mean 'split'"));
  EXPECT_THAT(refusal(posv, [](placement& c) { c.scope = "tile3"; }), HasSubstr("there is no scope 'tile3'"));
  EXPECT_THAT(refusal(posv, [](placement& c) { c.scope = "block48"; }), HasSubstr("there is no scope 'block48'"));
  EXPECT_THAT(refusal(posv, [](placement& c) { c.home = "local"; }), HasSubstr("there is no home 'local'"));
  EXPECT_THAT(refusal(posv, [](placement& c) { c.pack = 0; }), HasSubstr("pack=0"));
  EXPECT_THAT(refusal(posv, [](placement& c) { c.body = "fragmnt"; }), HasSubstr("Did you mean 'fragment'"));
  EXPECT_THAT(refusal(scale, [](placement& c) { c.body = "loop"; }), HasSubstr("one body"));
  EXPECT_THAT(refusal(scale, [](placement& c) { c.tunables["UNROL"] = "2"; }), HasSubstr("Did you mean 'UNROLL'"));
  EXPECT_THAT(refusal(scale, [](placement& c) { c.tunables["UNROLL"] = "3"; }), HasSubstr("has no value '3'"));
  EXPECT_EQ(refusal(scale, [](placement& c) { c.tunables["UNROLL"] = "4"; }), "accepted");
}

TEST(Space, FillsInWhatANameLeavesOut) {
  operation_description d = testing::scale();
  d.tunables = {{"UNROLL", {1, 2, 4}}};
  EXPECT_EQ(examine(bind(d, testing::scale_problem(), false), fake_backend::gpu(), placement::parse("scope=warp"))
                .placement.text(),
            "variant=fused scope=warp pack=1 home=global UNROLL=1");
  EXPECT_EQ(examine(built_in("posv", {{"N", 12}}), fake_backend::gpu(), placement::parse("scope=warp")).placement.body,
            "fragment");
}

TEST(Space, ListsLegalCandidatesFirstInTheOrderOfTheModel) {
  const auto list = candidates(built_in("posv", {{"N", 12}}), fake_backend::gpu());
  std::set<std::string> texts, scopes;
  bool illegal = false;
  double before = 0;
  for (const auto& c : list) {
    EXPECT_TRUE(texts.insert(c.placement.text()).second) << c.placement.text();
    illegal = illegal || !c.illegal.empty();
    EXPECT_EQ(c.illegal.empty(), !illegal) << c.placement.text();
    if (!illegal) {
      EXPECT_GE(c.predicted_ns, before);
      before = c.predicted_ns;
      scopes.insert(c.placement.scope);
      EXPECT_EQ(c.placement.threads() % 32, 0);
      EXPECT_LE(c.placement.threads(), 256);
    }
  }
  EXPECT_TRUE(illegal) << "a fragment over a block should be listed with its reason";
  EXPECT_EQ(scopes, (std::set<std::string>{"thread", "tile2", "tile4", "tile8", "tile16", "warp", "block32", "block64",
                                           "block128", "block256"}));
}

TEST(Space, TheHostRacesThreadScopeInPlaceOnly) {
  for (const auto& c : candidates(built_in("posv", {{"N", 12}}), fake_backend::cpu())) {
    EXPECT_EQ(c.placement.scope, "thread");
    EXPECT_EQ(c.placement.home, "global");
  }
}

TEST(Space, MultipliesTunablesAsLongAsTheyAreFew) {
  const auto tunings = [](std::vector<tunable> t) {
    operation_description d = testing::scale();
    d.tunables = std::move(t);
    std::set<std::string> seen;
    for (const auto& c : candidates(bind(d, testing::scale_problem(), false), fake_backend::cpu())) {
      std::string text;
      for (const auto& [name, value] : c.placement.tunables) text += name + value + " ";
      seen.insert(text);
    }
    return seen.size();
  };
  EXPECT_EQ(tunings({{"A", {1, 2, 3}}, {"B", {1, 2}}}), 6u);
  const std::vector<tunable::value> ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(tunings({{"A", ten}, {"B", ten}}), 19u) << "the defaults and each value alone";
}

// For every row of the catalog, sizes that are awkward, and devices that are small.
TEST(Space, TheDefaultPlacementIsAlwaysLegal) {
  device_description jetson = fake_backend::gpu();
  jetson.target = "sm_72", jetson.sm_count = 8, jetson.shared_per_block_optin = 96 << 10,
  jetson.shared_per_sm = 96 << 10;
  for (const auto& d : operations())
    for (const int n : {1, 2, 3, 4, 7, 8, 12, 16, 17, 31, 32, 33, 48, 64, 100, 128})
      for (const scalar_type t : {f32, f64})
        for (const long long batch : {1, 64, 8192})
          for (const bool bounded : {false, true})
            for (const auto& device : {fake_backend::gpu(), jetson, fake_backend::cpu()}) {
              const bound_problem p =
                  bind(d, {.sizes = sized(d, bounded ? up_to(n) : n), .type = t, .batch = batch}, true);
              placement c;
              try {
                c = default_placement(p, device);
              } catch (const error& e) {  // one problem's scratch is more than a block of the small device has
                EXPECT_THAT(e.what(), HasSubstr("no placement is legal"));
                EXPECT_GT(group_bytes(p, placement::parse("scope=warp pack=1 home=global")),
                          device.shared_per_block_optin)
                    << p.text();
                continue;
              }
              EXPECT_THAT(examine(p, device, c).illegal, IsEmpty()) << p.text() << ": " << c.text();
              EXPECT_EQ(examine(p, device, c).placement, c) << "not in full";
              placement alone = c;
              alone.pack = 1, alone.home = "global";  // what the scratch of one problem takes anyway
              const bool host = device.backend == "host";
              if (!host && group_bytes(p, alone) <= device.shared_per_block) {
                EXPECT_LE(group_bytes(p, c), device.shared_per_block) << p.text() << ": " << c.text();
              }
            }
}

TEST(Space, WhatABlockHasInReserveIsNoReasonAgainstADefault) {
  EXPECT_EQ(default_placement(built_in("posv", {{"N", 128}}, f64), fake_backend::gpu()).body, "whole");
  device_description tight = fake_backend::gpu();
  tight.shared_per_block_optin = 64 << 10;
  EXPECT_EQ(default_placement(built_in("posv", {{"N", 128}}, f64), tight).body, "left");
}

TEST(Space, ARowMayNameItsDefaults) {
  operation_description d = find_operation("posv");
  d.defaults = {{"N>16 && bytes==4", "scope=block64 body=fragment"},  // illegal: passed over
                {"N>16 && batch<=64 && arch>=80", "scope=warp pack=2 body=loop"},
                {"", "scope=tile2 pack=32 body=loop"}};
  const auto text = [&](int n, long long batch, const device_description& device) {
    return default_placement(bind(d, {.sizes = {{"N", n}}, .batch = batch}, true), device).text();
  };
  const device_description gpu = fake_backend::gpu();
  device_description old = gpu;
  old.target = "sm_72";
  EXPECT_THAT(text(20, 8, gpu), HasSubstr("scope=warp pack=2 home=global body=loop"));
  EXPECT_THAT(text(20, 8, old), HasSubstr("scope=tile2 pack=32"));
  EXPECT_THAT(text(20, 8192, gpu), HasSubstr("scope=tile2 pack=32"));
  EXPECT_THAT(text(20, 8192, fake_backend::cpu()), HasSubstr("scope=thread"));
  d.defaults = {{"M>1", "scope=warp"}};
  EXPECT_THROW(bind(d, {.sizes = {{"N", 4}}}, true), error);
  d.defaults = {{"", "scope=warp pack=none"}};
  EXPECT_THROW(bind(d, {.sizes = {{"N", 4}}}, true), error);
}

TEST(Space, TheDefaultGrowsWithTheProblem) {
  const auto width = [](int n, long long batch = 8192) {
    bound_problem p = built_in("posv", {{"N", n}}, f32, batch);
    p.description.defaults.clear();  // the rule of thumb, not what was measured
    return default_placement(p, fake_backend::gpu()).width();
  };
  EXPECT_EQ(width(8), 4);
  EXPECT_EQ(width(16), 8);
  EXPECT_EQ(width(32), 16);
  EXPECT_GE(width(64), 32);
  EXPECT_EQ(width(12, 1), 16) << "one problem alone: a shorter chain";
  EXPECT_EQ(default_placement(built_in("posv", {{"N", 8}}), fake_backend::gpu()).body, "rows");
  EXPECT_EQ(default_placement(built_in("posv", {{"N", up_to(8)}}), fake_backend::gpu()).body, "loop");
}

TEST(Space, WithNothingLegalTheDefaultSaysWhy) {
  operation_description d = testing::scale();
  d.rules = {{"", "N<4", "This toy is for N < 4."}};
  try {
    default_placement(bind(d, testing::scale_problem(), false), fake_backend::gpu());
    FAIL() << "accepted";
  } catch (const error& e) { EXPECT_THAT(e.what(), HasSubstr("This toy is for N < 4.")); }
}

TEST(Space, DisqualifiesByWhatTheLoadedCodeUses) {
  const device_description gpu = fake_backend::gpu();
  const candidate c = examine(built_in("posv", {{"N", 12}}), gpu, placement::parse("scope=warp pack=8 body=loop"));
  EXPECT_THAT(examine_usage({255, 0, 0, 1024}, c, gpu), IsEmpty());
  EXPECT_THAT(examine_usage({257, 0, 0, 1024}, c, gpu), HasSubstr("257 registers a thread times 256 threads"));
  EXPECT_THAT(examine_usage({64, 16384, 0, 1024}, c, gpu), IsEmpty());
  EXPECT_THAT(examine_usage({64, 16385, 0, 1024}, c, gpu), HasSubstr("spilled beyond reason"));
  EXPECT_THAT(examine_usage({64, 0, 0, 256}, c, gpu), IsEmpty());
  EXPECT_THAT(examine_usage({64, 0, 0, 255}, c, gpu), HasSubstr("at most 255 threads"));
  EXPECT_THAT(examine_usage({257, 16385, 0, 1}, c, fake_backend::cpu()), IsEmpty()) << "the host has no such limits";
}

TEST(Space, ShapesALaunch) {
  const bound_problem p = built_in("posv", {{"N", 12}});
  const launch_shape s = shape_of(p, placement::parse("scope=tile8 pack=16 home=shared body=loop"), 33);
  EXPECT_EQ(s.blocks, 3u);
  EXPECT_EQ(s.threads, 128u);
  EXPECT_EQ(s.shared_bytes, 16u * (144 + 12) * 4);
  EXPECT_EQ(s.count, 33);
}

}  // namespace
}  // namespace glass::jit
