// glass prewarm, and that a robot finds what it made: the program compiles for a profile (with a scripted NVRTC, and
// once with a real one), then a runtime opens a scripted driver that describes the same device, and compiles nothing.
#include <gmock/gmock.h>

#include "backend/cuda/cuda.hpp"
#include "backend/cuda/nvrtc.hpp"
#include "catalog/profile.hpp"
#include "glass/jit/runtime.hpp"
#include "runtime/prewarm.hpp"
#include "runtime/related.hpp"
#include "support/fake_cuda.hpp"
#include "tests/cli/program.hpp"
#include "tune/tune.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

const char* const fake_nvrtc = GLASS_BINARY_DIR "/tests/libfake_nvrtc.so";
const problem posv12 = {.sizes = {{"N", 12}}, .type = f32, .batch = 8192};
const problem dot64 = {.sizes = {{"N", 64}}, .type = f64, .batch = 16};

// What of a decision matters: where it was made and what won.
decision_row decided(const bound_problem& p, const device_description& d, const std::string& winner,
                     const std::string& second = {}) {
  const auto device = open_absent_gpu(d, 1);
  const material m = decision_material(p, d);
  decision_row row = unmeasured_row(p, *device, m.key(), m.text());
  row.placement = winner, row.runner_up = second, row.ns = 1, row.default_ns = 2, row.samples = 9, row.complete = true;
  return row;
}

class prewarm_command : public program {
 protected:
  prewarm_command() { own_cache = true; }
  void SetUp() override {
    program::SetUp();
    write("m.json", R"({"problems": [
      {"operation": "posv", "sizes": {"N": 12}, "type": "f32", "batch": 8192},
      {"operation": "dot", "sizes": {"N": 64}, "type": "f64", "batch": 16}]})");
  }
  answer prewarm(const std::string& arguments, const std::string& environment = {}) const {
    return glass("prewarm m.json " + arguments, std::string("GLASS_NVRTC=") + fake_nvrtc + " " + environment);
  }

  // The driver of a robot with that device.
  static void describe(fake::cuda& driver, const device_description& d) {
    const std::pair<int, long long> attributes[] = {{1, d.max_threads_per_block},
                                                    {8, d.shared_per_block},
                                                    {12, d.registers_per_block},
                                                    {13, d.clock_khz},
                                                    {16, d.sm_count},
                                                    {18, d.integrated},
                                                    {36, d.memory_clock_khz},
                                                    {37, d.memory_bus_bits},
                                                    {38, d.l2_bytes},
                                                    {39, d.max_threads_per_sm},
                                                    {75, d.arch() / 10},
                                                    {76, d.arch() % 10},
                                                    {81, d.shared_per_sm},
                                                    {82, d.registers_per_sm},
                                                    {97, d.shared_per_block_optin},
                                                    {106, d.max_blocks_per_sm}};
    for (const auto& [number, value] : attributes) driver.set(("attribute." + std::to_string(number)).c_str(), value);
  }
  runtime_options robot(tune_mode mode) const {
    runtime_options o;
    o.device = "cuda:0", o.cache = path("cache"), o.tuning.mode = mode, o.tuning_from_environment = false;
    return o;
  }
};

