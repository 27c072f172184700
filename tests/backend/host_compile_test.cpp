// Finding the compiler, compiling, loading: what goes in, what comes out, and what is left behind (nothing).
#include <gmock/gmock.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <filesystem>
#include <fstream>
#include <thread>

#include "backend/host/compiler.hpp"
#include "host_fixture.hpp"
#include "support/thrown.hpp"

namespace glass::jit {
namespace {
using namespace host_test;
using test::thrown;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(host_compiler, names_itself_and_the_flags_that_change_code) {
  const auto b = open_host_backend();
  EXPECT_THAT(b->compiler(), HasSubstr("-O3"));
  EXPECT_THAT(b->compiler(), HasSubstr(b->device().target.substr(0, 7)));
  host_options checked;
  checked.check_race = true;
  EXPECT_NE(b->compiler(), open_host_backend(checked)->compiler());
}

TEST(host_compiler, one_that_is_not_there_is_an_error_that_says_what_to_do) {
  host_options o;
  o.compiler = "no-such-compiler -O1";
  const error e = thrown([&] { open_host_backend(o)->compiler(); });
  EXPECT_EQ(e.code(), errc::no_compiler);
  EXPECT_THAT(e.message(), HasSubstr("no-such-compiler"));
  EXPECT_THAT(e.hint(), HasSubstr("CXX"));
}

TEST(host_compiler, cxx_may_hold_arguments) {
  setenv("CXX", "g++ -DFROM_CXX=1", 1);
  const auto b = open_host_backend();
  const std::string text = "#ifndef FROM_CXX\n#error arguments of CXX are lost\n#endif\n";
  source s = scale("thread", 4);
  s.text = text + s.text;
  EXPECT_NO_THROW(b->compile(s));
  unsetenv("CXX");
}

TEST(host_compiler, an_error_passes_the_log_with_the_users_own_lines) {
  const auto b = open_host_backend();
  const source s = make_source("template <class S> GLASS_DEVICE void body(S) {\n  int x = wrong;\n}",
                               "0, glass_body, glass::scope::thread, 1, glass::batch::home::global");
  const error e = thrown([&] { b->compile(s); });
  EXPECT_EQ(e.code(), errc::compile_failed);
  EXPECT_THAT(e.log(), HasSubstr("body:2:"));
  EXPECT_THAT(e.log(), HasSubstr("wrong"));
  EXPECT_FALSE(e.versions().empty());
}

TEST(host_compiler, errors_in_a_header_name_the_header_and_lines_after_an_include_stay_right) {
  const auto b = open_host_backend();
  source s;
  s.name = "late";
  s.text = "int first;\n#include <glass/core/view.cuh>   // a comment\n\nint x = undefined_here;\n";
  EXPECT_THAT(thrown([&] { b->compile(s); }).log(), HasSubstr("late:4:"));
  s.text = "#include <glass/core/view.cuh>\nusing bad = glass::matrix<float, 2, 2>; bad m{};\n";
  EXPECT_THAT(thrown([&] { b->compile(s); }).log(), HasSubstr("glass/core/view.cuh:"));
}

TEST(host_compiler, a_header_included_in_a_branch_not_taken_is_still_there_later) {
  source s = scale("thread", 4);
  s.text = "#if 0\n#include <glass/glass.cuh>\n#endif\n" + s.text;
  EXPECT_NO_THROW(open_host_backend()->compile(s));
}

TEST(host_compiler, extra_options_reach_the_compiler) {
  source s = scale("thread", 4);
  s.text = "#ifndef EXTRA\n#error no\n#endif\n" + s.text;
  s.options = {"-DEXTRA"};
  EXPECT_NO_THROW(open_host_backend()->compile(s));
}

TEST(host_compiler, leaves_no_file_and_no_descriptor_behind_and_the_locale_alone) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "glass_host_compile";
  std::filesystem::create_directories(folder);
  const char* old = std::getenv("TMPDIR");
  const std::string before = old ? old : "";
  setenv("TMPDIR", folder.c_str(), 1);
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto b = open_host_backend();
  b->compiler();
  const auto open_before = descriptors();
  b->compile(scale("thread", 4));
  source bad = scale("thread", 4);
  bad.text += "wrong";
  EXPECT_THROW(b->compile(bad), error);
  EXPECT_EQ(descriptors(), open_before);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C");
  if (old)
    setenv("TMPDIR", before.c_str(), 1);
  else
    unsetenv("TMPDIR");
  std::filesystem::remove_all(folder);
}

TEST(host_compiler, a_program_that_ignores_its_children_gets_the_same) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  source bad = scale("thread", 4);
  bad.text += "wrong";
  const auto b = open_host_backend();
  EXPECT_NO_THROW(b->compile(scale("thread", 4)));
  EXPECT_EQ(thrown([&] { b->compile(bad); }).code(), errc::compile_failed);
  const launched k(scale("thread", 4), 1, 4, 0);
  EXPECT_TRUE(k.run({}).ok());
  std::signal(SIGCHLD, before);
}

