// info, ops, run, tune, cache: what they print, the keys of --json, and what they say when they are asked wrongly.
#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "glass/jit/runtime.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Command : public program {};

TEST_F(Command, InfoSaysWhatIsThereAndWhatIsMissing) {
  const answer a = glass("info --json");
  ASSERT_EQ(a.status, 0) << a.err;
  const auto j = a.json();
  EXPECT_THAT(keys_of(j), ElementsAre("version", "devices", "missing", "libraries", "cache"));
  EXPECT_THAT(keys_of(j["cache"]), ElementsAre("location", "persistent", "trouble", "bytes", "images", "decisions"));
  const auto host = j["devices"].back();
  EXPECT_THAT(keys_of(host), ElementsAre("id", "backend", "name", "target", "driver", "compiler", "cores",
                                         "memory_bytes", "shared_bytes_per_block", "power_class", "fingerprint"));
  EXPECT_EQ(host["id"], "host");
  EXPECT_THAT(host["compiler"].get<std::string>(), Not(HasSubstr("none")));
  if (j["devices"].size() == 1) {
    ASSERT_FALSE(j["missing"].empty());
    EXPECT_THAT(keys_of(j["missing"][0]), ElementsAre("what", "code", "reason", "install"));
    EXPECT_EQ(j["missing"][0]["what"], "GPU");
    EXPECT_FALSE(j["missing"][0]["install"].get<std::string>().empty());
  }
  EXPECT_THAT(glass("info").out, AllOf(HasSubstr("host "), HasSubstr("cache ")));
}

TEST_F(Command, InfoSaysWhichCompilerIsMissing) {
  const answer a = glass("info --json", "CXX=/nonexistent/c++ PATH=/nonexistent");
  EXPECT_THAT(a.out, HasSubstr("compiler of host"));
}

TEST_F(Command, OpsListsTheCatalogAndDescribesOneOperation) {
  EXPECT_THAT(glass("ops").out, AllOf(HasSubstr("posv"), HasSubstr("gemm"), HasSubstr("TRANSA TRANSB")));
  const answer one = glass("ops posv");
  EXPECT_THAT(one.out, AllOf(HasSubstr("Solves A x = b"), HasSubstr("{N, NRHS}"), HasSubstr("fragment, loop")));
  EXPECT_EQ(glass("ops --json").json()["operations"].size(), operations().size());
  EXPECT_THAT(
      keys_of(glass("ops posv --json").json()),
      ElementsAre("name", "text", "header", "operands", "sizes", "options", "tunables", "stages", "bodies", "rules",
                  "defaults", "flops", "bytes", "bound", "revision", "contract", "exchange", "in_step"));
}

TEST_F(Command, OpsPrintsTheTableOfTheReadme) {
  EXPECT_THAT(glass("ops --markdown").out,
              AllOf(HasSubstr("| `dot` | x, y, r | N |"), HasSubstr("| y = alpha x + y, in place. |\n"),
                    HasSubstr("| c = \\|a\\|, element by element. |\n")));
}

TEST_F(Command, RunTunesOnceThenServesFromTheCache) {
  own_cache = true;
  const answer first = glass("run dot --size N=3 --batch 64 --tune exhaustive --json");
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(
      keys_of(first.json()),
      ElementsAre("problem", "device", "device_name", "placement", "tier", "first_answer", "ns_per_problem", "ns_low",
                  "ns_high", "gflops", "gigabytes_per_second", "default_placement", "default_ns_per_problem",
                  "speedup_over_default", "measure", "check", "compiles", "tuning_launches", "startup_ms"));
  EXPECT_GT(first.json()["compiles"], 0);
  EXPECT_GT(first.json()["tuning_launches"], 0);
  EXPECT_GT(first.json()["ns_per_problem"], 0);
  EXPECT_EQ(first.json()["problem"], "dot N=3 SUM=fast f32 batch=64");
  EXPECT_EQ(first.json()["device"], "host");
  const answer second = glass("run dot --size N=3 --batch 64 --json");
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(second.json()["compiles"], 0);
  EXPECT_EQ(second.json()["tuning_launches"], 0);
  EXPECT_EQ(second.json()["tier"], "exact");
  EXPECT_EQ(second.json()["placement"], first.json()["placement"]);
}

