// Packs as layers: their order, what hides what, which of them are used, and what is said about the others.
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "pack_fixture.hpp"

namespace glass::jit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
class pack_layers_test : public pack_fixture {
 protected:
  // A pack of one decision with that placement, and an image.
  std::string of(const std::string& name, const std::string& placement) const {
    pack_writer w;
    decision_row d = a_decision();
    d.placement = placement;
    w.add(d, {});
    image_row r = an_image();
    r.label = placement;
    w.add(r);
    w.finish(path(name), "");
    return path(name);
  }
  std::string found(store& s) const {
    const auto d = s.find_decision(a_decision().key, a_decision().material);
    return d ? d->placement + " from " + d->layer : "nothing";
  }
};

TEST_F(pack_layers_test, the_overlay_comes_before_the_packs_and_the_first_pack_before_the_second) {
  const std::string a = of("a.pack", "scope=warp"), b = of("b.pack", "scope=thread");
  const auto s = mounted({a, b}, {}, folder);
  EXPECT_EQ(found(*s), "scope=warp from pack a");
  EXPECT_EQ(s->find_image(an_image().key, an_image().material)->label, "scope=warp");
  EXPECT_EQ(found(*mounted({b, a}, {}, folder)), "scope=thread from pack b");
  decision_row own = a_decision();
  own.placement = "scope=block";
  s->put_decision(own);
  EXPECT_EQ(found(*s), "scope=block from overlay");
  const auto related = s->find_related("posv/1", "f32", "", "throughput");
  ASSERT_THAT(related, SizeIs(1)) << "one row for one key";
  EXPECT_EQ(related[0].layer, "overlay");
  EXPECT_THAT(warnings, IsEmpty()) << said();
}

TEST_F(pack_layers_test, memory_comes_before_all) {
  const auto s = mounted({of("a.pack", "scope=warp")});
  decision_row own = a_decision();
  own.placement = "scope=block";
  s->put_decision(own);
  EXPECT_EQ(found(*s), "scope=block from memory");
}

TEST_F(pack_layers_test, nothing_of_a_pack_gets_into_the_overlay_by_being_used) {
  make();
  {
    const auto s = mounted({path()}, {}, folder);
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
    EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
    EXPECT_THAT(s->candidates(a_decision().key), SizeIs(2));
    EXPECT_EQ(s->stats().decisions, 0) << "the packs are counted apart";
    EXPECT_EQ(s->stats().packs.at(0).decisions, 2);
  }
  const auto alone = open();
  EXPECT_EQ(alone->stats().images + alone->stats().decisions, 0);
  EXPECT_THAT(alone->candidates(a_decision().key), IsEmpty());
}

TEST_F(pack_layers_test, a_verdict_that_was_marked_hides_the_same_in_the_packs_but_not_another) {
  const std::string bad = of("bad.pack", "scope=warp"), good = of("good.pack", "scope=thread");
  mounted({bad}, {}, folder)->mark_decision(a_decision().key, "winner no longer loads");
  const auto s = mounted({bad}, {}, folder);
  EXPECT_EQ(s->find_decision(a_decision().key, a_decision().material)->state, "winner no longer loads");
  EXPECT_THAT(s->find_related("posv/1", "f32", "", "throughput"), IsEmpty());
  EXPECT_EQ(found(*mounted({bad, good}, {}, folder)), "scope=thread from pack good");
}

TEST_F(pack_layers_test, an_image_that_the_device_refused_is_not_found_again_in_a_pack) {
  const std::string a = of("a.pack", "scope=warp");
  const auto s = mounted({a}, {}, folder);
  s->drop_image(an_image().key, "refused by the device");
  EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
  EXPECT_FALSE(s->find_family(an_image().family, 0));
  image_row again = an_image();
  again.label = "made again";
  s->put_image(again);
  EXPECT_EQ(s->find_image(an_image().key, an_image().material)->layer, "overlay");
}

TEST_F(pack_layers_test, a_family_goes_on_through_the_layers_without_what_is_damaged) {
  pack_writer w;
  image_row other = an_image("by another compiler");
  other.family = an_image().family;
  w.add(an_image());
  w.add(other);
  w.finish(path(), "");
  change("UPDATE image SET length = length + 1 WHERE key = '" + other.key + "'");
  const auto s = mounted({path()}, {}, folder);
  image_row own = an_image("of this machine");
  own.family = an_image().family;
  s->put_image(own);
  EXPECT_EQ(s->find_family(own.family, 0)->layer, "overlay");
  EXPECT_EQ(s->find_family(own.family, 1)->key, an_image().key);
  EXPECT_FALSE(s->find_family(own.family, 2));
}

