// The table of README.md names tests that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

TEST(fault_table, names_tests_that_are_there) {
  const std::filesystem::path tests = GLASS_SOURCE_DIR "/tests";
  std::set<std::string> known;
  const std::regex test(R"(TEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  for (const auto& e : std::filesystem::recursive_directory_iterator(tests)) {
    if (e.path().extension() != ".cpp") continue;
    const std::string text = text_of(e.path());
    for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
      known.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  std::istringstream table(text_of(tests / "faults/README.md"));
  int faults = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.rfind("| ", 0) != 0 || line.rfind("| fault", 0) == 0) continue;
    ++faults;
    const std::size_t second = line.find(" | ");
    ASSERT_NE(second, std::string::npos) << line;
    std::istringstream names(line.substr(second + 3));
    int shown = 0;
    for (std::string name; names >> name;) {
      if (name == "|") continue;
      if (name.back() == ',') name.pop_back();
      EXPECT_EQ(known.count(name), 1u) << name << " is no test";
      ++shown;
    }
    EXPECT_GT(shown, 0) << line;
  }
  EXPECT_GE(faults, 44);
}

}  // namespace
