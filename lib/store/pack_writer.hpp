// Makes a pack: rows are added in any order, and the file is there at the end, whole, or not at all.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/pack.hpp"

namespace glass::jit {

class pack_writer {
 public:
  pack_writer();
  ~pack_writer();
  void add(const decision_row&, const std::vector<candidate_row>&);
  void add(const image_row&);
  bool has_image(const std::string& key) const { return images_.count(key) != 0; }
  // Puts the pack at `path`, in place of what was there. `key_file`: signed by it; "": not signed.
  pack_info finish(const std::string& path, const std::string& key_file);

 private:
  std::string statement();

  std::unique_ptr<layer> rows_;
  manifest entries_;
  std::vector<std::pair<std::string, std::string>> content_;  // key, hash without times
  std::set<std::string> images_, targets_, devices_, headers_;
  std::size_t decisions_ = 0, candidates_ = 0;
};

// Puts another signature on a pack, which must be sound.
pack_info sign_pack_file(const std::string& path, const std::string& key_file);

// The fields of a key's material (base/hash.hpp), in their order; none when it is something else.
std::vector<std::pair<std::string, std::string>> fields_of(const std::string& material);
// The value of one of them, "" without it.
std::string field_of(const std::string& material, const std::string& name);

}  // namespace glass::jit