TEST_F(Command, RunTakesANamedPlacementAndOptions) {
  const answer a = glass(
      "run gemv --size N=5 --size M=3 --option TRANS=yes --type f64 --batch 7 --placement 'scope=tile4 pack=2 "
      "home=shared' --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_EQ(a.json()["tier"], "named");
  EXPECT_EQ(a.json()["problem"], "gemv M=3 N=5 TRANS=yes f64 batch=7");
  EXPECT_THAT(a.json()["placement"].get<std::string>(), HasSubstr("scope=tile4 pack=2 home=shared"));
  EXPECT_THAT(a.json()["check"].get<std::string>(), HasSubstr("agrees with"));
  EXPECT_EQ(a.json()["tuning_launches"], 0);
}

TEST_F(Command, RunDrawsProgressOnlyWhenAskedOrOnATerminal) {
  own_cache = true;
  EXPECT_EQ(glass("run dot --size N=2 --tune exhaustive").err, "");
  EXPECT_THAT(glass("run dot --size N=5 --tune exhaustive --progress").err,
              HasSubstr("tuning dot N=5 SUM=fast f32 batch=1  1/"));
}

TEST_F(Command, TuneGoesThroughAManifestAndResumes) {
  own_cache = true;
  write(
      "m.json",
      R"({"problems": [{"operation": "dot", "sizes": {"N": 3}, "batch": 16}, {"operation": "axpy", "sizes": {"N": 3}, "type": "f64"}]})");
  const answer first = glass("tune m.json --tune exhaustive --json");
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(keys_of(first.json()),
              ElementsAre("device", "problems", "failed", "stopped", "compiles", "tuning_launches"));
  EXPECT_THAT(keys_of(first.json()["problems"][1]),
              ElementsAre("problem", "placement", "tier", "ns_per_problem", "speedup_over_default", "tuning_launches",
                          "skipped", "error"));
  EXPECT_EQ(first.json()["problems"].size(), 2u);
  EXPECT_GT(first.json()["tuning_launches"], 0);
  const answer second = glass("tune m.json");
  EXPECT_EQ(second.status, 0);
  EXPECT_THAT(second.out, AllOf(HasSubstr("dot N=3 SUM=fast f32 batch=16"), HasSubstr("(known)")));
  EXPECT_EQ(glass("tune m.json --json").json()["tuning_launches"], 0);
}

TEST_F(Command, CacheSaysWhatItHoldsAndForgetsIt) {
  own_cache = true;
  ASSERT_EQ(glass("run dot --size N=3 --tune exhaustive").status, 0);
  const auto list = glass("cache ls --json").json()["entries"];
  ASSERT_GE(list.size(), 2u);
  EXPECT_THAT(keys_of(list[0]), ElementsAre("id", "what", "problem", "placement", "device", "ns_per_problem",
                                            "default_ns", "samples", "bytes", "created", "last_used", "layer"));
  EXPECT_THAT(glass("cache ls").out, HasSubstr("dot N=3"));
  const std::string id = list[0]["id"];
  EXPECT_THAT(glass("cache show " + id).out, HasSubstr("dot"));
  EXPECT_THAT(keys_of(glass("cache show --json " + id).json()), ElementsAre("id", "text"));
  const auto stats = glass("cache stats --json").json();
  EXPECT_THAT(keys_of(stats),
              ElementsAre("location", "trouble", "bytes", "image_bytes", "images", "decisions", "samples",
                          "failed_candidates", "schema", "most_bytes", "since", "total", "month", "today", "packs"));
  EXPECT_EQ(stats["decisions"], 1);
  EXPECT_THAT(keys_of(glass("cache gc --max 0 --json").json()), ElementsAre("freed_bytes", "image_bytes"));
  EXPECT_EQ(glass("cache stats --json").json()["images"], 0);
  EXPECT_EQ(glass("cache clear --json").json()["decisions"], 1);
  EXPECT_EQ(glass("cache stats --json").json()["decisions"], 0);
}

// ---- asked wrongly
struct mistake {
  const char* arguments;
  const char* says;
};
void PrintTo(const mistake& m, std::ostream* out) { *out << m.arguments; }

class Asked : public program, public ::testing::WithParamInterface<mistake> {};
TEST_P(Asked, WronglyGetsOneSentenceAndNothingElse) {
  write("bad.json", "{\n \"problems\": [}\n");
  write("unknown.json",
        R"({"problems": [{"operation": "posv", "sizes": {"N": 4}}, {"operation": "posv", "sizes": {"M": 4}}]})");
  const auto before = files();
  const answer a = glass(GetParam().arguments);
  EXPECT_NE(a.status, 0);
  EXPECT_EQ(a.out, "");
  EXPECT_THAT(a.err, AllOf(HasSubstr(GetParam().says), ::testing::StartsWith("glass: ")));
  EXPECT_EQ(files(), before);
}
INSTANTIATE_TEST_SUITE_P(
    All, Asked,
    ::testing::Values(
        mistake{"", "subcommand is required"}, mistake{"rnu posv", "'rnu' is not understood here. Did you mean 'run'?"},
        mistake{"--jsn", "'--jsn' is not understood"},
        mistake{"ops psov", "there is no operation 'psov'. Did you mean 'posv'?"},
        mistake{"ops posv --markdown", "excludes"}, mistake{"ops posv gemm", "'gemm' is not understood"},
        mistake{"run psov --size N=3", "Did you mean 'posv'?"},
        mistake{"run posv --sise N=3", "'--sise' is not understood here. Did you mean '--size'?"},
        mistake{"run posv", "the size N is not given"}, mistake{"run", "either an operation or --spec"},
        mistake{"run posv --size NN=3", "has no size 'NN'. Did you mean 'N'?"},
        mistake{"run posv --size N=3 --size N=4", "--size N is given twice"},
        mistake{"run posv --size N=3x", "--size N: '3x' is not an integer"},
        mistake{"run posv --size N", "--size N is not of the form NAME=VALUE"},
        mistake{"run posv --size N=-3", "N=-3 is negative"},
        mistake{"run posv --size N=99999999999", "99999999999 is too large"},
        mistake{"run posv --size N=3 --type f23", "the type f23 does not exist. Did you mean 'f32'?"},
        mistake{"run posv --size N=3 --type i32", "the type is f32 or f64"},
        mistake{"run posv --size N=3 --batch -1", "batch=-1 is not at least 1"},
        mistake{"run posv --size N=3 --batch x", "--batch"},
        mistake{"run posv --size N=3 --option TRANS=yes", "has no option 'TRANS'"},
        mistake{"run gemv --size N=3 --option TRANS=yess", "has no value 'yess'. Did you mean 'yes'?"},
        mistake{"run gemv --size N=3 --option TRAN=yes", "Did you mean 'TRANS'?"},
        mistake{"run posv --size N=3 --device hst", "hst"},
        mistake{"run posv --size N=3 --placement scope=tile3", "scope=tile3 is not a scope"},
        mistake{"run posv --size N=3 --placement 'scope=tile4 body=fragmnt'", "fragmnt"},
        mistake{"run posv --size N=128 --placement 'scope=warp body=fragment'", "does not fit the registers"},
        mistake{"run posv --size N=3 --tune firstuse",
                "the tuning mode firstuse does not exist. Did you mean 'first_use'?"},
        mistake{"run posv --size N=3 --budget 2x", "a time: '2x' is not understood"},
        mistake{"run posv --size N=3 --measure laten", "the measurement mode laten does not exist"},
        mistake{"run --spec nothing.json --source k.cu", "cannot read nothing.json: No such file"},
        mistake{"run posv --spec k.json", "either an operation or --spec"},
        mistake{"run posv --source k.cu --size N=3", "--source goes with --spec"},
        mistake{"tune nothing.json", "cannot read nothing.json: No such file"}, mistake{"tune", "MANIFEST is required"},
        mistake{"tune bad.json", "bad.json: not JSON, line 2, column 15"},
        mistake{"tune unknown.json", "unknown.json: problems[1]: posv has no size 'M'"},
        mistake{"tune .", "is a folder"},
        mistake{"tune unknown.json --shard 3/2", "--shard 3/2 is not of the form K/N"},
        mistake{"cache", "subcommand is required"},
        mistake{"cache lss", "'lss' is not understood here. Did you mean 'ls'?"},
        mistake{"cache show fffffffffff0", "the cache holds no entry 'fffffffffff0'"},
        mistake{"cache gc --max 5Q", "a number of bytes: '5Q' is not understood"}));

TEST_F(Command, ACacheThatCannotBeUsedIsAnErrorOnlyWhereItIsTheQuestion) {
  EXPECT_THAT(glass("cache ls", "GLASS_CACHE=memory").err, HasSubstr("there is no cache"));
  EXPECT_EQ(glass("info", "GLASS_CACHE=memory").status, 0);
}

TEST_F(Command, VersionAndHelp) {
  EXPECT_THAT(glass("--version").out, ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(glass("--help").out, AllOf(HasSubstr("info"), HasSubstr("eval"), HasSubstr("cache")));
}

}  // namespace
}  // namespace glass::jit
