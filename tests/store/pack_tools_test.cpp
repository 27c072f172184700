// Export, merge, import and diff: what is chosen, and that the outcome depends on nothing but the rows.
#include <gmock/gmock.h>

#include <random>

#include "base/headers.hpp"
#include "catalog/catalog.hpp"
#include "glass/jit/runtime.hpp"
#include "pack_fixture.hpp"
#include "store/pack_rows.hpp"

namespace glass::jit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
class pack_tools_test : public pack_fixture {
 protected:
  // An image as the builder keeps it.
  static image_row built(const std::string& kernel, const std::string& target = "sm_90",
                         const std::string& headers = embedded_headers_hash()) {
    material m;
    m.add("target", target).add("headers", headers).add("instantiation", kernel).add("compiler", "cc 1");
    image_row r = an_image(m.text());
    r.target = target, r.label = kernel;
    return r;
  }
  static bound_problem posv() {
    problem p;
    p.sizes["N"] = 12, p.type = f32, p.batch = 4096;
    return bind(find_operation("posv"), p, true);
  }
  // A decision with its race: winner, runner-up, default and one that lost.
  void tune(store& s, const std::string& problem, double ns = 1, const std::string& created = "2026-01-01T00:00:00Z") {
    decision_row d = a_decision(problem);
    const bound_problem p = posv();
    d.identity = p.identity, d.options = p.options_text();
    d.sizes = problem, d.ns = ns, d.default_ns = 9, d.created = created;
    const std::pair<const char*, double> race[] = {
        {"winner", ns}, {"runner-up", 2 * ns}, {"default", 9}, {"loser", 20}};
    for (const auto& [name, time] : race) {
      const image_row image = built(problem + " " + name);
      s.put_image(image);
      candidate_row c = a_candidate(name, {time, time, time});
      c.decision_key = d.key, c.image_key = image.key;
      s.put_candidate(c);
    }
    d.placement = "winner", d.runner_up = "runner-up", d.image_key = built(problem + " winner").key;
    s.put_decision(d);
  }
  std::vector<std::string> labels(const std::string& pack) {
    std::vector<std::string> all;
    for (const cache_entry& e : mounted({path(pack)})->list())
      if (e.what == "image") all.push_back(e.placement + " " + e.device);
    std::sort(all.begin(), all.end());
    return all;
  }
  std::string merged(const std::vector<std::string>& in) { return merge_packs(path("merged.pack"), in).pack.content; }
};

TEST_F(pack_tools_test, export_takes_decisions_and_the_images_that_a_robot_can_need) {
  const auto s = open();
  tune(*s, "a");
  s->put_image(built("named by the user"));
  s->put_image(built("a winner", "sm_87"));
  s->put_image(built("of an older glass", "sm_90", "other headers"));
  decision_row bad = a_decision("bad");
  s->put_decision(bad);
  s->mark_decision(bad.key, "no longer loads");
  candidate_row interrupted = a_candidate("interrupted", {});
  interrupted.decision_key = a_decision("a").key, interrupted.state = "running";
  s->put_candidate(interrupted);

  const pack_report all = export_pack(folder, path());
  EXPECT_EQ(all.pack.decisions, 1);
  EXPECT_EQ(all.pack.candidates, 4);
  EXPECT_THAT(all.notes, IsEmpty());
  EXPECT_THAT(labels("robot.pack"), testing::ElementsAre("a default sm_90", "a runner-up sm_90", "a winner sm_87",
                                                         "a winner sm_90", "named by the user sm_90"));
  export_options o;
  o.targets = {"sm_87", "sm_72"};
  const pack_report some = export_pack(folder, path("some.pack"), o);
  EXPECT_THAT(labels("some.pack"), testing::ElementsAre("a winner sm_87"));
  EXPECT_THAT(some.notes, testing::ElementsAre(HasSubstr("no image of its winner for sm_72")));
  EXPECT_EQ(export_pack(path(), path("again.pack")).pack.content, all.pack.content) << "of a pack the same";
  EXPECT_EQ(export_pack(path(), path("narrow.pack"), o).pack.content, some.pack.content);
}

