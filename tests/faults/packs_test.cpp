// Packs under the same faults: made, killed and cut off at every system call, and mounted with any byte changed.
#include <sys/stat.h>

#include <fstream>

#include "flips.hpp"
#include "power.hpp"
#include "store/pack_writer.hpp"

namespace glass::faults {
namespace {

class packs_test : public flip_test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder);
    path = folder + "/robot.pack";
    key = root + "/key";
    make_key(key);
  }
  pack_info write(int from, int to, bool sign) {
    pack_writer w;
    for (int n = from; n < to; ++n) w.add(image_of(n)), w.add(a_decision(n), {a_candidate(n)});
    return w.finish(path, sign ? key : "");
  }
  static std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::unique_ptr<store> mount(pack_source pack, bool signed_only) {
    store_options o;
    o.folder = "memory";
    o.packs.push_back(std::move(pack));
    if (signed_only) o.keys.push_back(key + ".pub");
    return store::open(o, warn());
  }
  // The rows of the pack at `path`, all there and equal; -1: none of them.
  int whole_pack() {
    if (!std::filesystem::exists(path)) return -1;
    pack p = pack::open(path, nullptr);
    EXPECT_THAT(faults_of(p), ::testing::IsEmpty());
    const auto s = mount(path, true);
    int found = 0;
    for (int n = 0; n < rows; ++n) {
      const auto image = s->find_image(image_of(n).key, image_of(n).material);
      const auto decision = s->find_decision(a_decision(n).key, a_decision(n).material);
      EXPECT_EQ(image.has_value(), decision.has_value()) << n;
      EXPECT_TRUE(!image || image->bytes == image_of(n).bytes) << n;
      found += image.has_value();
    }
    EXPECT_TRUE(warnings.empty()) << said();
    return found;
  }
  int parts() const {
    int n = 0;
    for (const auto& e : std::filesystem::directory_iterator(folder))
      n += e.path().filename().string().find(".part-") != std::string::npos;
    return n;
  }
  std::string path, key;
};

TEST_F(packs_test, killed_at_every_write_while_one_is_made_in_place_of_another) {
  write(0, 2, true);
  const std::string before = read(path);
  arm(folder, {});
  write(0, rows, true);
  const long calls = disarm();
  int kills = 0, old = 0;
  for (long n = 0; n < calls && !HasFailure(); ++n)
    for (const auto how : {plan::act::kill, plan::act::tear}) {
      std::ofstream(path, std::ios::binary) << before;
      kills += killed(finish(start([&] {
        arm(folder, {.what = how, .at = n});
        write(0, rows, true);
        return true;
      })));
      SCOPED_TRACE("killed at call " + std::to_string(n));
      const int found = whole_pack();
      EXPECT_TRUE(found == 2 || found == rows) << found;
      old += found == 2;
      write(0, 3, true);
      EXPECT_EQ(whole_pack(), 3);
      EXPECT_EQ(parts(), 0) << "what the killed one left behind is swept away";
    }
  RecordProperty("kills", kills);
  EXPECT_GT(old, 10);
  EXPECT_GT(kills, 30);
}

TEST_F(packs_test, the_power_fails_after_any_operation) {
  const std::string before = [&] { return write(0, 2, true), read(path); }();
  record(folder);
  write(0, rows, true);
  std::vector<operation> tape = recorded();
  // What was there before is on the disk.
  std::vector<operation> all{{writes, path, {}, 0, before}, {syncs, path}};
  all.insert(all.end(), tape.begin(), tape.end());
  int states = 0;
  for (std::size_t until = 2; until <= all.size() && !HasFailure(); ++until)
    for (const lost how : {lost::unsynced, lost::last, lost::some, lost::data}) {
      SCOPED_TRACE("after operation " + std::to_string(until) + ", loss " + std::to_string(int(how)));
      std::filesystem::remove_all(folder);
      ::mkdir(folder.c_str(), 0700);
      for (const auto& [name, bytes] : disk_after(all, until, how, unsigned(states)))
        if (name != folder) std::ofstream(name, std::ios::binary) << bytes;
      const int found = whole_pack();
      EXPECT_TRUE(found == 2 || (found == rows && until > all.size() - 3)) << found;
      ++states;
    }
  RecordProperty("states", states);
  EXPECT_GT(states, 60);
}

TEST_F(packs_test, every_call_of_the_making_fails) {
  write(0, 2, true);
  const std::string before = read(path);
  for (const int error : {EIO, ENOSPC}) {
    arm(folder, {.which = everything});
    write(0, rows, true);
    const long calls = disarm();
    int refused = 0;
    for (long n = 0; n < calls && !HasFailure(); ++n) {
      SCOPED_TRACE("call " + std::to_string(n));
      std::ofstream(path, std::ios::binary) << before;
      bool made = true;
      try {
        const armed on(folder, {plan::act::fail, everything, n, error});
        write(0, rows, true);
      } catch (const jit::error& e) {
        EXPECT_THAT(e.what(), ::testing::HasSubstr(path)) << "says which file";
        made = false;
      }
      refused += !made;
      EXPECT_EQ(whole_pack(), made ? rows : 2);
    }
    EXPECT_GT(refused, 20);
  }
}

// ---- any byte changed

class pack_flips : public packs_test, public ::testing::WithParamInterface<bool> {
 protected:
  int kept = 0, refused = 0;
  void trial(const std::string& bytes, std::size_t at) {
    if (HasFailure()) return;
    SCOPED_TRACE("changed at byte " + std::to_string(at));
    warnings.clear();
    std::unique_ptr<store> s;
    if (GetParam()) {
      s = mount({bytes.data(), bytes.size()}, true);
    } else {
      std::ofstream(path, std::ios::binary) << bytes;
      s = mount(path, false);
    }
    expect_nothing_wrong(*s);
    s->list();
    const cache_stats said_by_it = s->stats();
    const bool mounted = !said_by_it.packs.empty() && said_by_it.packs[0].trouble.empty();
    (mounted ? kept : refused) += 1;
    EXPECT_TRUE(mounted || !warnings.empty()) << "refused without a word";
    s->put_image(an_image(50));
    EXPECT_TRUE(s->find_image(an_image(50).key, an_image(50).material));
    EXPECT_LE(warnings.size(), 4u) << said();
  }
};

TEST_P(pack_flips, give_no_row_that_was_not_packed) {
  write(0, rows, GetParam());
  const std::string original = read(path);
  const std::size_t page = std::size_t((unsigned char)original[16]) << 8 | (unsigned char)original[17];
  const auto each = [&](const std::string& b, std::size_t at) { trial(b, at); };
  int n = mutate_headers(original, page, each);
  n += mutate_values(original, values(), each);
  n += mutate_anywhere(original, page, 2000, 11, each);
  RecordProperty("mutations", n);
  RecordProperty("still mounted", kept);
  RecordProperty("refused", refused);
  EXPECT_GT(n, 5000);
  EXPECT_GT(kept, 100);
  EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(signed_or_not, pack_flips, ::testing::Bool());

}  // namespace
}  // namespace glass::faults
