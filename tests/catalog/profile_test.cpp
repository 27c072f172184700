// Device profiles: the shipped ones, both directions of the JSON, and every sentence about a wrong one.
#include "catalog/profile.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "glass/jit/error.hpp"

using namespace glass::jit;
using testing::HasSubstr;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), with);
}

error refusal(const std::string& text) {
  try {
    profile_from_json(text, "p.json");
  } catch (const error& e) { return e; }
  ADD_FAILURE() << "accepted: " << text;
  return {errc::ok, stage::source, ""};
}

const std::string orin = profile_to_json(find_profile("jetson-agx-orin-64gb"));

TEST(shipped_profiles, are_the_files_of_the_folder_each_under_its_own_name) {
  std::set<std::string> files, names;
  for (const auto& entry : std::filesystem::directory_iterator(GLASS_SOURCE_DIR "/cache/profiles"))
    files.insert(entry.path().stem());
  for (const auto& p : shipped_profiles()) names.insert(p.name);
  EXPECT_EQ(names, files);
  EXPECT_EQ(names, (std::set<std::string>{"geforce-rtx-5090", "h100-pcie", "h100-sxm", "h200", "jetson-agx-orin-64gb",
                                          "jetson-agx-thor", "jetson-agx-xavier", "jetson-orin-nano-8gb",
                                          "jetson-orin-nx-16gb", "jetson-xavier-nx", "l4"}));
}

// What the CUDA programming guide says of a compute capability.
struct capability {
  int threads, blocks, optin_kb, shared_kb;
};
const std::map<int, capability> capabilities = {{72, {2048, 32, 96, 96}},    {87, {1536, 16, 163, 164}},
                                                {89, {1536, 24, 99, 100}},   {90, {2048, 32, 227, 228}},
                                                {110, {1536, 24, 227, 228}}, {120, {1536, 24, 99, 100}}};

TEST(shipped_profiles, have_a_source_and_the_figures_of_their_architecture) {
  for (const auto& p : shipped_profiles()) {
    SCOPED_TRACE(p.name);
    const device_description& d = p.device;
    EXPECT_GT(p.source.size(), 40u) << "where its figures come from";
    EXPECT_EQ(d.backend, "cuda");
    ASSERT_EQ(capabilities.count(d.arch()), 1u) << d.target;
    const capability& c = capabilities.at(d.arch());
    EXPECT_EQ(d.max_threads_per_sm, c.threads);
    EXPECT_EQ(d.max_blocks_per_sm, c.blocks);
    EXPECT_EQ(d.shared_per_block_optin, std::size_t(c.optin_kb) << 10);
    EXPECT_EQ(d.shared_per_sm, std::size_t(c.shared_kb) << 10);
    EXPECT_EQ(d.shared_per_block, std::size_t(48) << 10);
    EXPECT_EQ(d.registers_per_sm, 65536);
    EXPECT_EQ(d.integrated, p.name.rfind("jetson", 0) == 0);
    EXPECT_EQ(d.power_class, "unspecified");
    EXPECT_EQ(d.id, "profile " + p.name);
    EXPECT_TRUE(d.sm_count >= 4 && d.sm_count <= 200) << d.sm_count;
    EXPECT_TRUE(d.clock_khz >= 600000 && d.clock_khz <= 3000000) << d.clock_khz;
    EXPECT_TRUE(d.l2_bytes >= std::size_t(512) << 10 && d.l2_bytes <= std::size_t(128) << 20) << d.l2_bytes;
    const double gigabytes = 2.0 * d.memory_bus_bits / 8 * d.memory_clock_khz * 1e-6;
    EXPECT_TRUE(gigabytes > 15 && gigabytes < 5000) << gigabytes << " GB/s";
  }
}

TEST(profile, is_written_as_it_was_read) {
  for (const auto& p : shipped_profiles()) {
    const auto again = profile_from_json(profile_to_json(p), "again");
    EXPECT_EQ(profile_to_json(again), profile_to_json(p));
    EXPECT_EQ(again.device.fingerprint(), p.device.fingerprint());
  }
}

