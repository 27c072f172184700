// Packs made of the rows of store_test, and what is done to them behind their back.
#pragma once
#include <sys/stat.h>

#include "store/pack_writer.hpp"
#include "store_fixture.hpp"

namespace glass::jit {

class pack_fixture : public store_test {
 protected:
  std::string path(const std::string& name = "robot.pack") const { return root + "/" + name; }

  // Two decisions, one with candidates, and two images.
  void fill(pack_writer& w) const {
    w.add(a_decision(), {a_candidate("scope=tile8 pack=16"), a_candidate("scope=thread", {1, 2, 3})});
    w.add(a_decision("another"), {});
    w.add(an_image());
    w.add(an_image("of another"));
  }
  pack_info make(const std::string& name = "robot.pack", const std::string& key = "") const {
    pack_writer w;
    fill(w);
    return w.finish(path(name), key);
  }
  void change(const std::string& statement, const std::string& name = "robot.pack") const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path(name).c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db) << ": " << statement;
    sqlite3_close(db);
  }
  std::unique_ptr<store> mounted(std::vector<pack_source> packs, std::vector<std::string> keys = {},
                                 const std::string& where = "memory") {
    return store::open(store_options{where, std::move(packs), std::move(keys)},
                       std::make_shared<warner>([this](const std::string& line) { warnings.push_back(line); }));
  }
  // The sentence with which it is refused; "" when it opens.
  static std::string refusal(const pack_source& from, const std::vector<public_key>* required = nullptr) {
    try {
      pack::open(from, required);
      return "";
    } catch (const error& e) { return e.message(); }
  }
  std::vector<std::string> faults(const std::string& name = "robot.pack") const {
    pack p = pack::open(path(name), nullptr);
    return faults_of(p);
  }
  std::string bytes_of(const std::string& name = "robot.pack") const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
};

}  // namespace glass::jit