TEST_F(pack_layers_test, what_cannot_be_mounted_is_one_warning_and_the_next_layer) {
  write("text.pack", std::string(3000, 'x'));
  const std::string good = of("good.pack", "scope=warp");
  const auto s = mounted({path("missing.pack"), path("text.pack"), root, good}, {}, folder);
  EXPECT_EQ(found(*s), "scope=warp from pack good");
  EXPECT_EQ(found(*s), "scope=warp from pack good");
  EXPECT_THAT(warnings, SizeIs(3)) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr("missing.pack is not used: there is no such file"),
                            HasSubstr("text.pack is not used: it is no pack")));
  ASSERT_THAT(s->stats().packs, SizeIs(4));
  EXPECT_EQ(s->stats().packs[1].trouble, "it is no pack");
}

TEST_F(pack_layers_test, files_that_sqlite_would_take_for_a_journal_are_ignored_and_named) {
  make();
  const std::string whole = bytes_of();
  for (const char* side : {"-wal", "-journal", "-shm"}) write(std::string("robot.pack") + side, whole);
  const auto s = mounted({path()});
  EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
  EXPECT_THAT(warnings, Contains(HasSubstr("robot.pack-wal beside it is ignored")));
  EXPECT_EQ(bytes_of(), whole);
  EXPECT_EQ(bytes_of("robot.pack-wal"), whole);
}

TEST_F(pack_layers_test, a_folder_that_cannot_be_written_is_no_hindrance) {
  make();
  std::filesystem::create_directory(root + "/medium");
  std::filesystem::rename(path(), root + "/medium/robot.pack");
  ::chmod((root + "/medium/robot.pack").c_str(), 0444);
  ::chmod((root + "/medium").c_str(), 0555);
  const auto s = mounted({root + "/medium/robot.pack"}, {}, folder);
  EXPECT_EQ(s->find_decision(a_decision().key, a_decision().material)->layer, "pack robot");
  ::chmod((root + "/medium").c_str(), 0755);
  EXPECT_THAT(warnings, IsEmpty()) << said();
}

TEST_F(pack_layers_test, the_bytes_of_a_pack_in_memory_are_mounted_without_a_file) {
  make();
  const std::string bytes = bytes_of();
  std::filesystem::remove(path());
  const auto s = mounted({pack_source(bytes.data(), bytes.size())});
  EXPECT_EQ(s->find_image(an_image().key, an_image().material)->layer, "pack flat");
  EXPECT_THAT(warnings, IsEmpty()) << said();
  std::string bad = bytes;
  const std::vector<unsigned char> image = an_image().bytes;
  bad[bad.find(std::string(image.begin(), image.begin() + 100))] ^= 1;
  EXPECT_NE(verify_pack(pack_source(bad.data(), bad.size())).faults.size(), 0u);
  EXPECT_EQ(refusal(pack_source(bytes.data(), bytes.size() - 1)), "it is cut short, or something was added to it");
  EXPECT_EQ(refusal(pack_source(nullptr, 0)), "it is no pack");
}

TEST_F(pack_layers_test, both_sides_of_a_fork_go_on_reading) {
  make();
  const auto s = mounted({path()}, {}, folder);
  const auto reads = [&] { return s->find_image(an_image().key, an_image().material).has_value(); };
  EXPECT_TRUE(reads());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(reads() ? 0 : 1);
  EXPECT_TRUE(reads());
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(pack_layers_test, a_pack_that_is_replaced_while_it_is_mounted_stays_what_it_was) {
  const std::string a = of("a.pack", "scope=warp");
  const auto s = mounted({a});
  of("a.pack", "scope=thread");
  EXPECT_EQ(found(*s), "scope=warp from pack a");
}

TEST_F(pack_layers_test, the_environment_names_packs_and_keys) {
  ::setenv("GLASS_PACKS", "/a.pack:/b.pack", 1);
  ::setenv("GLASS_PACK_KEYS", "/k.pub", 1);
  const store_options o = store::from_environment();
  ::unsetenv("GLASS_PACKS");
  ::unsetenv("GLASS_PACK_KEYS");
  ASSERT_THAT(o.packs, SizeIs(2));
  EXPECT_EQ(o.packs[1].path, "/b.pack");
  EXPECT_THAT(o.keys, testing::ElementsAre("/k.pub"));
}

}  // namespace
}  // namespace glass::jit