TEST(profile, keeps_every_field_of_a_description) {
  device_profile p{"one", "a test", {}};
  device_description& d = p.device;
  d.backend = "cuda", d.name = "GPU \"x\"", d.target = "sm_103", d.sm_count = 3, d.max_threads_per_block = 512,
  d.max_threads_per_sm = 1536, d.max_blocks_per_sm = 7, d.registers_per_sm = 65536, d.registers_per_block = 32768,
  d.shared_per_block = 49152, d.shared_per_block_optin = 50000, d.shared_per_sm = 60000, d.l2_bytes = 70000,
  d.memory_bytes = std::size_t(9) << 30, d.memory_bus_bits = 96, d.clock_khz = 1234567, d.memory_clock_khz = 7654321,
  d.integrated = true, d.mig = "1g.10gb", d.power_class = "limit=9W", d.driver = "1.2 (CUDA 12.6)";
  const device_description r = profile_from_json(profile_to_json(p), "p").device;
  EXPECT_EQ(r.fingerprint(), d.fingerprint());
  EXPECT_EQ(std::tie(r.name, r.target, r.max_threads_per_block, r.max_threads_per_sm, r.max_blocks_per_sm),
            std::tie(d.name, d.target, d.max_threads_per_block, d.max_threads_per_sm, d.max_blocks_per_sm));
  EXPECT_EQ(std::tie(r.registers_per_sm, r.registers_per_block, r.shared_per_block, r.memory_bytes, r.memory_bus_bits),
            std::tie(d.registers_per_sm, d.registers_per_block, d.shared_per_block, d.memory_bytes, d.memory_bus_bits));
  EXPECT_EQ(std::tie(r.clock_khz, r.memory_clock_khz, r.power_class, r.driver, r.warp_size),
            std::tie(d.clock_khz, d.memory_clock_khz, d.power_class, d.driver, d.warp_size));
}

TEST(profile, a_wrong_one_is_told_with_its_place) {
  EXPECT_THAT(refusal("{").message(), HasSubstr("p.json"));
  EXPECT_THAT(refusal("[]").message(), HasSubstr("an object"));
  EXPECT_THAT(refusal("{}").message(), HasSubstr("the key 'glass_device_profile' is missing"));
  EXPECT_THAT(refusal(replaced(orin, "\"glass_device_profile\": 1", "\"glass_device_profile\": 2")).message(),
              HasSubstr("reads format 1, not 2"));
  EXPECT_THAT(refusal(replaced(orin, "sm_count", "sm_counts")).message(), HasSubstr("Did you mean 'sm_count'?"));
  EXPECT_THAT(refusal(replaced(orin, "    \"sm_count\": 16,\n", "")).message(),
              HasSubstr("p.json: device: the key 'sm_count' is missing"));
  EXPECT_THAT(refusal(replaced(orin, "\"sm_count\": 16", "\"sm_count\": \"16\"")).message(),
              HasSubstr("device.sm_count: an integer is expected, not a string"));
  EXPECT_THAT(refusal(replaced(orin, "\"sm_count\": 16", "\"sm_count\": 0")).message(),
              HasSubstr("sm_count: 0 is not from 1 to 1024"));
  EXPECT_THAT(refusal(replaced(orin, "\"sm_87\"", "\"87\"")).message(), HasSubstr("'87' is no architecture"));
  EXPECT_THAT(refusal(replaced(orin, "\"sm_87\"", "\"sm_87a\"")).message(), HasSubstr("is no architecture"));
  EXPECT_THAT(refusal(replaced(orin, "\"cuda\"", "\"rocm\"")).message(), HasSubstr("'rocm' is neither cuda nor host"));
  EXPECT_THAT(refusal(replaced(orin, "166912", "168000")).message(),
              HasSubstr("shared_per_block_optin: 168000 is more than shared_per_sm, 167936"));
}

TEST(find_profile, names_the_nearest_and_what_there_is) {
  try {
    find_profile("jetson-agx-orin-64g");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::unknown_name);
    EXPECT_THAT(e.message(), HasSubstr("Did you mean 'jetson-agx-orin-64gb'?"));
    EXPECT_THAT(e.hint(), HasSubstr("h100-pcie"));
  }
  EXPECT_THROW(find_profile("no-such-folder/p.json"), error);
}

TEST(find_profile, reads_a_file) {
  const std::string file = testing::TempDir() + "glass_profile_test.json";
  std::ofstream(file) << orin;
  EXPECT_EQ(find_profile(file).device.fingerprint(), find_profile("jetson-agx-orin-64gb").device.fingerprint());
  std::filesystem::remove(file);
}

TEST(profile_name, is_made_of_letters_digits_and_dashes) {
  EXPECT_EQ(profile_name("NVIDIA H100 PCIe"), "nvidia-h100-pcie");
  EXPECT_EQ(profile_name("Intel(R) Xeon(R) CPU @ 2.00GHz"), "intel-r-xeon-r-cpu-2-00ghz");
  EXPECT_EQ(profile_name("--"), "device");
}

}  // namespace
