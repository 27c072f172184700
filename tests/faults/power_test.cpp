// The power fails after any operation: what the next process finds is what was stored, up to some point in time.
#include <fstream>
#include <random>

#include "fault_fixture.hpp"
#include "power.hpp"

namespace glass::faults {
namespace {

class power_test : public fault_test {
 protected:
  static constexpr int first = 3, all_rows = 12;
  static image_row image_of(int n) { return an_image(n, 300 + 2500 * std::size_t(n % 4)); }

  // Puts rows through two stores, one after the other; acknowledged[n]: the length of the tape when row n was.
  void record_run() {
    fresh_folder();
    acknowledged.clear();
    record(root);
    put(*open(), 0, first);
    closed = recorded_so_far();
    {
      const auto s = open();
      put(*s, first, all_rows);
      s->gc(std::int64_t(1) << 40);
    }
    tape = recorded();
  }
  void put(store& s, int from, int to) {
    for (int n = from; n < to; ++n) {
      s.put_image(image_of(n));
      s.put_candidate(a_candidate(n));
      s.put_decision(a_decision(n));
      acknowledged.push_back(recorded_so_far());
    }
  }
  void lay_out(const std::map<std::string, std::string>& files) {
    fresh_folder();
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    for (const auto& [name, bytes] : files)
      if (name != folder) std::ofstream(name, std::ios::binary) << bytes;
  }
  // Rows come back whole or not at all, and none is missing before one that is there; how many there are.
  int expect_prefix() {
    const auto s = open();
    int found = 0;
    bool ended = false;
    for (int n = 0; n < all_rows; ++n) {
      const auto image = s->find_image(image_of(n).key, image_of(n).material);
      const auto decision = s->find_decision(a_decision(n).key, a_decision(n).material);
      EXPECT_TRUE(!image || same(*image, image_of(n))) << n;
      EXPECT_TRUE(!decision || same(*decision, a_decision(n))) << n;
      EXPECT_TRUE(!decision || image) << n << ": the image was stored first";
      EXPECT_FALSE(image && ended) << n << ": a later row survived an earlier one";
      ended = ended || !decision;
      found += decision.has_value();
    }
    s->put_image(an_image(99));
    EXPECT_TRUE(s->find_image(an_image(99).key, an_image(99).material));
    EXPECT_TRUE(s->persistent());
    EXPECT_TRUE(warnings.empty()) << said();
    return found;
  }

  std::vector<operation> tape;
  std::vector<std::size_t> acknowledged;
  std::size_t closed = 0;  // the length of the tape when the first store was
};

TEST_F(power_test, after_any_operation_with_either_journal) {
  int states = 0;
  for (const bool network : {false, true}) {
    network_disk = network;
    record_run();
    for (std::size_t until = 1; until <= tape.size() && !HasFailure(); ++until) {
      for (const lost how : {lost::unsynced, lost::last, lost::some, lost::data}) {
        SCOPED_TRACE("after operation " + std::to_string(until) + " of " + std::to_string(tape.size()) + ", loss " +
                     std::to_string(int(how)) + (network ? ", rollback journal" : ", write-ahead log"));
        lay_out(disk_after(tape, until, how, unsigned(states)));
        ++states;
        warnings.clear();
        const int found = expect_prefix();
        int before =
            0;  // that no cut may take: with a rollback journal what was acknowledged, with a log what was closed
        for (int n = 0; n < int(acknowledged.size()); ++n)
          before += acknowledged[std::size_t(n)] <= until && (network || (n < first && closed <= until));
        EXPECT_GE(found, before);
        EXPECT_EQ(integrity(), "ok");
        EXPECT_EQ(set_aside(), 0);
      }
    }
  }
  RecordProperty("states", states);
  EXPECT_GT(states, 1000);
}

}  // namespace
}  // namespace glass::faults
