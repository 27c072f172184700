// glass tune: shards, an asked stop, and candidates that take their process down.
#include <gmock/gmock.h>
#include <signal.h>

#include <map>
#include <set>

#include "program.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Tune : public program {
 protected:
  // One problem a line, N from `first` to `last`.
  void manifest(const std::string& file, int first, int last) const {
    std::string text;
    for (int n = first; n <= last; ++n)
      text += (text.empty() ? "" : ",\n") + std::string(R"({"operation": "dot", "sizes": {"N": )") + std::to_string(n) +
              "}}";
    write(file, "{\"problems\": [" + text + "]}");
  }
  std::map<std::string, int> shards(const std::string& file, int of) const {
    std::map<std::string, int> where;
    const auto list = glass("tune " + file + " --list --json --shard 1/" + std::to_string(of)).json();
    EXPECT_EQ(list["shards"], of);
    for (const auto& p : list["problems"]) where[p["problem"]] = p["shard"];
    return where;
  }
};

TEST_F(Tune, AShardHasItsPartWhateverElseIsInTheManifest) {
  manifest("long.json", 1, 60), manifest("short.json", 21, 50);
  const auto all = shards("long.json", 4), some = shards("short.json", 4);
  ASSERT_EQ(all.size(), 60u);
  ASSERT_EQ(some.size(), 30u);
  std::map<int, int> count;
  for (const auto& [problem, shard] : all) ++count[shard];
  ASSERT_EQ(count.size(), 4u);
  for (const auto& [shard, n] : count) EXPECT_GE(n, 5) << shard;
  for (const auto& [problem, shard] : some) EXPECT_EQ(all.at(problem), shard) << problem;
}

TEST_F(Tune, AShardMoreTakesItsShareAndMovesNothingElse) {
  manifest("m.json", 1, 60);
  int moved = 0;
  const auto four = shards("m.json", 4);
  for (const auto& [problem, shard] : shards("m.json", 5)) {
    if (shard == four.at(problem)) continue;
    EXPECT_EQ(shard, 5) << problem;
    ++moved;
  }
  EXPECT_GE(moved, 4);
  EXPECT_LE(moved, 25);
}

TEST_F(Tune, ProblemsOfOneDecisionShareAShard) {
  write("m.json", R"({"problems": [{"operation": "dot", "sizes": {"N": 3}, "batch": 900},
                                    {"operation": "dot", "sizes": {"N": 3}, "batch": 1000}]})");
  for (const int of : {7, 50}) {
    const auto where = shards("m.json", of);
    ASSERT_EQ(where.size(), 2u);
    EXPECT_EQ(where.begin()->second, where.rbegin()->second);
  }
}

TEST_F(Tune, TheListIsATableToo) {
  manifest("m.json", 3, 3);
  EXPECT_EQ(glass("tune m.json --list").out, "shard  problem\n1      dot N=3 SUM=fast f32 batch=1\n");
}

TEST_F(Tune, AnInterruptStopsItBetweenCandidatesAndItGoesOn) {
  own_cache = true;
  manifest("m.json", 2, 9);
  const std::string environment = "env -u GLASS_TUNE -u GLASS_LOG GLASS_DEVICE=host GLASS_CACHE=" + path("cache");
  for (const char* how : {"INT", "TERM"}) {
    // The first line of the report is waited for, then the signal is sent.
    write("go", "#!/bin/bash\ncd '" + folder_.string() + "'\nexec 3< <(exec " + environment +
                    " " GLASS_BINARY_DIR "/glass tune m.json --budget 1ms 2>err)\npid=$!\nhead -1 <&3 >out\nkill -" +
                    how + " $pid\ncat <&3 >>out\nwait $pid\n");
    const int status = std::system(("bash " + path("go")).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_THAT(read(path("err")), HasSubstr("the same command goes on from there"));
  }
  EXPECT_THAT(read(path("out")), HasSubstr("(known)"));
}

// Three candidates by a tunable: WAY=1 traps and WAY=2 loops, but only in launches of more problems than the check of
// their results has.
class Risky : public Tune {
 protected:
  void SetUp() override {
    Tune::SetUp();
    own_cache = true;
    write("risky.cuh",
          "template <int WAY, class S, class X, class Y> GLASS_DEVICE void risky(S, X x, Y y) {\n"
          "  static int calls = 0;\n"
          "  if (WAY > 0 && ++calls > 600) {\n"
          "    if (WAY == 1) __builtin_trap();\n"
          "    for (volatile bool on = true; on;) {}\n"
          "  }\n"
          "  y(0) = 2 * x(0);\n"
          "}\n");
    write("risky.json", R"({"name": "risky", "tunables": [{"name": "WAY", "values": [0, 1, 2]}],
      "rules": [{"require": "pack == 64", "reason": "three candidates are enough"}],
      "operands": [{"name": "x", "access": "in", "shape": ["1"]}, {"name": "y", "access": "out", "shape": ["1"]}]})");
    write("m.json", R"({"problems": [{"source": "risky.cuh", "spec": "risky.json", "batch": 4096}]})");
  }
  std::string candidates() const {
    const auto list = glass("cache ls --json").json();
    for (const auto& e : list["entries"])
      if (e["what"] == "decision") return glass("cache show " + e["id"].get<std::string>()).out;
    return {};
  }
};