TEST(host_compiler, the_same_source_gives_the_same_bytes_and_threads_may_compile_at_once) {
  const auto b = open_host_backend();
  std::vector<std::vector<unsigned char>> images(3);
  std::vector<std::thread> threads;
  for (auto& i : images) threads.emplace_back([&] { i = b->compile(scale("thread", 4)).bytes; });
  for (auto& t : threads) t.join();
  EXPECT_EQ(images[0], images[1]);
  EXPECT_EQ(images[1], images[2]);
}

TEST(host_image, damage_is_not_plausible_and_does_not_load) {
  const auto b = open_host_backend();
  const std::vector<unsigned char> whole = b->compile(scale("thread", 4)).bytes;
  EXPECT_TRUE(b->plausible(whole));
  std::vector<unsigned char> shorter(whole.begin(), whole.end() - 100), other_machine = whole, empty, text(5000, 'x');
  other_machine[18] ^= 1;
  const std::string mark = "glass-target:";
  std::vector<unsigned char> other_cpu = whole;
  std::search(other_cpu.begin(), other_cpu.end(), mark.begin(), mark.end())[std::ptrdiff_t(mark.size())] = '?';
  for (const auto& bytes : {other_cpu, shorter, other_machine, empty, text}) {
    EXPECT_FALSE(b->plausible(bytes));
    EXPECT_EQ(thrown([&] { b->load(bytes, {}); }).code(), errc::load_failed);
  }
}

TEST(host_image, two_images_with_the_same_names_stay_apart_and_are_unloaded) {
  const auto loaded = [] {
    std::ifstream maps("/proc/self/maps");
    int n = 0;
    for (std::string line; std::getline(maps, line);) n += line.find("memfd:glass") != std::string::npos;
    return n;
  };
  const int before = loaded();
  {
    const launched one(
        make_source("template <class S> GLASS_DEVICE int body(S) { return 1; }",
                    "1, glass_body, glass::scope::thread, 1, glass::batch::home::global, glass::batch::info"),
        1, 1, 1);
    const launched two(
        make_source("template <class S> GLASS_DEVICE int body(S) { return 2; }",
                    "1, glass_body, glass::scope::thread, 1, glass::batch::home::global, glass::batch::info"),
        1, 1, 1);
    int a = 0, c = 0;
    arguments first, second;
    first.at[0].pointer = &a, second.at[0].pointer = &c;
    one.launch(first).check();
    two.launch(second).check();
    EXPECT_EQ(a, 1);
    EXPECT_EQ(c, 2);
    EXPECT_GT(loaded(), before);
  }
  EXPECT_EQ(loaded(), before);
}

TEST(host_device, says_what_it_is) {
  const auto b = open_host_backend();
  const device_description& d = b->device();
  EXPECT_EQ(d.id, "host");
  EXPECT_EQ(d.backend, "host");
  EXPECT_FALSE(d.name.empty());
  EXPECT_FALSE(d.target.empty());
  EXPECT_GE(d.sm_count, 1);
  EXPECT_GT(d.memory_bytes, b->free_bytes());
  EXPECT_GT(b->free_bytes(), 0u);
  EXPECT_GE(b->compile_slots(), 1);
}

TEST(host_device, memory_comes_goes_and_refuses) {
  const auto b = open_host_backend();
  EXPECT_EQ(b->allocate(0), nullptr);
  b->free(nullptr);
  void* p = b->allocate(100);
  const std::vector<char> data(100, 'g');
  std::vector<char> back(100);
  b->upload(p, data.data(), 100);
  b->download(back.data(), p, 100);
  EXPECT_EQ(back, data);
  b->free(p);
  EXPECT_EQ(thrown([&] { b->allocate(SIZE_MAX - 10); }).code(), errc::out_of_memory);
  EXPECT_EQ(thrown([&] { b->allocate(std::size_t{1} << 60); }).code(), errc::out_of_memory);
}

}  // namespace
}  // namespace glass::jit
