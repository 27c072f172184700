// The image key: equal for what compiles equally, different when any ingredient changes, and nothing of this machine in
// it.
#include "build/key.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <set>

#include "base/headers.hpp"
#include "build/assemble.hpp"
#include "problems.hpp"

namespace glass::jit {
namespace {

struct ingredients {
  bound_problem problem = lm_bound();
  jit::placement placement = tile8();
  device_description device;
  std::string compiler = "nvrtc 13.0.88";
  std::vector<std::string> options;
  ingredients() { device.id = "cuda:0", device.backend = "cuda", device.target = "sm_90"; }
  image_key key() const {
    source s = assemble(problem, placement);
    s.options = options;
    return key_of(problem, placement, device, compiler, s);
  }
};
// The key after a change of one ingredient.
template <class F>
image_key after(F change) {
  ingredients i;
  change(i);
  return i.key();
}

TEST(key_test, equal_input_gives_equal_keys) {
  EXPECT_EQ(ingredients().key().key, ingredients().key().key);
  EXPECT_EQ(ingredients().key().material, ingredients().key().material);
  EXPECT_EQ(ingredients().key().key.size(), 64u);
}

TEST(key_test, every_ingredient_changes_the_key) {
  std::map<std::string, image_key> all;
  all["nothing"] = ingredients().key();
  all["backend"] = after([](auto& i) { i.device.backend = "host"; });
  all["target"] = after([](auto& i) { i.device.target = "sm_90a"; });
  all["compiler"] = after([](auto& i) { i.compiler = "nvrtc 13.0.89"; });
  all["an option"] = after([](auto& i) { i.options = {"-lineinfo"}; });
  all["two options"] = after([](auto& i) { i.options = {"-lineinfo", "-G"}; });
  all["their order"] = after([](auto& i) { i.options = {"-G", "-lineinfo"}; });
  all["one option of both words"] = after([](auto& i) { i.options = {"-lineinfo -G"}; });
  all["text"] = after([](auto& i) { i.problem = lm_bound(lm_text + " "); });
  all["sizes"] = after([](auto& i) {
    auto p = six_by_seven();
    p.sizes["NX"] = 8;
    i.problem = bind(lm_step(), p, false);
  });
  all["type"] = after([](auto& i) {
    auto p = six_by_seven();
    p.type = f64;
    i.problem = bind(lm_step(), p, false);
  });
  all["bound"] = after([](auto& i) {
    auto p = six_by_seven();
    p.sizes["NX"] = up_to(6);
    i.problem = bind(lm_step(), p, false);
  });
  all["layout"] = after([](auto& i) {
    auto d = lm_step();
    d.operands[0].order = order::row;
    i.problem = bind(d, six_by_seven(), false);
  });
  all["access"] = after([](auto& i) {
    auto d = lm_step();
    d.operands[3].access = access::inout;
    i.problem = bind(d, six_by_seven(), false);
  });
  all["scope"] = after([](auto& i) { i.placement.scope = "warp"; });
  all["pack"] = after([](auto& i) { i.placement.pack = 8; });
  all["home"] = after([](auto& i) { i.placement.home = "shared"; });
  all["tunable"] = after([](auto& i) {
    auto d = lm_step();
    d.tunables = {{"UNROLL", {1, 2}}};
    i.problem = bind(d, six_by_seven(), false);
    i.placement.tunables = {{"UNROLL", "2"}};
  });
  all["tunable's value"] = after([](auto& i) {
    auto d = lm_step();
    d.tunables = {{"UNROLL", {1, 2}}};
    i.problem = bind(d, six_by_seven(), false);
  });
  std::map<std::string, std::string> seen;
  for (const auto& [what, key] : all) {
    const auto [other, fresh] = seen.emplace(key.key, what);
    EXPECT_TRUE(fresh) << what << " has the key of " << other->second;
  }
}

TEST(key_test, the_embedded_headers_are_part_of_the_material) {
  EXPECT_THAT(ingredients().key().material, testing::HasSubstr(embedded_headers_hash()));
  EXPECT_EQ(embedded_headers_hash().size(), 64u);
  std::set<std::string_view> names;
  for (const embedded_header& h : embedded_headers()) names.insert(h.name);
  EXPECT_TRUE(names.count("glass/glass.cuh"));
  EXPECT_TRUE(names.count("kernels_src/batch.cuh"));
}

TEST(key_test, the_schema_is_part_of_the_material) {
  EXPECT_THAT(ingredients().key().material, testing::StartsWith("schema 1\n1\n"));
}

TEST(key_test, what_does_not_change_the_code_does_not_change_the_key) {
  const std::string key = ingredients().key().key;
  EXPECT_EQ(after([](auto& i) { i.device.id = "cuda:3"; }).key, key);
  EXPECT_EQ(after([](auto& i) { i.device.name = "another board"; }).key, key);
  EXPECT_EQ(after([](auto& i) { i.device.driver = "590"; }).key, key);
  EXPECT_EQ(after([](auto& i) {
              auto p = six_by_seven();
              p.batch = 1;
              i.problem = bind(lm_step(), p, false);
            }).key,
            key);
  EXPECT_EQ(after([](auto& i) {
              auto d = lm_step();
              d.operands[0].name = "Jacobian";
              i.problem = bind(d, six_by_seven(), false);
            }).key,
            key);
}

TEST(key_test, the_family_leaves_out_the_compiler_and_nothing_else) {
  EXPECT_EQ(after([](auto& i) { i.compiler = "nvrtc 12.9"; }).family, ingredients().key().family);
  EXPECT_NE(after([](auto& i) { i.device.target = "sm_80"; }).family, ingredients().key().family);
  EXPECT_NE(after([](auto& i) { i.options = {"-G"}; }).family, ingredients().key().family);
}

TEST(key_test, nothing_of_this_machine_is_in_the_material) {
  const std::string material = ingredients().key().material;
  for (const std::string& own : {std::string(GLASS_SOURCE_DIR), std::string(GLASS_BINARY_DIR), std::string("/home"),
                                 std::string("/tmp"), std::string("cuda:0")})
    EXPECT_EQ(material.find(own), std::string::npos) << own;
  for (const embedded_header& h : embedded_headers()) {
    EXPECT_NE(h.name.front(), '/');
    EXPECT_EQ(std::string(h.text).find(GLASS_SOURCE_DIR), std::string::npos);
  }
}

}  // namespace
}  // namespace glass::jit
