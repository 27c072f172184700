// Every single system call on the cache's files fails, once or from then on: the answer is the same, one warning says so,
// and when the fault is over the cache is whole and is used again.
#include "fault_fixture.hpp"

namespace glass::faults {
namespace {

struct fault {
  const char* name;
  int error;
  unsigned which;
  bool for_good, warm;
};
void PrintTo(const fault& f, std::ostream* to) { *to << f.name; }

class io_test : public fault_test, public ::testing::WithParamInterface<fault> {
 protected:
  void SetUp() override {
    expected = tuned();
    expected_warnings = warnings;
    warnings.clear();
  }
  // Those that an undisturbed run does not give, but for the report of a mark that could not be taken away again.
  std::vector<std::string> further() const {
    std::vector<std::string> some;
    for (const std::string& w : warnings)
      if (std::find(expected_warnings.begin(), expected_warnings.end(), w) == expected_warnings.end() &&
          w.find("the process ended while this candidate ran") == std::string::npos)
        some.push_back(w);
    return some;
  }
  answer expected;
  std::vector<std::string> expected_warnings;
};

TEST_P(io_test, changes_no_answer) {
  const fault f = GetParam();
  const auto prepare = [&] {
    fresh_folder();
    if (f.warm) tuned();
    warnings.clear();
  };
  prepare();
  arm(root, {.which = f.which});
  tuned();
  const long calls = disarm();
  int warned = 0;
  for (long n = 0; n < calls && !HasFailure(); ++n) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(calls));
    prepare();
    answer got;
    {
      const armed on(root, {plan::act::fail, f.which, n, f.error, f.for_good});
      got = tuned();
    }
    EXPECT_TRUE(got == expected) << got.placement;
    EXPECT_LE(further().size(), 1u) << said();
    warned += !further().empty();
    warnings.clear();
    const answer after = tuned();
    EXPECT_EQ(after.numbers, expected.numbers) << "afterwards";
    if (after.placement != expected.placement) {  // its mark could not be taken away again
      EXPECT_EQ(ask("SELECT state FROM candidate WHERE placement = '" + expected.placement + "'").at(0), "killed");
    }
    EXPECT_TRUE(further().empty()) << said();
    EXPECT_EQ(integrity(), "ok");
    EXPECT_EQ(set_aside(), 0) << "nothing was damaged";
  }
  RecordProperty("faults", int(calls));
  RecordProperty("warned", warned);
  EXPECT_GT(calls, f.warm ? 10 : 300);
  EXPECT_GT(warned, f.warm && f.error == ENOSPC ? 0 : calls / 4);
}

INSTANTIATE_TEST_SUITE_P(
    every_call, io_test,
    ::testing::Values(fault{"eio_once_cold", EIO, everything, false, false},
                      fault{"eio_for_good_cold", EIO, everything, true, false},
                      fault{"eio_once_warm", EIO, everything, false, true},
                      fault{"eio_for_good_warm", EIO, everything, true, true},
                      fault{"disk_full_once_cold", ENOSPC, creates | writes | syncs, false, false},
                      fault{"disk_full_for_good_cold", ENOSPC, creates | writes | syncs, true, false},
                      fault{"disk_full_for_good_warm", ENOSPC, creates | writes | syncs, true, true}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace glass::faults
