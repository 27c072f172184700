#include "store/manifest.hpp"

#include <sodium.h>

#include <algorithm>
#include <stdexcept>

#include "store/row_hash.hpp"

namespace glass::jit {

namespace {

constexpr std::size_t hash_bytes = 32, decision_bytes = 3 * hash_bytes, image_bytes = 2 * hash_bytes;

// "" unless these are 64 lower-case hex digits.
std::string binary(const std::string& hex) {
  std::string bytes(hash_bytes, '\0');
  std::size_t n = 0;
  if (hex.size() != 2 * hash_bytes || hex.find_first_not_of("0123456789abcdef") != std::string::npos ||
      sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), hex.data(), hex.size(), nullptr, &n,
                     nullptr) != 0)
    return {};
  return bytes;
}
std::string hex(std::string_view bytes) {
  std::string text(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  text.pop_back();
  return text;
}

std::string_view find(std::string_view run, std::size_t stride, const std::string& key) {
  if (key.empty()) return {};
  std::size_t low = 0, high = run.size() / stride;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const int order = run.substr(middle * stride, hash_bytes).compare(key);
    if (order == 0) return run.substr(middle * stride, stride);
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return {};
}

const char not_packed[] = "it is not in the pack's manifest", changed[] = "it is not what was packed";

}  // namespace

manifest::manifest(std::string bytes, std::size_t decisions, std::size_t images)
    : bytes_(std::move(bytes)), decisions_(decisions), images_(images) {
  if (decisions > bytes_.size() || images > bytes_.size() ||
      bytes_.size() != decisions * decision_bytes + images * image_bytes)
    throw std::runtime_error("its manifest does not have the length that it should have");
}

void manifest::add(const decision_row& d, const std::vector<candidate_row>& evidence) {
  added_decisions_.push_back(binary(d.key) + binary(hash_of(d)) + binary(hash_of(evidence)));
  if (added_decisions_.back().size() != decision_bytes) throw std::runtime_error("a decision without a key: " + d.key);
}
void manifest::add(const image_row& r) {
  added_images_.push_back(binary(r.key) + binary(hash_of(r)));
  if (added_images_.back().size() != image_bytes) throw std::runtime_error("an image without a key: " + r.key);
}
void manifest::seal() {
  bytes_.clear();
  for (auto* some : {&added_decisions_, &added_images_}) {
    std::sort(some->begin(), some->end());
    for (const std::string& entry : *some) bytes_ += entry;
  }
  decisions_ = added_decisions_.size(), images_ = added_images_.size();
}

std::string manifest::decision_key(std::size_t nth) const {
  return hex(std::string_view(bytes_).substr(nth * decision_bytes, hash_bytes));
}
std::string manifest::image_key(std::size_t nth) const {
  return hex(std::string_view(bytes_).substr(decisions_ * decision_bytes + nth * image_bytes, hash_bytes));
}

std::string_view manifest::decision_entry(const std::string& key) const {
  return find(std::string_view(bytes_).substr(0, decisions_ * decision_bytes), decision_bytes, binary(key));
}
std::string_view manifest::image_entry(const std::string& key) const {
  return find(std::string_view(bytes_).substr(decisions_ * decision_bytes), image_bytes, binary(key));
}

std::string manifest::examine(const decision_row& d) const {
  const std::string_view entry = decision_entry(d.key);
  if (entry.empty()) return not_packed;
  return entry.substr(hash_bytes, hash_bytes) == binary(hash_of(d)) ? "" : changed;
}
std::string manifest::examine(const image_row& r) const {
  const std::string_view entry = image_entry(r.key);
  if (entry.empty()) return not_packed;
  return entry.substr(hash_bytes) == binary(hash_of(r)) ? "" : changed;
}
std::string manifest::examine(const std::string& decision_key, const std::vector<candidate_row>& evidence) const {
  const std::string_view entry = decision_entry(decision_key);
  if (entry.empty()) return evidence.empty() ? "" : not_packed;
  return entry.substr(2 * hash_bytes) == binary(hash_of(evidence)) ? "" : "they are not those that were packed";
}

}  // namespace glass::jit
