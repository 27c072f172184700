// The power class from recorded files of boards (tests/backend/power), from NVML, and from the environment.
#include "backend/power.hpp"

#include <gtest/gtest.h>

#include "backend/backend.hpp"
#include "base/text.hpp"
#include "support/fake_cuda.hpp"

using namespace glass::jit;

namespace {

std::string of_board(const std::string& board) {
  return jetson_power_class(GLASS_SOURCE_DIR "/tests/backend/power/" + board);
}
std::string of_host(const std::string& board) {
  return host_power_class(GLASS_SOURCE_DIR "/tests/backend/power/" + board);
}

TEST(power_jetson, is_the_mode_with_its_caps_and_whether_clocks_are_pinned) {
  EXPECT_EQ(of_board("agx-orin"), "nvpmodel=MODE_30W gpu=625MHz emc=3200MHz clocks=free");
  EXPECT_EQ(of_board("orin-nano"), "nvpmodel=MAXN_SUPER clocks=pinned");
  EXPECT_EQ(of_board("xavier-nx"), "nvpmodel=MODE_20W_6CORE gpu=1109MHz emc=1866MHz clocks=free");
}

TEST(power_jetson, without_a_status_the_default_of_the_conf_is_in_force) {
  EXPECT_EQ(of_board("thor"), "nvpmodel=120W clocks=free");
}

TEST(power_jetson, other_machines_have_none) { EXPECT_EQ(of_board("workstation"), ""); }

TEST(power_nvpmodel, a_mode_that_the_conf_does_not_list_is_told_by_its_number) {
  const char* conf = "< POWER_MODEL ID=0 NAME=MAXN >\nGPU MAX_FREQ 1000000000\n";
  EXPECT_EQ(nvpmodel_class(conf, "pmode:0000"), "nvpmodel=MAXN gpu=1000MHz");
  EXPECT_EQ(nvpmodel_class(conf, "pmode:0007"), "nvpmodel=#7");
  EXPECT_EQ(nvpmodel_class("", "pmode:0007"), "nvpmodel=#7");
  EXPECT_EQ(nvpmodel_class(conf, ""), "") << "neither a status nor a default";
}

TEST(power_nvpmodel, damaged_text_gives_no_class_and_no_cap) {
  EXPECT_EQ(nvpmodel_class("", ""), "");
  EXPECT_EQ(nvpmodel_class("\n<\n< POWER_MODEL >\n< POWER_MODEL ID=x NAME=A >\nGPU MAX_FREQ", "pmode:"), "");
  EXPECT_EQ(nvpmodel_class("< POWER_MODEL ID=1 NAME=A >\nGPU MAX_FREQ 9z\nGPU\nEMC MAX_FREQ\n", "pmode:1"),
            "nvpmodel=A");
  EXPECT_EQ(nvpmodel_class("< POWER_MODEL ID=1 NAME=A >\nGPU MAX_FREQ 2147483647\n", "pmode:1"), "nvpmodel=A");
}

TEST(power_host, is_governor_and_turbo_behind_a_jetsons_mode) {
  EXPECT_EQ(of_host("workstation"), "governor=performance turbo=0");
  EXPECT_EQ(of_host("agx-orin"), "nvpmodel=MODE_30W governor=schedutil");
  EXPECT_EQ(of_host("thor"), "nvpmodel=120W");
  EXPECT_EQ(of_host("no-such-board"), "");
}

TEST(power_class, is_unspecified_where_nothing_says_it_and_can_be_named) {
  EXPECT_EQ(power_class_or_unspecified(""), "unspecified");
  EXPECT_EQ(power_class_or_unspecified("limit=300W"), "limit=300W");
  const fake::environment named("GLASS_POWER_CLASS", "nvpmodel=MAXN clocks=pinned");
  EXPECT_EQ(power_class_or_unspecified("limit=300W"), "nvpmodel=MAXN clocks=pinned");
  EXPECT_EQ(open_backend("host")->device().power_class, "nvpmodel=MAXN clocks=pinned");
}

TEST(power_nvml, tells_application_clocks_where_they_were_set) {
  fake::cuda driver;
  EXPECT_EQ(open_backend("cuda:0")->device().power_class, "limit=700W");
  driver.set("power_mw", 449600);
  driver.set("application_mhz", 1410);
  EXPECT_EQ(open_backend("cuda:0")->device().power_class, "limit=450W clocks=1410MHz");
  driver.set("power_mw", 0);
  EXPECT_EQ(open_backend("cuda:0")->device().power_class, "clocks=1410MHz");
  driver.set("nvmlDeviceGetApplicationsClock", 3);
  EXPECT_EQ(open_backend("cuda:0")->device().power_class, "unspecified");
}

TEST(fingerprint, is_capability_and_leaves_out_what_drivers_of_one_board_tell_differently) {
  device_description d;
  d.backend = "cuda", d.target = "sm_90", d.sm_count = 16, d.mig = "1g.10gb", d.l2_bytes = 1 << 20;
  d.shared_per_sm = 228 << 10, d.shared_per_block_optin = 227 << 10, d.memory_bus_bits = 640;
  d.clock_khz = 1, d.name = "anything", d.driver = "any", d.power_class = "any";
  EXPECT_EQ(d.fingerprint(), "cuda sm_90 sm=16 shared=233472/232448 l2=1048576 bus=640 mig=1g.10gb integrated=0");
  d.integrated = true, d.mig.clear();
  EXPECT_EQ(d.fingerprint(), "cuda sm_90 sm=16 shared=233472/232448 l2=1048576 bus=0 mig=- integrated=1");
}

}  // namespace