TEST_F(pack_tools_test, export_can_be_restricted_to_the_problems_of_a_manifest) {
  const auto s = open();
  tune(*s, "N=12 NRHS=1");
  tune(*s, "N=13 NRHS=1");
  write("m.json", R"({"problems": [{"operation": "posv", "sizes": {"N": 12}, "type": "f32", "batch": 4096},
                                   {"operation": "posv", "sizes": {"N": 99}, "type": "f32", "batch": 4096}]})");
  export_options o;
  o.manifest = path("m.json");
  const pack_report r = export_pack(folder, path(), o);
  EXPECT_EQ(r.pack.decisions, 1);
  EXPECT_THAT(r.notes,
              testing::ElementsAre(HasSubstr("posv N=99 NRHS=1 FACTOR=keep SHIFT=none f32 batch=4096: not decided")));
  for (const std::string& label : labels("robot.pack")) EXPECT_THAT(label, HasSubstr("N=12"));
}

TEST_F(pack_tools_test, an_export_that_fails_leaves_what_was_there_and_clears_up) {
  make();
  const std::string before = bytes_of();
  export_options o;
  o.key = path("no such key");
  open();
  EXPECT_THROW(export_pack(folder, path(), o), error);
  EXPECT_EQ(bytes_of(), before);
  EXPECT_THROW(export_pack(root + "/no cache", path()), error);
  EXPECT_THROW(export_pack(folder, root + "/no/folder/robot.pack"), error);
  write("robot.pack.part-killed", "half");
  export_pack(folder, path());
  for (const auto& e : std::filesystem::directory_iterator(root))
    EXPECT_THAT(e.path().string(), testing::Not(HasSubstr(".part-")));
}

TEST_F(pack_tools_test, merge_takes_the_faster_by_a_rung_and_else_the_newer) {
  tune(*open(root + "/old"), "p", 100, "2026-01-01T00:00:00Z");
  tune(*open(root + "/near"), "p", 100.5, "2026-02-01T00:00:00Z");
  tune(*open(root + "/slow"), "p", 120, "2026-03-01T00:00:00Z");
  const auto winner = [&](std::vector<std::string> in) {
    for (std::string& i : in) i = root + "/" + i;
    merge_packs(path(), in);
    return mounted({path()})->find_decision(a_decision("p").key, "p")->ns;
  };
  EXPECT_EQ(winner({"old", "near"}), 100.5) << "as fast: the newer";
  EXPECT_EQ(winner({"old", "slow"}), 100) << "the faster";
  EXPECT_EQ(winner({"slow", "near", "old"}), 100.5);
}

TEST_F(pack_tools_test, merge_does_not_depend_on_order_or_grouping) {
  std::mt19937 random(7);
  std::vector<std::string> in;
  for (int i = 0; i < 4; ++i) {
    const std::string where = root + "/cache" + std::to_string(i);
    const auto s = open(where);
    for (const char* problem : {"p", "q", "r"})
      if (random() % 4) tune(*s, problem, 100 + double(random() % 12), "2026-01-0" + std::to_string(1 + random() % 3));
    in.push_back(where);
  }
  const std::string all = merged(in);
  std::reverse(in.begin(), in.end());
  EXPECT_EQ(merged(in), all);
  EXPECT_EQ(merged({in[0], in[1], in[2], in[3], in[1], in[0]}), all);
  merge_packs(path("left"), {in[0], in[1]});
  merge_packs(path("right"), {in[2], in[3]});
  EXPECT_EQ(merged({path("left"), path("right")}), all);
  merge_packs(path("left"), {in[0], in[2], in[3]});
  EXPECT_EQ(merged({in[1], path("left")}), all);
  EXPECT_EQ(merged({path("merged.pack")}), all);
}

