// Every decision that comes with glass names an operation of the catalog and a placement that is legal on the device it
// was measured on. Such a device takes it as its own, another one as a neighbour's.
#include "store/shipped.hpp"

#include <cstdio>
#include <sstream>

#include "catalog/catalog.hpp"
#include "jit_fixture.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

// "N=8 NRHS=1" and "TRANS=yes", as bound_problem writes them.
std::map<std::string, std::string> pairs(const std::string& text) {
  std::map<std::string, std::string> all;
  std::istringstream in(text);
  for (std::string word; in >> word;) all[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  return all;
}
bound_problem problem_of(const decision_row& d) {
  problem p;
  for (const auto& [size, value] : pairs(d.sizes)) p.sizes[size] = std::stoi(value);
  p.options = pairs(d.options), p.type = d.type == "f64" ? f64 : f32, p.batch = d.batch_class;
  for (const measure m : {measure::throughput, measure::latency, measure::graph})
    if (d.measure == name(m)) p.measure = m;
  return bind(find_operation(d.identity.substr(0, d.identity.find('/'))), p, true);
}
// As much of a device as its fingerprint says; the rest as every GPU of today has it.
device_description device_of(const decision_row& d) {
  device_description device = testing::fake_backend::gpu();
  device.target = d.target, device.power_class = d.power_class;
  unsigned long long shared_per_sm = 0, optin = 0, l2 = 0;
  int arch = 0, sms = 0, bus = 0;
  EXPECT_EQ(std::sscanf(d.fingerprint.c_str(), "cuda sm_%d sm=%d shared=%llu/%llu l2=%llu bus=%d", &arch, &sms,
                        &shared_per_sm, &optin, &l2, &bus),
            6)
      << d.fingerprint;
  device.sm_count = sms, device.shared_per_sm = shared_per_sm, device.shared_per_block_optin = optin;
  device.l2_bytes = l2, device.memory_bus_bits = bus;
  EXPECT_EQ(device.fingerprint(), d.fingerprint);
  return device;
}

class ShippedDecisions : public testing::Scripted {
 protected:
  kernel ask(const device_description& device, const bound_problem& p) {
    changed_device = [&] {
      auto d = fresh_device();
      d->description = device;
      return d;
    };
    ::setenv("GLASS_SHIPPED", "", 1);
    runtime rt = start(tune_mode::off);
    ::setenv("GLASS_SHIPPED", "off", 1);
    return rt.operation(p.description.name, p.request);
  }
};

TEST_F(ShippedDecisions, AreOfThisCatalogAndLegalWhereTheyWereMeasured) {
  for (const shipped_file& f : shipped_files())
    for (const decision_row& d : all_shipped(f)) {
      SCOPED_TRACE(std::string(f.name) + ": " + d.identity + " " + d.sizes + " " + d.type);
      const bound_problem p = problem_of(d);
      EXPECT_EQ(p.identity, d.identity) << "measured with an older revision: remove the line or make the file again";
      EXPECT_EQ(p.sizes_text(), d.sizes);
      EXPECT_EQ(p.options_text(), d.options);
      EXPECT_EQ(p.batch_class, d.batch_class);
      EXPECT_EQ(std::to_string(candidate_set_revision), d.candidate_set);
      EXPECT_GT(d.ns, 0);
      EXPECT_LE(d.ns, d.default_ns * 1.001);
      const device_description device = device_of(d);
      for (const std::string& place : {d.placement, d.runner_up})
        EXPECT_EQ(place.empty() ? "" : examine(p, device, placement::parse(place)).illegal, "") << place;
    }
}

TEST_F(ShippedDecisions, AreExactOnTheDeviceTheyWereMeasuredOnAndANeighboursElsewhere) {
  if (shipped_files().empty()) GTEST_SKIP() << "cache/shipped is empty";
  for (const shipped_file& f : shipped_files()) {
    const auto all = all_shipped(f);
    for (const decision_row* d : {&all.front(), &all[all.size() / 2], &all.back()}) {
      SCOPED_TRACE(std::string(f.name) + ": " + d->identity + " " + d->sizes + " " + d->type);
      const bound_problem p = problem_of(*d);
      device_description device = device_of(*d);
      const kernel own = ask(device, p);
      EXPECT_EQ(own.tier(), tier::exact);
      EXPECT_EQ(own.placement(), placement::parse(d->placement));
      EXPECT_EQ(own.ns_per_problem(), d->ns);
      device.power_class = "another";
      EXPECT_EQ(ask(device, p).tier(), tier::other_device);
    }
  }
}

}  // namespace
}  // namespace glass::jit