TEST_F(prewarm_command, a_robot_of_that_device_compiles_nothing) {
  const answer a = prewarm("--device-profile jetson-agx-orin-64gb --target sm_87 --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_EQ(a.json()["target"], "sm_87");
  EXPECT_EQ(a.json()["problems"], 2);
  EXPECT_EQ(a.json()["compiled"], a.json()["images"]);
  EXPECT_EQ(a.json()["failures"].size(), 0u);
  EXPECT_THAT(a.err, HasSubstr("speaks CUDA 12, and it may refuse images of NVRTC 13"));
  EXPECT_EQ(prewarm("--device-profile jetson-agx-orin-64gb", "GLASS_FAKE=major=12,minor=6").err, "");
  std::filesystem::remove_all(path("cache"));
  ASSERT_EQ(prewarm("--device-profile jetson-agx-orin-64gb").status, 0);

  fake::cuda driver;
  describe(driver, find_profile("jetson-agx-orin-64gb").device);
  for (const char* compiler : {fake_nvrtc, "libnvrtc-that-is-not-there.so"}) {
    SCOPED_TRACE(compiler);
    const fake::environment named("GLASS_NVRTC", compiler);
    for (const tune_mode mode : {tune_mode::off, tune_mode::frozen}) {
      runtime rt(robot(mode));
      EXPECT_EQ(rt.device().fingerprint(), find_profile("jetson-agx-orin-64gb").device.fingerprint());
      EXPECT_EQ(rt.operation("posv", posv12).tier(), tier::model);
      EXPECT_EQ(rt.operation("dot", dot64).tier(), tier::model);
      EXPECT_EQ(rt.counters().compiles, 0);
      EXPECT_EQ(rt.counters().images_from_cache, 2);
    }
  }
}

TEST_F(prewarm_command, the_images_of_another_architecture_serve_no_robot) {
  ASSERT_EQ(prewarm("--device-profile l4").status, 0);
  fake::cuda driver;
  describe(driver, find_profile("jetson-agx-orin-64gb").device);
  runtime rt(robot(tune_mode::frozen));
  EXPECT_THROW(rt.operation("posv", posv12), error);
}

TEST_F(prewarm_command, a_twins_decision_serves_a_robot_without_a_compile) {
  const device_description orin = find_profile("jetson-agx-orin-64gb").device;
  const bound_problem p = bind(find_operation("posv"), posv12, true);
  const std::string winner = shortlist(candidates(p, orin), 9)[4].placement.text();
  device_description twin = orin;
  twin.power_class = "nvpmodel=MAXN clocks=pinned";
  store::open(path("cache"), std::make_shared<warner>())->put_decision(decided(p, twin, winner));
  ASSERT_EQ(prewarm("--device-profile jetson-agx-orin-64gb").status, 0);

  fake::cuda driver;
  describe(driver, orin);
  runtime rt(robot(tune_mode::frozen));
  const kernel k = rt.operation("posv", posv12);
  EXPECT_EQ(k.tier(), tier::other_device);
  EXPECT_EQ(k.placement().text(), winner);
  EXPECT_THAT(k.why(), HasSubstr("from sm_87 nvpmodel=MAXN clocks=pinned"));
  EXPECT_EQ(rt.counters().compiles, 0);
}

TEST_F(prewarm_command, a_real_compilers_images_are_found_too) {
  const auto compilers = cuda::nvrtc::find();
  if (compilers.empty()) GTEST_SKIP() << "no NVRTC on this machine";
  write("m.json", R"({"problems": [{"operation": "dot", "sizes": {"N": 64}, "type": "f64", "batch": 16}]})");
  const answer a = glass("prewarm m.json --device-profile jetson-agx-orin-64gb --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_GT(a.json()["bytes"], 1000);
  fake::cuda driver;
  describe(driver, find_profile("jetson-agx-orin-64gb").device);
  runtime rt(robot(tune_mode::off));
  rt.operation("dot", dot64);
  EXPECT_EQ(rt.counters().compiles, 0);
  EXPECT_EQ(rt.counters().images_from_cache, 1);
}

TEST_F(prewarm_command, what_is_there_is_not_compiled_again) {
  const auto first = prewarm("--device-profile jetson-agx-orin-64gb --json").json();
  const auto second = prewarm("--device-profile jetson-agx-orin-64gb --json").json();
  EXPECT_EQ(second["compiled"], 0);
  EXPECT_EQ(second["known"], first["images"]);
  EXPECT_EQ(second["bytes"], first["bytes"]);
}

TEST_F(prewarm_command, a_process_that_dies_loses_what_it_was_compiling_and_no_more) {
  const std::string command = "--device-profile jetson-agx-orin-64gb --candidates 5 --jobs 1 --json";
  EXPECT_EQ(prewarm(command, "GLASS_FAKE=dies_at=4").status, 9);
  const auto rest = prewarm(command).json();
  EXPECT_EQ(rest["known"], 3);
  EXPECT_EQ(rest["compiled"].get<int>() + 3, rest["images"].get<int>());
  EXPECT_GE(rest["images"], 8);
}

TEST_F(prewarm_command, images_that_a_full_disk_does_not_take_are_told) {
  const std::string full = "bash -c 'trap \"\" XFSZ; ulimit -f 90; exec \"$@\"' -";
  const std::string command = "--device-profile jetson-agx-orin-64gb --candidates all --json";
  const answer a = prewarm(command, full);
  EXPECT_EQ(a.status, 1) << a.out;
  EXPECT_GT(a.json()["not_kept"], 0);
  EXPECT_THAT(a.err, HasSubstr("of the images were not kept"));
  const answer b = prewarm(command);
  EXPECT_EQ(b.status, 0) << b.err;
  EXPECT_EQ(b.json()["compiled"], a.json()["not_kept"]);
}

TEST_F(prewarm_command, images_that_do_not_compile_are_told_with_their_reason) {
  const std::string command = "--device-profile jetson-agx-orin-64gb --candidates 5 --jobs 1 --json";
  const answer a = prewarm(command, "GLASS_FAKE=nvrtcCompileProgram=6,nvrtcCompileProgram.skip=6");
  EXPECT_EQ(a.status, 1);
  EXPECT_EQ(a.json()["compiled"], 6);
  ASSERT_GT(a.json()["failures"].size(), 0u);
  EXPECT_THAT(a.json()["failures"][0]["reason"].get<std::string>(), HasSubstr("does not compile"));
  EXPECT_THAT(a.err, HasSubstr("scope="));
}

TEST_F(prewarm_command, all_candidates_of_the_model_are_what_is_legal_on_the_device) {
  write("m.json", R"({"problems": [{"operation": "dot", "sizes": {"N": 64}, "type": "f64", "batch": 16},
                                   {"operation": "dot", "sizes": {"N": 64}, "type": "f64", "batch": 9000}]})");
  const auto all = prewarm("--device-profile jetson-agx-orin-64gb --candidates all --json").json();
  std::size_t legal = 0;
  for (const auto& c :
       candidates(bind(find_operation("dot"), dot64, true), find_profile("jetson-agx-orin-64gb").device))
    legal += c.illegal.empty();
  EXPECT_EQ(all["images"], legal) << "batches share images";
}

