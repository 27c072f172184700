#include "store/row_hash.hpp"

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"

namespace glass::jit {

namespace {

std::string exact(double value) {  // all bits of it
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return std::to_string(bits);
}

}  // namespace

std::string hash_of(const decision_row& d) {
  material all;
  for (const std::string* s : {&d.key, &d.material, &d.identity, &d.sizes, &d.type, &d.options, &d.measure, &d.backend,
                               &d.target, &d.fingerprint, &d.power_class, &d.candidate_set, &d.placement, &d.image_key,
                               &d.runner_up, &d.state, &d.driver, &d.compiler, &d.created})
    all.add("", *s);
  for (double v : {d.ns, d.default_ns}) all.add("", exact(v));
  for (int v : {d.batch_class, d.samples, int(d.complete)}) all.add("", std::to_string(v));
  return all.key();
}

std::string hash_of(const candidate_row& c) {
  material all;
  for (const std::string* s : {&c.decision_key, &c.placement, &c.state, &c.reason, &c.image_key}) all.add("", *s);
  all.add("", exact(c.compile_seconds));
  for (double v : c.ns) all.add("", exact(v));
  return all.key();
}

std::string hash_of(const image_row& r) {
  material all;
  for (const std::string* s : {&r.key, &r.material, &r.family, &r.backend, &r.compiler, &r.target, &r.name, &r.label})
    all.add("", *s);
  all.add("", hash({reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size()}));
  all.add("", exact(r.compile_seconds)).add("", std::to_string(r.created));
  return all.key();
}

std::string hash_of(const std::vector<candidate_row>& rows) {
  std::vector<std::string> hashes;
  for (const candidate_row& c : rows) hashes.push_back(hash_of(c));
  std::sort(hashes.begin(), hashes.end());
  material all;
  for (const std::string& h : hashes) all.add("", h);
  return all.key();
}

std::string content_of(const decision_row& d, const std::vector<candidate_row>& rows) {
  decision_row timeless = d;
  timeless.created.clear();
  std::vector<candidate_row> evidence = rows;
  for (candidate_row& c : evidence) c.compile_seconds = 0;
  return material().add("decision", hash_of(timeless)).add("evidence", hash_of(evidence)).key();
}

std::string content_of(const image_row& r) {
  image_row timeless = r;
  timeless.compile_seconds = 0, timeless.created = 0;
  return hash_of(timeless);
}

}  // namespace glass::jit
