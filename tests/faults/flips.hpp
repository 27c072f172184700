// Mutations of a database file: every byte that SQLite itself reads first (the file's header, each page's header and the
// places of its cells), every column of every row, and anything anywhere.
#pragma once
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "fault_fixture.hpp"

namespace glass::faults {

// Calls `trial` with each mutation of the headers: every bit flipped, and the byte 0 and 255.
inline int mutate_headers(const std::string& original, std::size_t page,
                          const std::function<void(const std::string&, std::size_t at)>& trial) {
  int n = 0;
  const auto byte = [&](std::size_t at) { return (unsigned char)original[at]; };
  for (std::size_t start = 0; start + page <= original.size(); start += page) {
    const std::size_t header = start == 0 ? 100 : start;
    const unsigned kind = byte(header);
    std::size_t end = header + 12;  // of an overflow or free page: the next page, the length
    if (kind == 2 || kind == 5 || kind == 10 || kind == 13)
      end = header + (kind < 8 ? 12 : 8) + 2 * (std::size_t(byte(header + 3)) << 8 | byte(header + 4));
    for (std::size_t at = start; at < end; ++at)
      for (int what = 0; what < 10; ++what) {
        std::string changed = original;
        changed[at] = what < 8 ? char(byte(at) ^ (1u << what)) : char(what == 8 ? 0 : 255);
        if (changed == original) continue;
        trial(changed, at);
        ++n;
      }
  }
  return n;
}

// Each value as it lies in the file, wherever it is found whole: its first, a middle and its last byte.
inline int mutate_values(const std::string& original, const std::vector<std::string>& values,
                         const std::function<void(const std::string&, std::size_t at)>& trial) {
  int n = 0;
  for (const std::string& value : values) {
    if (value.empty()) continue;
    for (std::size_t found = original.find(value); found != std::string::npos; found = original.find(value, found + 1))
      for (const std::size_t at : {found, found + value.size() / 2, found + value.size() - 1})
        for (const int bit : {0, 3, 7}) {
          std::string changed = original;
          changed[at] = char(changed[at] ^ (1 << bit));
          trial(changed, at);
          ++n;
        }
  }
  return n;
}

// Some flips, a sector of zeroes, a sector or a page in another's place, an end cut off.
inline int mutate_anywhere(const std::string& original, std::size_t page, int times, unsigned seed,
                           const std::function<void(const std::string&, std::size_t at)>& trial) {
  std::mt19937 random(seed);
  for (int n = 0; n < times; ++n) {
    std::string changed = original;
    std::size_t at = random() % original.size();
    const std::size_t unit = random() % 2 ? page : 512, other = random() % original.size() / unit * unit;
    switch (random() % 8) {
      case 0:
        at = at / unit * unit;
        for (std::size_t i = at; i < at + unit && i < changed.size(); ++i) changed[i] = 0;
        break;
      case 1:
        at = at / unit * unit;
        for (std::size_t i = 0; i < unit && std::max(at, other) + i < changed.size(); ++i)
          changed[at + i] = original[other + i];
        break;
      case 2:
        changed.resize(at);
        break;
      default:
        for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
          changed[at] = char(changed[at] ^ (1u << random() % 8));
          at = random() % original.size();
        }
    }
    trial(changed, at);
  }
  return times;
}

// Rows to store, and the question whether what comes back is one of them.
class flip_test : public fault_test {
 protected:
  static constexpr int rows = 6;
  // Images 0 and 1 are of one family.
  static image_row image_of(int n) {
    image_row r = an_image(n, 150 + 200 * std::size_t(n));
    if (n == 1) r.family = image_of(0).family;
    return r;
  }
  std::vector<std::string> values() const {
    std::vector<std::string> all;
    for (int n = 0; n < rows; ++n) {
      const image_row i = image_of(n);
      const decision_row d = a_decision(n);
      const candidate_row c = a_candidate(n);
      all.insert(all.end(),
                 {i.key, i.material, i.family, i.label, std::string(i.bytes.begin(), i.bytes.begin() + 100)});
      all.insert(all.end(), {d.key, d.material, d.sizes, d.placement, d.image_key, d.runner_up});
      all.insert(all.end(), {c.decision_key, c.placement, c.image_key});
      all.emplace_back(reinterpret_cast<const char*>(c.ns.data()), c.ns.size() * sizeof(double));
      std::string ns(8, 0);  // as SQLite writes it: big-endian
      for (std::size_t b = 0; b < 8; ++b) ns[b] = reinterpret_cast<const char*>(&d.ns)[7 - b];
      all.push_back(ns);
    }
    for (const char* word : {"posv/1", "f32", "throughput", "cuda", "sm_90", "unspecified", "fake 1.0", "posv", "580",
                             "2026-01-02T03:04:05Z", "sm_90 sm=132"})
      all.emplace_back(word);
    return all;
  }

  // Whatever the store hands out is what was put into it.
  void expect_nothing_wrong(store& s) {
    for (int n = 0; n < rows; ++n) {
      const image_row i = image_of(n);
      const auto image = s.find_image(i.key, i.material);
      EXPECT_TRUE(!image || (image->bytes == i.bytes && image->key == i.key)) << "image " << n;
      for (std::size_t nth = 0; nth < 3; ++nth)
        if (const auto got = s.find_family(i.family, nth)) {
          bool known = false;
          for (int m = 0; m < rows; ++m)
            known = known ||
                    (image_of(m).key == got->key && image_of(m).family == i.family && image_of(m).bytes == got->bytes);
          EXPECT_TRUE(known) << "family of image " << n << ": an image of another family ";
        }
      const decision_row d = a_decision(n);
      const auto decision = s.find_decision(d.key, d.material);
      EXPECT_TRUE(!decision || same(*decision, d)) << "decision " << n;
      for (const candidate_row& got : s.candidates(d.key)) EXPECT_TRUE(same(got, a_candidate(n))) << "candidate " << n;
    }
    for (const decision_row& got : s.find_related("posv/1", "f32", "", "throughput")) {
      bool known = false;
      for (int n = 0; n < rows; ++n) known = known || same(got, a_decision(n));
      EXPECT_TRUE(known) << "a related decision that was never stored";
    }
  }
};

}  // namespace glass::faults