TEST_F(pack_tools_test, shards_that_were_tuned_apart_merge_to_what_one_cache_holds) {
  const auto whole = open(root + "/whole");
  std::vector<std::string> shards;
  for (const char* problem : {"p", "q", "r"}) {
    shards.push_back(root + "/" + problem);
    tune(*open(shards.back()), problem, 5, "2026-05-05T05:05:05Z");
    tune(*whole, problem, 5, "2026-06-06T06:06:06Z");
  }
  EXPECT_EQ(merged(shards), export_pack(root + "/whole", path()).pack.content);
}

TEST_F(pack_tools_test, import_takes_what_is_missing_or_better_and_says_so) {
  const auto bench = open(root + "/bench");
  tune(*bench, "p", 100);
  tune(*bench, "q", 100);
  tune(*bench, "r", 100);
  export_pack(root + "/bench", path());
  {
    const auto own = open();
    tune(*own, "p", 200, "2027-01-01T00:00:00Z");
    tune(*own, "q", 100, "2027-01-01T00:00:00Z");
  }
  const import_report r = import_pack(path(), folder);
  EXPECT_EQ(r.decisions, 2);
  EXPECT_EQ(r.kept, 1);
  EXPECT_EQ(r.images, 3);
  EXPECT_THAT(
      r.notes,
      Contains(HasSubstr("posv p FACTOR=keep SHIFT=none f32 batch=4096: winner, 100 ns in place of winner, 200 ns")));
  const auto s = open();
  EXPECT_EQ(s->find_decision(a_decision("p").key, "p")->ns, 100);
  EXPECT_EQ(s->find_decision(a_decision("r").key, "r")->layer, "overlay");
  EXPECT_THAT(s->candidates(a_decision("r").key), SizeIs(4));
  const import_report again = import_pack(path(), folder);
  EXPECT_EQ(again.decisions + again.images, 0);
  EXPECT_THROW(import_pack(path(), "memory"), error);
  make_pack_key(path("k"));
  EXPECT_THROW(import_pack(path(), folder, {path("k.pub")}), error) << "it is not signed";
}

TEST_F(pack_tools_test, damaged_rows_are_left_out_and_named) {
  tune(*open(), "p");
  tune(*open(), "q");
  sql("UPDATE decision SET placement = 'x' WHERE material = 'p'");
  sql("UPDATE image SET bytes = zeroblob(length) WHERE label = 'q winner'");
  const pack_report r = export_pack(folder, path());
  EXPECT_EQ(r.pack.decisions, 1);
  EXPECT_THAT(r.notes, Contains(HasSubstr("decision " + a_decision("p").key.substr(0, 12) + " is left out")));
  EXPECT_THAT(r.notes, Contains(HasSubstr("image " + built("q winner").key.substr(0, 12) + " is left out")));
  EXPECT_THAT(faults(), IsEmpty());
}

TEST_F(pack_tools_test, diff_names_what_is_missing_on_either_side_or_not_the_same) {
  tune(*open(root + "/a"), "p", 100);
  tune(*open(root + "/a"), "q", 100);
  tune(*open(root + "/b"), "q", 50);
  export_pack(root + "/a", path("a.pack"));
  EXPECT_THAT(diff_packs(path("a.pack"), root + "/a"), IsEmpty());
  const auto all = diff_packs(path("a.pack"), root + "/b");
  ASSERT_THAT(all, SizeIs(2 + 3));
  for (const pack_difference& d : all) {
    if (d.what == "image") continue;
    EXPECT_EQ(d.left, "winner, 100 ns");
    EXPECT_EQ(d.right, d.problem == "posv q FACTOR=keep SHIFT=none f32 batch=4096" ? "winner, 50 ns" : "");
  }
}

}  // namespace
}  // namespace glass::jit
