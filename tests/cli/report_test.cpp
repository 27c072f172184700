// glass report: one page with everything that is stored, from which no text of a user can break out; and glass cache sql.
#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "cli/program.hpp"
#include "store/pack_writer.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Report : public program {
 protected:
  Report() { own_cache = true; }
  static decision_row decision(const std::string& operation, int n, const std::string& power = "unspecified") {
    decision_row d;
    d.material = operation + " " + std::to_string(n) + power, d.key = hash(d.material);
    d.identity = operation + "/1", d.sizes = "N=" + std::to_string(n) + " NRHS=1", d.type = "f32",
    d.measure = "throughput", d.batch_class = 16384, d.backend = "cuda", d.target = "sm_90";
    d.fingerprint = "cuda sm_90 sm=132", d.power_class = power,
    d.candidate_set = std::to_string(candidate_set_revision);
    d.placement = "variant=fused scope=tile8 pack=16 home=shared", d.runner_up = "scope=warp pack=4";
    d.ns = 0.5 * n, d.default_ns = 0.75 * n, d.samples = 40, d.complete = true, d.driver = "580.1 (CUDA 13.0)";
    d.compiler = "NVRTC 13.0", d.created = "2026-01-02T03:04:05Z";
    return d;
  }
  // A cache of these decisions, each with three candidates.
  void fill(const std::vector<decision_row>& decisions) const {
    const auto rows = store::open(path("cache"), nullptr);
    for (const decision_row& d : decisions) {
      rows->put_decision(d);
      rows->put_candidate({d.key, d.placement, "ok", "", {d.ns, d.ns * 1.01, d.ns * 0.99}, 0.2, ""});
      rows->put_candidate({d.key, "scope=thread pack=64", "ok", "", {d.default_ns}, 0.1, ""});
      rows->put_candidate({d.key, "scope=warp pack=4", "wrong", "x of problem 3 differs by 2", {}, 0.1, ""});
    }
    image_row image;
    image.key = image.material = "k", image.target = "sm_90", image.bytes.assign(5000, 1);
    rows->put_image(image);
  }
  nlohmann::ordered_json data(const std::string& page) const {
    const std::string start = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(start) + start.size();
    return nlohmann::ordered_json::parse(page.substr(from, page.find("</script>", from) - from));
  }
  // Every element is closed where it should be, by Python's parser; nothing refers to another file.
  void check_form(const std::string& file) const {
    write("form.py", R"(
import html.parser, sys
class Form(html.parser.HTMLParser):
    open = []
    scripts = 0
    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        assert not {"src", "href", "srcset", "action"} & {k for k, v in attributes}, self.get_starttag_text()
        if tag not in ("meta", "br", "input"): self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())
form = Form()
form.feed(open(sys.argv[1], encoding="ascii" if "--ascii" in sys.argv else "utf-8").read())
form.close()
assert not form.open and form.scripts == 2, (form.open, form.scripts)
)");
    EXPECT_EQ(std::system(("python3 " + path("form.py") + " " + path(file)).c_str()), 0);
  }
};

TEST_F(Report, ThePageHoldsEveryDecisionCandidateAndFailure) {
  fill({decision("posv", 8), decision("posv", 16), decision("gemv", 8, "300 W")});
  const answer a = glass("report --html report.html");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(a.out, HasSubstr("report.html"));
  check_form("report.html");
  const auto j = data(read(path("report.html")));
  ASSERT_EQ(j["decisions"].size(), 3u);
  EXPECT_EQ(j["devices"].size(), 2u);
  EXPECT_EQ(j["devices"][0]["decisions"], 2) << "the device of most decisions comes first";
  EXPECT_EQ(j["damaged"], 0u);
  EXPECT_EQ(j["images"][0]["bytes"], 5000);
  const auto& d = j["decisions"][0];
  const auto text = [&](const nlohmann::ordered_json& index) { return j["texts"][index.get<std::size_t>()]; };
  EXPECT_EQ(text(d["operation"]), "gemv");
  EXPECT_EQ(text(d["placement"]), decision("gemv", 8).placement);
  EXPECT_EQ(text(d["created"]), "2026-01-02T03:04:05Z");
  EXPECT_EQ(j["devices"][d["device"].get<std::size_t>()]["power_class"], "300 W");
  ASSERT_EQ(d["candidates"].size(), 3u);
  EXPECT_EQ(d["candidates"][0][3].size(), 3u);
  EXPECT_EQ(text(d["candidates"][2][1]), "wrong");
  EXPECT_EQ(text(d["candidates"][2][2]), "x of problem 3 differs by 2");
}

TEST_F(Report, TextOfUsersStaysText) {
  decision_row d = decision("</script><script>alert(1)</script><!--", 8);
  d.state = "\xff\xfe not UTF-8 \xe2\x80\xa8 <img src=x onerror=alert(1)>";
  d.compiler = "Überc++ \"quoted\" & 'more'";
  fill({d});
  ASSERT_EQ(glass("report --html report.html").status, 0);
  check_form("report.html");
  const std::string page = read(path("report.html"));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img")), HasSubstr("\\u003cimg")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("innerHTML")), Not(HasSubstr("\xff"))));
  const auto j = data(page);
  EXPECT_EQ(j["texts"][j["decisions"][0]["operation"].get<std::size_t>()], "</script><script>alert(1)</script><!--");
  EXPECT_EQ(data(page)["devices"][0]["compilers"][0], d.compiler);
}

