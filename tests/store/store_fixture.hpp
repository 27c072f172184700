// A store in a folder of its own, its warnings, and rows to put into it.
#pragma once
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "glass/jit/error.hpp"
#include "store/store.hpp"

namespace glass::jit {

class store_test : public testing::Test {
 protected:
  store_test() {
    std::string name = "/tmp/glass-store-XXXXXX";
    root = ::mkdtemp(name.data());
    folder = root + "/cache";
  }
  ~store_test() override { std::filesystem::remove_all(root); }

  std::unique_ptr<store> open() { return open(folder); }
  std::unique_ptr<store> open(const std::string& where) {
    return store::open(where, std::make_shared<warner>([this](const std::string& line) { warnings.push_back(line); }));
  }
  std::string file() const { return folder + "/cache.sqlite"; }
  std::string said() const {
    std::string all;
    for (const std::string& w : warnings) all += w + "\n";
    return all;
  }

  // The database, behind the store's back.
  void sql(const std::string& statement) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    EXPECT_EQ(sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::string ask(const std::string& statement) const {
    sqlite3* db = nullptr;
    sqlite3_stmt* s = nullptr;
    std::string answer;
    sqlite3_open(file().c_str(), &db);
    if (sqlite3_prepare_v2(db, statement.c_str(), -1, &s, nullptr) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW &&
        sqlite3_column_text(s, 0))
      answer = reinterpret_cast<const char*>(sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    sqlite3_close(db);
    return answer;
  }

  static image_row an_image(const std::string& material = "posv of 12", std::size_t bytes = 1000) {
    image_row r;
    r.key = hash(material), r.material = material, r.family = hash("family of " + material);
    r.backend = "fake", r.compiler = "cc 1", r.target = "sm_00", r.name = "posv", r.label = "scope=thread";
    for (std::size_t i = 0; i < bytes; ++i) r.bytes.push_back((unsigned char)(i * 7 + material.size()));
    r.compile_seconds = 0.25;
    return r;
  }
  static decision_row a_decision(const std::string& material = "posv N=12 f32") {
    decision_row d;
    d.key = hash(material), d.material = material, d.identity = "posv/1", d.sizes = "N=12 NRHS=1", d.type = "f32",
    d.measure = "throughput";
    d.batch_class = 4096, d.backend = "fake", d.target = "sm_00", d.fingerprint = "fake sm_00 sm=1",
    d.power_class = "unspecified", d.candidate_set = "1";
    d.placement = "scope=tile8 pack=16", d.image_key = hash("image"), d.runner_up = "scope=warp pack=4";
    d.ns = 0.1 + 0.2, d.default_ns = 1.5, d.samples = 40, d.complete = true, d.driver = "580", d.compiler = "cc 1",
    d.created = "2026-01-02T03:04:05Z";
    return d;
  }
  static candidate_row a_candidate(const std::string& placement, std::vector<double> ns = {3.5, 0.1 + 0.2}) {
    candidate_row c;
    c.decision_key = a_decision().key, c.placement = placement, c.state = "ok", c.ns = std::move(ns),
    c.compile_seconds = 0.5, c.image_key = hash("i");
    return c;
  }

  std::string root, folder;
  std::vector<std::string> warnings;
};

}  // namespace glass::jit
