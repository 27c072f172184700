// Rows of the cache in one SQLite database: a file or memory. Checks each row it reads; says what went wrong by
// exception and lets the layered store decide what that means.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/database.hpp"
#include "store/manifest.hpp"
#include "store/store.hpp"

namespace glass::jit {

// A row that does not carry its own hash, length or material any more.
struct damaged_row {
  std::string table, key, why;
  std::string placement = {};  // of a candidate, whose key is its decision's
};

class layer {
 public:
  // Brings a writable database up to date; throws database_error when that cannot be done or a table is not as
  // expected.
  layer(const std::string& path, database::mode);
  // With a manifest: the layer of a pack, whose rows must be those that were packed.
  layer(std::unique_ptr<database>, database::mode, std::shared_ptr<const manifest>);

  bool writable() const { return mode_ == database::mode::read_write; }
  int version() const { return version_; }
  void leave_log() { db_.leave_log(); }
  database& rows() { return db_; }

  std::optional<image_row> find_image(const std::string& key, const std::string& material);  // throws damaged_row
  std::optional<image_row> image(const std::string& key);      // no use of it; throws damaged_row
  void touch(const std::string& key);                          // it was used now
  std::vector<std::string> family(const std::string& family);  // keys of its images, newest first
  std::optional<image_row> member(const std::string& family, const std::string& key);  // throws damaged_row
  void put_image(const image_row&);
  bool drop_image(const std::string& key);

  std::optional<decision_row> find_decision(const std::string& key, const std::string& material);  // throws damaged_row
  std::optional<decision_row> decision(const std::string& key);                                    // throws damaged_row
  // Damaged ones are left out and listed.
  std::vector<decision_row> find_related(const std::string& identity, const std::string& type,
                                         const std::string& options, const std::string& measure,
                                         std::vector<damaged_row>& damaged);
  // Keys of those that may not be used (the others are found by find_related).
  std::vector<std::string> marked(const std::string& identity, const std::string& type, const std::string& options,
                                  const std::string& measure);
  std::vector<decision_row> decisions(std::vector<damaged_row>& damaged);  // all, by operation and problem
  void put_decision(const decision_row&);
  bool drop_decision(const std::string& key);

  std::vector<candidate_row> candidates(const std::string& decision_key, std::vector<damaged_row>& damaged);
  void put_candidate(const candidate_row&);
  bool drop_candidate(const std::string& decision_key, const std::string& placement);

  void add_to(cache_stats&);
  void add_counts(const cache_counts&, const std::string& day);  // waits a moment at most
  void zero_counts();
  std::vector<cache_entry> list();
  std::vector<std::string> decision_keys();
  std::vector<std::string> image_keys();
  std::string show(const std::string& start_of_key);
  std::int64_t file_bytes();
  std::int64_t used_bytes();  // free pages not counted
  // Drops the least recently used images beyond a size, but no more bytes than `at_most` at once; how many.
  int evict(std::int64_t largest_bytes, std::int64_t at_most = INT64_MAX);
  void clear();
  int drop_unused(std::int64_t before);  // images last used before that time, and candidates that lead nowhere
  // Gives free pages back to the file system: some, and whether there are more; all, step by step, so that other
  // processes get their turns.
  bool give_back(std::int64_t bytes);
  void shrink();

 private:
  image_row read_image(query&);
  void expect(bool right_row, const char* table, const std::string& key) const;

  template <class Row>
  void examine(const char* table, const Row&) const;

  std::unique_ptr<database> own_;
  database& db_;
  database::mode mode_;
  std::shared_ptr<const manifest> manifest_;
  int version_ = 0;
  std::set<std::string> touched_;
};

}  // namespace glass::jit
