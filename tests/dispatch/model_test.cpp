// The static headers and glass::jit choose by the same rule: for every operation of the catalog the constants that the
// headers carry say what the catalog says.
#include <gtest/gtest.h>

#include <utility>

#include "base/text.hpp"
#include "catalog/profile.hpp"
#include "dispatch/catalog_text.hpp"
#include "dispatch/table_text.hpp"
#include "glass/dispatch/tables.cuh"
#include "glass/jit/runtime.hpp"
#include "tune/model.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

constexpr std::size_t all_operations = dispatch::op_count;

struct chosen_statically {
  bool found = false;
  dispatch::placement where;
  double ns = 0;
  long long group = 0;
};
using chooser = chosen_statically (*)(const dispatch::request&, int arch);
template <op O>
chosen_statically by_rule(const dispatch::request& r, int arch) {
  const dispatch::problem<O> p(r, dispatch::device_of(arch));
  chosen_statically c;
  c.found = dispatch::usual(p, c.where);
  if (c.found) c.ns = p.time(c.where), c.group = p.group(c.where);
  return c;
}
template <std::size_t... I>
std::vector<chooser> choosers(std::index_sequence<I...>) {
  return {&by_rule<static_cast<op>(I)>...};
}

dispatch::request request_of(const bound_problem& p) {
  dispatch::request r;
  int k = 0;
  for (const auto& s : static_sizes(p.description)) r.size[k++] = p.sizes.at(s);
  k = 0;
  for (const auto& o : p.description.options) r.option[k++] = static_word(p.options.at(o.name));
  r.bytes = static_cast<int>(bytes_of(p.request.type)), r.batch = p.batch_class;
  return r;
}

TEST(static_model, knows_every_operation_of_the_catalog_in_its_order) {
  ASSERT_EQ(operations().size(), all_operations);
  for (std::size_t i = 0; i < all_operations; ++i) EXPECT_EQ(static_name(static_cast<op>(i)), operations()[i].name);
}

TEST(static_model, takes_the_placement_that_the_runtime_takes_where_nothing_was_measured) {
  const auto choose = choosers(std::make_index_sequence<all_operations>());
  int compared = 0;
  for (const char* profile : {"h200", "jetson-agx-orin-64gb", "geforce-rtx-5090"}) {
    const device_description d = find_profile(profile).device;
    for (std::size_t i = 0; i < all_operations; ++i)
      for (const scalar_type type : {f32, f64})
        for (const int n : {1, 7, 12, 16, 33, 64, 128})
          for (const long long batch : {1, 1024, 16384}) {
            problem request;
            request.type = type, request.batch = batch;
            int k = 0;
            for (const auto& s : static_sizes(operations()[i]))
              if (s.rfind("LD", 0) != 0) request.sizes[s] = k++ == 1 && n > 8 ? n / 2 : n;
            std::optional<bound_problem> p;
            try {
              p = bind(operations()[i], request, true);
            } catch (const error&) { continue; }  // sizes that the operation does not take
            const chosen_statically mine = choose[i](request_of(*p), d.arch());
            placement theirs;
            try {
              theirs = default_placement(*p, d);
            } catch (const error&) {
              EXPECT_FALSE(mine.found) << p->text();
              continue;
            }
            if (!static_body(theirs.body)) continue;
            ASSERT_TRUE(mine.found) << p->text() << " on " << profile << ": " << theirs.text();
            EXPECT_EQ(static_placement(p->description, mine.where).text(), theirs.text())
                << p->text() << " on " << profile;
            EXPECT_DOUBLE_EQ(mine.ns, predict(*p, theirs, d)) << p->text();
            EXPECT_EQ(mine.group, static_cast<long long>(group_bytes(*p, theirs))) << p->text();
            ++compared;
          }
  }
  EXPECT_GT(compared, 12000);
}

using judge = bool (*)(const dispatch::request&, int arch, const dispatch::placement&);
template <op O>
bool by_rules(const dispatch::request& r, int arch, const dispatch::placement& c) {
  return dispatch::problem<O>(r, dispatch::device_of(arch)).legal(c);
}
template <std::size_t... I>
std::vector<judge> judges(std::index_sequence<I...>) {
  return {&by_rules<static_cast<op>(I)>...};
}
dispatch::placement placement_of(const operation_description& o, const placement& p) {
  dispatch::placement c;
  c.scope = p.is_block() ? dispatch::word::block : static_word(p.scope);
  c.width = p.width(), c.pack = p.pack, c.home = static_word(p.home);
  if (!p.body.empty()) c.body = static_word(p.body);
  int k = 0;
  for (const auto& t : static_tunables(o)) c.tunable[k++] = static_word(p.tunables.at(t.name));
  return c;
}

TEST(static_model, finds_legal_what_the_catalog_finds_legal) {
  const auto legal = judges(std::make_index_sequence<all_operations>());
  std::size_t turn = 0, illegal = 0, compared = 0;
  for (const char* profile : {"h200", "jetson-agx-orin-64gb"}) {
    const device_description d = find_profile(profile).device;
    for (std::size_t i = 0; i < all_operations; ++i)
      for (const int n : {12, 48}) {
        problem request;
        request.type = ++turn % 2 == 0 ? f32 : f64, request.batch = 64;
        for (const auto& s : static_sizes(operations()[i]))
          if (s.rfind("LD", 0) != 0) request.sizes[s] = n;
        std::optional<bound_problem> p;
        try {
          p = bind(operations()[i], request, true);
        } catch (const error&) { continue; }
        for (const candidate& c : candidates(*p, d)) {
          if (++turn % 5 != 0 || c.placement.variant == "split" || !static_body(c.placement.body)) continue;
          ++compared, illegal += !c.illegal.empty();
          EXPECT_EQ(legal[i](request_of(*p), d.arch(), placement_of(p->description, c.placement)), c.illegal.empty())
              << p->text() << " " << c.placement.text() << " on " << profile << ": " << c.illegal;
        }
      }
  }
  EXPECT_GT(illegal, 2000u);
  EXPECT_GT(compared - illegal, 500u);
}

}  // namespace
}  // namespace glass::jit
