// Decisions become a header and come back as they were; the headers that are committed are what `glass table` writes.
#include "dispatch/table_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "dispatch/catalog_text.hpp"
#include "dispatch/expression_text.hpp"
#include "glass/dispatch/tables.cuh"
#include "glass/jit/runtime.hpp"
#include "store/shipped.hpp"

namespace glass::jit {
namespace {

std::string committed(const char* name) {
  std::ifstream in(std::string(GLASS_SOURCE_DIR) + "/include/glass/dispatch/" + name, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
std::vector<decision_row> shipped(const std::string& file) {
  for (const auto& f : shipped_files())
    if (f.name == file) return all_shipped(f);
  return {};
}
std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

// What a decision says, as one line: operation, sizes, options, type, class -> placement, times.
std::string said(const operation_description& o, const std::vector<std::string>& sizes,
                 const std::vector<std::string>& options, const std::string& type, int batch, const placement& p,
                 double ns, double default_ns) {
  return o.name + " " + join(sizes, ",") + " " + join(options, ",") + " " + type + " " + std::to_string(batch) + " " +
         p.text() + " " + number(ns) + " " + number(default_ns);
}

struct reader {
  const operation_description& o;
  std::vector<std::string>& lines;
  void operator()(const dispatch::decision* all, int n) {
    for (int i = 0; i < n; ++i) {
      const dispatch::decision& d = all[i];
      std::vector<std::string> sizes, options;
      for (std::size_t k = 0; k < static_sizes(o).size(); ++k) sizes.push_back(std::to_string(d.size[k]));
      for (std::size_t k = 0; k < o.options.size(); ++k) options.push_back(static_name(d.option[k]));
      lines.push_back(said(o, sizes, options, d.bytes == 8 ? "f64" : "f32", d.batch, static_placement(o, d.where), d.ns,
                           d.default_ns));
    }
  }
};
template <int Arch, std::size_t... I>
std::vector<std::string> lines_of_the_header(std::index_sequence<I...>) {
  std::vector<std::string> lines;
  const auto read = [&](auto table, std::size_t i) {
    reader r{operations()[i], lines};
    decltype(table)::each(r);
  };
  (read(dispatch::table<Arch, static_cast<op>(I)>{}, I), ...);
  return lines;
}

std::map<std::string, std::string> values_in(const std::string& text) {
  std::map<std::string, std::string> all;
  for (const auto& w : split(text, ' ')) all[w.substr(0, w.find('='))] = w.substr(w.find('=') + 1);
  return all;
}

TEST(table, gives_back_the_decisions_that_it_was_made_of) {
  std::vector<std::string> asked;
  const auto all = shipped("sm_90.sql");
  for (const decision_row& d : all) {
    const bool less = std::any_of(all.begin(), all.end(), [&](const decision_row& r) {
      return r.identity == d.identity && r.sizes == d.sizes && r.type == d.type && r.options == d.options &&
             r.batch_class == d.batch_class && rank_of_measure(r) < rank_of_measure(d);
    });
    if (less) continue;
    const auto& o = find_operation(d.identity.substr(0, d.identity.find('/')));
    const auto sizes = values_in(d.sizes), options = values_in(d.options);
    std::vector<std::string> s, v;
    for (const auto& n : static_sizes(o)) s.push_back(sizes.at(n));
    for (const auto& n : o.options) v.push_back(options.at(n.name));
    asked.push_back(said(o, s, v, d.type, d.batch_class, placement::parse(d.placement), d.ns, d.default_ns));
  }
  auto read = lines_of_the_header<90>(std::make_index_sequence<dispatch::op_count>());
  std::sort(asked.begin(), asked.end()), std::sort(read.begin(), read.end());
  EXPECT_EQ(asked, read);
}

TEST(table, is_committed_as_glass_table_writes_it_from_the_shipped_decisions) {
  EXPECT_TRUE(table_text(90, shipped("sm_90.sql")).text == committed("sm_90.cuh"))
      << "glass table --arch sm_90 > include/glass/dispatch/sm_90.cuh";
}
TEST(table, knows_the_catalog_as_it_is) {
  const char* how = "glass table --catalog include/glass/dispatch";
  EXPECT_TRUE(names_text() == committed("names.cuh")) << how;
  EXPECT_TRUE(operations_text() == committed("operations.cuh")) << how;
}

decision_row row(const std::string& placement, const std::string& measure = "graph") {
  decision_row d = shipped("sm_90.sql").front();  // dot N=8 f32
  d.placement = placement, d.measure = measure;
  return d;
}

TEST(table, takes_of_several_ways_to_measure_a_problem_the_one_that_says_more) {
  for (const int batch_class : {1, 64}) {
    std::vector<decision_row> rows = {row("scope=warp pack=1", "graph"), row("scope=tile4 pack=8", "throughput"),
                                      row("scope=tile8 pack=4", "latency")};
    for (auto& d : rows) d.batch_class = batch_class;
    const auto t = table_text(90, rows);
    EXPECT_EQ(t.decisions, 1u);
    // Plain launches hide what one problem takes.
    const char* expected = batch_class == 1 ? "word::warp, 32, 1" : "word::tile4, 4, 8";
    EXPECT_NE(t.text.find(expected), std::string::npos) << t.text;
    ASSERT_EQ(t.left_out.size(), 1u);
    EXPECT_EQ(t.left_out[0], "2 for a problem that was measured in another way too");
  }
}
TEST(table, leaves_out_what_a_static_program_cannot_run_and_says_so) {
  decision_row other = row("scope=warp pack=1"), bounded = other, chain = other, vendor = other, user = other;
  other.target = "sm_80", bounded.sizes = "N<=8", chain.placement = "variant=split scope=warp pack=1";
  vendor.placement = "scope=block64 home=shared body=nvidia", vendor.runner_up = "", user.identity = "lm_step/0123";
  const auto t = table_text(90, {row("scope=warp pack=1"), other, bounded, chain, vendor, user});
  EXPECT_EQ(t.decisions, 1u);
  EXPECT_EQ(t.left_out.size(), 5u) << join(t.left_out, "; ");
}
TEST(table, has_the_runner_up_where_a_body_of_nvidia_won) {
  decision_row d = row("scope=block64 home=shared body=nvidia");
  d.runner_up = "scope=tile16 pack=2", d.default_ns = 1062;
  const auto t = table_text(90, {d});
  EXPECT_NE(t.text.find("{word::tile16, 16, 2, word::global, word::none}, 1062, 1062}"), std::string::npos) << t.text;
}
TEST(table, of_an_architecture_without_decisions_is_refused) {
  EXPECT_THROW(table_text(87, shipped("sm_90.sql")), error);
}

TEST(expression_text, is_the_same_expression_in_cpp) {
  const auto word = [](const std::string& n) { return n == "body" || n == "TRANS"; };
  EXPECT_EQ(expression_text("body==fragment&&(N+width-1)/width*bytes<=160", word),
            "body == word::fragment && (N + width - 1) / width * bytes <= 160");
  EXPECT_EQ(expression_text("a==1 || b==2 && c", word), "a == 1 || (b == 2 && c)");
  EXPECT_EQ(expression_text("TRANS==glass::Trans::yes ? K : -M", word), "TRANS == word::yes ? K : -M");
  EXPECT_EQ(expression_text("width/32*32==width", word), "width / 32 * 32 == width");
  EXPECT_THROW(expression_text("a +", word), error);
}

}  // namespace
}  // namespace glass::jit