TEST_F(prewarm_command, wrong_requests_are_told) {
  EXPECT_THAT(prewarm("").err, HasSubstr("--device-profile or --target says which GPU"));
  EXPECT_THAT(prewarm("--device-profile jetson-agx-orin-64g").err, HasSubstr("Did you mean 'jetson-agx-orin-64gb'?"));
  EXPECT_THAT(prewarm("--device-profile l4 --target sm_87").err, HasSubstr("is for sm_89, and --target says sm_87"));
  EXPECT_THAT(prewarm("--target sm_87").err, HasSubstr("3 shipped profiles are for sm_87"));
  EXPECT_THAT(prewarm("--target sm_88").err, HasSubstr("no shipped profile is for sm_88"));
  EXPECT_THAT(prewarm("--device-profile l4 --candidates some").err, HasSubstr("some"));
  EXPECT_THAT(prewarm("--device-profile l4 --memory much").err, HasSubstr("much"));
  EXPECT_THAT(prewarm("--device-profile l4", "GLASS_CACHE=memory").err, HasSubstr("the images cannot be kept"));
  EXPECT_THAT(prewarm("--device-profile jetson-xavier-nx").err, HasSubstr("compiles for this GPU (sm_72)"));
  for (const char* request : {"", "--target sm_87", "--device-profile nothing"}) EXPECT_EQ(prewarm(request).status, 1);
  write("m.json", R"({"problems": [{"operation": "posv", "type": "f32"}]})");
  EXPECT_THAT(prewarm("--device-profile l4").err, HasSubstr("m.json: problems[0]"));
}

TEST_F(prewarm_command, a_profile_of_this_machine_is_written_and_of_no_use_for_another_cpu) {
  const answer written = glass("info --profile mine.json");
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(profile_from_json(read(path("mine.json")), "mine.json").device.backend, "host");
  EXPECT_EQ(glass("info --profile").out, read(path("mine.json")));
  EXPECT_THAT(prewarm("--device-profile mine.json").err, HasSubstr("not a GPU"));
  EXPECT_EQ(glass("info --profile no/such/folder.json").status, 1);
  const auto list = glass("info --profiles --json").json()["profiles"];
  ASSERT_EQ(list.size(), shipped_profiles().size());
  EXPECT_EQ(list[0]["name"], shipped_profiles()[0].name);
  EXPECT_THAT(glass("info").out, HasSubstr("power class: "));
}

