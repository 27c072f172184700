// Decisions for bodies of NVIDIA's libraries: what the kernel says of them, that they stay valid where a library comes or
// goes, and that nobody waits for such a compile who did not ask for it.
#include "jit_fixture.hpp"
#include "support/library_backend.hpp"

namespace glass::jit {
namespace {

using testing::behaviour;
using ::testing::HasSubstr;

class Libraries : public testing::Scripted {
 protected:
  static constexpr const char* ours = "variant=fused scope=tile4 pack=16 home=global";
  static constexpr const char* theirs = "variant=fused scope=block64 pack=2 home=shared body=nvidia";
  Libraries() {
    ns[ours] = {.ns = 4}, ns[theirs] = {.ns = 2};
    changed_device = [this] {
      auto d = std::make_shared<testing::library_backend>();
      d->compute = testing::scale_code(), d->installed = installed;
      d->script = [this](const std::string& label) {
        const auto it = ns.find(label);
        return it == ns.end() ? behaviour{.ns = 20} : it->second;
      };
      return d;
    };
  }
  static kernel get(runtime& rt, int n = 8) {
    return rt.compile(testing::scale_with_calls(), testing::scale_problem(n));
  }
  void tune() {
    runtime rt = start(tune_mode::exhaustive);
    get(rt);
  }
  bool installed = true;
};

TEST_F(Libraries, TheKernelSaysWhoseBodyItRunsAndWhy) {
  runtime rt = start(tune_mode::exhaustive);
  const kernel k = get(rt);
  EXPECT_EQ(k.placement().text(), theirs);
  EXPECT_THAT(k.why(), HasSubstr("body=nvidia: exact, 10.0x over default"));
  EXPECT_THAT(k.why(), HasSubstr("by NVIDIA's library, more than 5 % faster than the best of glass's own"));
}

TEST_F(Libraries, ADecisionMadeWithOneRunsWithoutIt) {
  tune();
  installed = false;
  for (const tune_mode mode : {tune_mode::first_use, tune_mode::frozen}) {
    runtime rt = start(mode);
    EXPECT_EQ(get(rt).placement().text(), theirs) << "its image is complete";
    EXPECT_EQ(device->compiles, 0);
  }
}

TEST_F(Libraries, ADecisionMadeWithoutOneStaysAndIsOpenForMoreOnDemand) {
  installed = false;
  tune();
  installed = true;
  {
    runtime rt = start(tune_mode::first_use);
    EXPECT_EQ(get(rt).placement().text(), ours);
    EXPECT_EQ(device->compiles, 0);
  }
  runtime rt = start(tune_mode::exhaustive);
  EXPECT_EQ(get(rt).placement().text(), theirs);
  EXPECT_LE(device->compiles, 3) << "only what is new";
}

TEST_F(Libraries, ANeighboursVerdictIsNoReasonToCompileOne) {
  tune();
  runtime rt = start(tune_mode::off);
  const kernel k = get(rt, 9);
  EXPECT_EQ(k.tier(), tier::nearby_shape);
  EXPECT_EQ(k.placement().text(), ours) << "the runner-up of the neighbour";
}

TEST_F(Libraries, ANamedPlacementIsCompiledOrSaysWhatIsMissing) {
  {
    runtime rt = start(tune_mode::off);
    EXPECT_EQ(rt.compile(testing::scale_with_calls(), testing::scale_problem(), placement::parse(theirs)).tier(),
              tier::named);
  }
  installed = false;
  runtime rt = start(tune_mode::off);
  try {
    rt.compile(testing::scale_with_calls(), testing::scale_problem(7), placement::parse(theirs));
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::no_compiler);
    EXPECT_THAT(e.message(), HasSubstr("the library is not in this script"));
  }
}

}  // namespace
}  // namespace glass::jit
