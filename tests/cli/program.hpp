// Runs the real program in a folder of its own, on the host, and keeps what it said.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace glass::jit {

struct answer {
  int status = -1;
  std::string out, err;
  nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(out); }
};

inline std::vector<std::string> keys_of(const nlohmann::ordered_json& j) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : j.items()) keys.push_back(key);
  return keys;
}

class program : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("glass_cli_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder_);
  }
  std::string path(const std::string& file) const { return (folder_ / file).string(); }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(path(file), std::ios::binary) << text;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& e : std::filesystem::directory_iterator(folder_)) names.push_back(e.path().filename());
    return names;
  }

  // `glass ARGUMENTS` in the test's folder. Images are kept between tests: only counts of compiles want a cache of
  // their own.
  answer glass(const std::string& arguments, const std::string& environment = {}) const {
    const std::string said = path(".stdout"), complained = path(".stderr");
    const std::string command =
        "cd " + folder_.string() + " && env -u GLASS_TUNE -u GLASS_LOG GLASS_DEVICE=host GLASS_CACHE=" +
        (own_cache ? path("cache") : std::string(GLASS_BINARY_DIR "/cli_test_cache")) + " " + environment +
        " " GLASS_BINARY_DIR "/glass " + arguments + " >" + said + " 2>" + complained;
    const int status = std::system(command.c_str());
    answer a{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(said), read(complained)};
    std::filesystem::remove(said);
    std::filesystem::remove(complained);
    return a;
  }

  // An .npy file of C order from values of T.
  template <class T>
  void npy(const std::string& file, const std::string& shape, const std::vector<T>& values,
           bool fortran = false) const {
    const char* descr = std::is_same_v<T, float> ? "<f4" : std::is_same_v<T, double> ? "<f8" : "<i4";
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    raw_npy(file,
            std::string("{'descr': '") + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                ", 'shape': " + shape + ", }",
            bytes);
  }
  void raw_npy(const std::string& file, std::string header, const std::string& data, char version = 1) const {
    header += '\n';
    std::string bytes("\x93NUMPY", 6);
    bytes += version;
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    if (version > 1) bytes += std::string(2, '\0');
    write(file, bytes + header + data);
  }
  // The header and the values of a file that glass wrote.
  template <class T>
  std::vector<T> values(const std::string& file) const {
    const std::string bytes = read(path(file));
    const std::size_t start =
        10 + static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes.at(9));
    std::vector<T> v((bytes.size() - start) / sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), bytes.data() + start, v.size() * sizeof(T));
    return v;
  }
  std::string header(const std::string& file) const {
    const std::string bytes = read(path(file));
    return bytes.substr(10, bytes.find('\n') - 10);
  }

  std::filesystem::path folder_;
  bool own_cache = false;
};

}  // namespace glass::jit