TEST_F(prewarm_command, a_profile_of_the_robots_gpu_is_its_device) {
  fake::cuda driver;
  const answer written = glass("info --profile robot.json --device cuda:0", "GLASS_FAKE=capability=87");
  ASSERT_EQ(written.status, 0) << written.err;
  driver.set("capability", 87);
  const device_description d = find_profile(path("robot.json")).device;
  EXPECT_EQ(d.fingerprint(), open_backend("cuda:0")->device().fingerprint());
  EXPECT_EQ(d.power_class, "limit=700W");
}

struct wanted : ::testing::Test {
  const fake::environment compiler{"GLASS_NVRTC", fake_nvrtc};
  const std::unique_ptr<store> rows = store::open("memory", std::make_shared<warner>());
  const bound_problem p = bind(find_operation("posv"), posv12, true);
  const device_description orin = find_profile("jetson-agx-orin-64gb").device;
  std::vector<std::string> reasons(std::size_t best = 1) {
    std::vector<std::string> list;
    for (const auto& w : wanted_images(p, orin, *rows, best)) list.push_back(w.reason);
    return list;
  }
  const std::string third = shortlist(candidates(p, orin), 9)[2].placement.text(),
                    fourth = shortlist(candidates(p, orin), 9)[3].placement.text();
};

TEST_F(wanted, without_decisions_are_the_default_and_the_models_best) {
  const auto list = wanted_images(p, orin, *rows, 3);
  EXPECT_EQ(list[0].placement, default_placement(p, orin));
  EXPECT_EQ(list[0].reason, "default");
  for (const auto& c : shortlist(candidates(p, orin), 3))
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const auto& w) { return w.placement == c.placement; }))
        << c.placement.text();
  EXPECT_EQ(wanted_images(p, orin, *rows, 0).size(), 1u);
}

TEST_F(wanted, of_the_device_itself_is_its_decision_with_the_runner_up) {
  rows->put_decision(decided(p, orin, third, fourth));
  EXPECT_THAT(reasons(5), testing::ElementsAre("exact", "runner-up", "default"));
  EXPECT_EQ(wanted_images(p, orin, *rows, 1)[0].placement.text(), third);
}

TEST_F(wanted, of_a_twin_in_another_power_class_is_its_decision) {
  device_description twin = orin;
  twin.power_class = "nvpmodel=MAXN clocks=free";
  rows->put_decision(decided(p, twin, third));
  rows->put_decision(decided(p, find_profile("h200").device, fourth));
  EXPECT_THAT(reasons(5), testing::ElementsAre("other_device (from sm_87 nvpmodel=MAXN clocks=free)", "default"));
}

TEST_F(wanted, a_decision_that_is_not_legal_or_not_readable_here_is_passed_over) {
  device_description twin = orin;
  twin.power_class = "limit=1W";
  decision_row row = decided(p, twin, "scope=thread pack=1024 home=shared");
  rows->put_decision(row);
  EXPECT_THAT(reasons(0), testing::ElementsAre("default"));
  row.placement = "scope=nonsense";
  rows->put_decision(row);
  EXPECT_THAT(reasons(0), testing::ElementsAre("default"));
}

TEST(prewarm_memory, bounds_how_many_compile_at_once) {
  EXPECT_EQ(compiles_within(0), 1);
  EXPECT_EQ(compiles_within(200LL << 20), 1);
  EXPECT_LT(compiles_within(1LL << 30), compiles_within(4LL << 30));
}

TEST(absent_gpu, refuses_whatever_would_need_it) {
  const fake::environment compiler("GLASS_NVRTC", fake_nvrtc);
  const auto gpu = open_absent_gpu(find_profile("l4").device, 3);
  EXPECT_EQ(gpu->compile_slots(), 3);
  EXPECT_THAT(gpu->compiler(), HasSubstr("nvrtc 13.0"));
  EXPECT_THROW(gpu->allocate(1), error);
  EXPECT_THROW(gpu->load({}, {}), error);
  EXPECT_EQ(gpu->free_bytes(), 0u);
}

}  // namespace
