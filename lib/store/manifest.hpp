// What a pack holds, row by row, as it was signed: sorted keys with hashes, in one run of bytes that is read at once, so
// that mounting costs the same few milliseconds however much is packed. A row is compared with its entry when it is
// used.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.hpp"

namespace glass::jit {

class manifest {
 public:
  manifest() = default;
  // `bytes` as below; throws std::runtime_error when they are not that long.
  manifest(std::string bytes, std::size_t decisions, std::size_t images);

  void add(const decision_row&, const std::vector<candidate_row>&);
  void add(const image_row&);
  void seal();  // sorts; after the last add

  // Decisions (key, row, evidence: 32 bytes each), then images (key, row), both sorted by key.
  const std::string& bytes() const { return bytes_; }
  std::size_t decisions() const { return decisions_; }
  std::size_t images() const { return images_; }
  std::string decision_key(std::size_t nth) const;
  std::string image_key(std::size_t nth) const;
  bool has_decision(const std::string& key) const { return !decision_entry(key).empty(); }
  bool has_image(const std::string& key) const { return !image_entry(key).empty(); }

  // "" when the row is the one that was packed; else why not.
  std::string examine(const decision_row&) const;
  std::string examine(const image_row&) const;
  std::string examine(const std::string& decision_key, const std::vector<candidate_row>&) const;

 private:
  std::string_view decision_entry(const std::string& key) const;
  std::string_view image_entry(const std::string& key) const;

  std::string bytes_;
  std::size_t decisions_ = 0, images_ = 0;
  std::vector<std::string> added_decisions_, added_images_;
};

}  // namespace glass::jit