TEST_F(Risky, InAProcessOfItsOwnOneThatCrashesOrHangsCostsOneCandidate) {
  const answer a = glass("tune m.json --isolate --budget 60s --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(a.err, AllOf(HasSubstr("WAY=1: its process was ended by signal 4 (Illegal instruction)"),
                           HasSubstr("WAY=2: it did not come back")));
  EXPECT_EQ(a.json()["problems"].size(), 1u);
  EXPECT_THAT(a.json()["problems"][0]["placement"], HasSubstr("WAY=0"));
  EXPECT_EQ(a.json()["device"], "host");
  EXPECT_THAT(candidates(),
              AllOf(HasSubstr("WAY=0 | ok"), HasSubstr("WAY=1 | killed (its process was ended by signal 4"),
                    HasSubstr("WAY=2 | hang")));
  EXPECT_EQ(glass("tune m.json --isolate --json").json()["tuning_launches"], 0) << "they are not tried again";
}

TEST_F(Risky, WithoutItTheNextRunSkipsWhatTookTheLastOneDown) {
  write("risky.json", R"({"name": "risky", "tunables": [{"name": "WAY", "values": [0, 1]}],
      "rules": [{"require": "pack == 64", "reason": "two candidates are enough"}],
      "operands": [{"name": "x", "access": "in", "shape": ["1"]}, {"name": "y", "access": "out", "shape": ["1"]}]})");
  EXPECT_NE(glass("tune m.json --budget 60s").status, 0);
  const answer next = glass("tune m.json --budget 60s");
  ASSERT_EQ(next.status, 0) << next.err;
  EXPECT_THAT(next.err, AllOf(HasSubstr("WAY=1: the process ended while this candidate ran. It is skipped")));
  EXPECT_THAT(next.out, HasSubstr("(1 skipped: a process ended while they ran)"));
  EXPECT_THAT(candidates(), HasSubstr("WAY=1 | killed (the process ended while this candidate ran.)"));
  const answer retried = glass("tune m.json --isolate --budget 60s");
  EXPECT_EQ(retried.status, 0) << retried.err;
  EXPECT_THAT(retried.err, HasSubstr("WAY=1: its process was ended by signal 4"));
}

TEST_F(Risky, ADefaultThatTakesItsProcessDownIsAnErrorOfItsProblemOnly) {
  write("risky.json", R"({"name": "risky", "tunables": [{"name": "WAY", "values": [1]}],
      "operands": [{"name": "x", "access": "in", "shape": ["1"]}, {"name": "y", "access": "out", "shape": ["1"]}]})");
  write("m.json", R"({"problems": [{"source": "risky.cuh", "spec": "risky.json", "batch": 4096},
                                    {"operation": "dot", "sizes": {"N": 3}}]})");
  const answer a = glass("tune m.json --isolate --budget 1ms --json");
  EXPECT_EQ(a.status, 1);
  ASSERT_EQ(a.json()["problems"].size(), 2u);
  EXPECT_THAT(a.json()["problems"][0]["error"], AllOf(HasSubstr("given up"), HasSubstr("signal 4")));
  EXPECT_EQ(a.json()["problems"][1]["error"], "");
}

}  // namespace
}  // namespace glass::jit