TEST_F(Report, APackIsShownWithWhoSignedIt) {
  const public_key signer = make_key(path("key"));
  const auto pack_of = [&](const std::string& key) {
    pack_writer writer;
    const decision_row d = decision("posv", 8);
    writer.add(d, {{d.key, d.placement, "ok", "", {d.ns, d.ns}, 0.2, ""}});
    writer.finish(path("robot.pack"), key);
    return glass("report robot.pack --html report.html");
  };
  ASSERT_EQ(pack_of(path("key")).status, 0);
  check_form("report.html");
  const auto j = data(read(path("report.html")));
  EXPECT_EQ(j["pack"]["signer"], signer.fingerprint());
  EXPECT_EQ(j["file"], "robot.pack");
  ASSERT_EQ(j["decisions"].size(), 1u);
  EXPECT_EQ(j["decisions"][0]["candidates"][0][3].size(), 2u);
  ASSERT_EQ(pack_of("").status, 0);
  EXPECT_EQ(data(read(path("report.html")))["pack"]["signer"], "");

  std::string bytes = read(path("robot.pack"));
  write("robot.pack", bytes.substr(0, bytes.size() / 2));
  const answer broken = glass("report robot.pack --html report.html");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.err, AllOf(HasSubstr("robot.pack: "), HasSubstr("cut short")));
}

TEST_F(Report, AnEmptyCacheAndAMissingOneAreSaid) {
  EXPECT_THAT(glass("report --html report.html").err,
              AllOf(HasSubstr("no pack and no cache at"), HasSubstr("cache.sqlite")));
  write("text",
        "this is no database, it is a text that is longer than the header of one, about a hundred characters....");
  EXPECT_THAT(glass("report text --html report.html").err, HasSubstr("text cannot be read: file is not a database"));
  fill({});
  ASSERT_EQ(glass("report cache --html report.html").status, 0);
  check_form("report.html");
  EXPECT_THAT(glass("report cache --html nowhere/report.html").err, HasSubstr("nowhere/report.html cannot be written"));
}

TEST_F(Report, StatsTellWhatHappenedAndZeroBeginsAnew) {
  fill({decision("posv", 8), decision("posv", 16)});
  {
    const auto rows = store::open(path("cache"), nullptr);
    rows->find_decision(decision("posv", 8).key, decision("posv", 8).material);
    rows->find_decision("nothing", "");
  }
  EXPECT_THAT(glass("cache stats").out,
              AllOf(HasSubstr("of at most 2048 MB"), ::testing::ContainsRegex("decisions found +1 of 2, 50 %"),
                    ::testing::ContainsRegex("problems tuned +2 ")));
  EXPECT_EQ(glass("cache stats --json").json()["today"]["failed_candidates"], 2);
  EXPECT_EQ(glass("cache stats --zero --json").json()["total"]["tuned"], 0);
  EXPECT_EQ(glass("cache stats --json", "GLASS_CACHE_SIZE=3M").json()["most_bytes"], 3 << 20);
}

TEST_F(Report, GcTakesWhatWasNotUsedForDays) {
  fill({decision("posv", 8)});
  EXPECT_EQ(glass("cache gc --older-than 1 --json").json()["image_bytes"], 5000);
  EXPECT_EQ(glass("cache gc --older-than=-1 --json").json()["image_bytes"], 0) << "of tomorrow, seen from there";
  EXPECT_EQ(glass("cache stats --json").json()["decisions"], 1);
  EXPECT_THAT(glass("cache gc --older-than soon").err, HasSubstr("--older-than: 'soon' is not a number"));
}

TEST_F(Report, CacheSqlWritesWhatMayBeShipped) {
  decision_row worn = decision("posv", 24), users = decision("lm_step", 8), older = decision("posv", 32);
  worn.state = "winner no longer runs", users.identity = "my_step/0123", older.candidate_set = "0";
  fill({decision("posv", 16), decision("posv", 8), worn, users, older});
  const answer a = glass("cache sql sm_90.sql --target sm_90 --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_EQ(a.json()["decisions"], 2);
  EXPECT_EQ(a.json()["left_out"], 3);
  EXPECT_THAT(read(path("sm_90.sql")), AllOf(HasSubstr("'posv/1', 'N=8 NRHS=1', 'f32', '', 'throughput', 16384,"),
                                             HasSubstr("4, 6, 40, '2026-01-02', '"), Not(HasSubstr("N=24"))));
  EXPECT_THAT(glass("cache sql sm_87.sql --target sm_87").err, HasSubstr("holds no decision for sm_87"));
}

}  // namespace
}  // namespace glass::jit
