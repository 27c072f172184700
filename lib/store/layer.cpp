// Images, decisions and candidates: reading with checks, and writing. Every row carries a hash of itself, for a disk
// may flip any bit of it; those of a pack are compared with its manifest too.
#include "store/layer.hpp"

#include <cstring>
#include <ctime>

#include <limits>

#include "base/hash.hpp"
#include "store/row_hash.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

std::string_view as_text(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
constexpr char decision_columns[] =
    "material, identity, sizes, type, options, measure, batch_class, backend, target, fingerprint, power_class, "
    "candidate_set, placement, image_key, runner_up, ns, default_ns, samples, complete, state, driver, compiler, "
    "created, hash, key";
constexpr int key_column = 24;
const std::string select_decision = std::string("SELECT ") + decision_columns + " FROM decision WHERE key = ?";
const std::string select_related =
    std::string("SELECT ") + decision_columns +
    " FROM decision WHERE identity = ? AND type = ? AND options = ? AND measure = ? AND state = ''";

decision_row read_decision(query& q) {
  decision_row d;
  int at = 0;
  for (std::string* s : {&d.material, &d.identity, &d.sizes, &d.type, &d.options, &d.measure}) *s = q.text(at++);
  d.batch_class = int(q.number(at++));
  for (std::string* s : {&d.backend, &d.target, &d.fingerprint, &d.power_class, &d.candidate_set, &d.placement,
                         &d.image_key, &d.runner_up})
    *s = q.text(at++);
  d.ns = q.real(at++), d.default_ns = q.real(at++);
  d.samples = int(q.number(at++)), d.complete = q.number(at++) != 0;
  for (std::string* s : {&d.state, &d.driver, &d.compiler, &d.created}) *s = q.text(at++);
  const std::string stored = q.text(at++);
  d.key = q.text(at);
  // A number that is more than its bits that are used would pass as another one.
  const bool exact = q.number(6) == d.batch_class && q.number(17) == d.samples && q.number(18) == d.complete;
  if (!exact || stored != hash_of(d)) throw damaged_row{"decision", d.key, "its hash does not fit"};
  return d;
}

}  // namespace

layer::layer(const std::string& path, database::mode m) : layer(std::make_unique<database>(path, m), m, nullptr) {}

layer::layer(std::unique_ptr<database> db, database::mode m, std::shared_ptr<const manifest> packed)
    : own_(std::move(db)), db_(*own_), mode_(m), manifest_(std::move(packed)) {
  // The checksum of a page in a rollback journal samples it: one torn by a power cut may pass. FULL syncs the pages before
  // the header that makes them valid.
  if (writable() && db_.text("PRAGMA journal_mode") == "delete") db_.run("PRAGMA synchronous = FULL");
  if (writable() && db_.number("PRAGMA user_version") < schema_version()) migrate(db_, migrations(schema_text()));
  version_ = int(db_.number("PRAGMA user_version"));
  // Asks for every column that is read, so that a schema that is not ours shows now.
  db_.ask(select_decision.c_str(), std::string_view()).step();
  db_.ask(
         "SELECT key, material, family, bytes, length, hash, backend, compiler, target, name, label, compile_seconds, "
         "created, last_used FROM image LIMIT 0")
      .step();
  db_.ask("SELECT decision_key, placement, state, reason, ns, compile_seconds, image_key, hash FROM candidate LIMIT 0")
      .step();
}

// A row of a pack is what its manifest says, or it is damaged; one that is gone is damaged too.
template <class Row>
void layer::examine(const char* table, const Row& row) const {
  if (!manifest_) return;
  if (const std::string why = manifest_->examine(row); !why.empty()) throw damaged_row{table, row.key, why};
}

// SQLite compares what an index says only as far as its order needs: a flipped bit in it leads to another row. Where rows
// are dropped and made again, that is damage of the whole file.
void layer::expect(bool right_row, const char* table, const std::string& key) const {
  if (right_row) return;
  if (!writable()) throw damaged_row{table, key, "an index leads to another row"};
  throw database_error(11 /* malformed */, std::string("an index of ") + table + "s leads to another row");
}

// ---- images

image_row layer::read_image(query& q) {
  image_row r;
  int at = 0;
  for (std::string* s : {&r.key, &r.material, &r.family, &r.backend, &r.compiler, &r.target, &r.name, &r.label})
    *s = q.text(at++);
  r.compile_seconds = q.real(at++), r.created = q.number(at++);
  const auto bytes = q.blob(at++);
  if (q.number(at++) != std::int64_t(bytes.size())) throw damaged_row{"image", r.key, "its length does not fit"};
  if (q.text(at) != hash(as_text(bytes))) throw damaged_row{"image", r.key, "its hash does not fit"};
  r.bytes.assign(bytes.begin(), bytes.end());
  return r;
}

std::optional<image_row> layer::image(const std::string& key) {
  if (manifest_ && !manifest_->has_image(key)) return {};
  std::optional<image_row> r;
  {
    query q = db_.ask(
        "SELECT key, material, family, backend, compiler, target, name, label, compile_seconds, created, bytes, "
        "length, hash, last_used FROM image WHERE key = ?",
        key);
    if (!q.step()) {
      if (manifest_) throw damaged_row{"image", key, "it is missing"};
      return {};
    }
    expect(q.text(0) == key, "image", key);
    r = read_image(q);
    examine("image", *r);
    if (manifest_ && q.number(13) != 0) throw damaged_row{"image", key, "it is not what was packed"};
  }
  return r;
}

std::optional<image_row> layer::find_image(const std::string& key, const std::string& material) {
  std::optional<image_row> r = image(key);
  if (!r) return {};
  if (r->material != material) throw damaged_row{"image", key, "it was made from something else than its key says"};
  touch(key);
  return r;
}

std::optional<image_row> layer::member(const std::string& family, const std::string& key) {
  std::optional<image_row> r = image(key);
  expect(!r || r->family == family, "image", key);
  return r;
}

std::vector<std::string> layer::family(const std::string& family) {
  std::vector<std::string> keys;
  query q = db_.ask("SELECT key FROM image WHERE family = ? ORDER BY created DESC, key", family);
  while (q.step())
    if (!manifest_ || manifest_->has_image(q.text(0))) keys.push_back(q.text(0));
  return keys;
}

void layer::touch(const std::string& key) {
  if (!writable() || !touched_.insert(key).second) return;
  try {
    const std::int64_t now = std::time(nullptr);
    db_.change("UPDATE image SET last_used = ? WHERE key = ? AND last_used < ?", now, key, now - 60);
  } catch (const database_error& e) {  // a full disk must not make a hit a miss; damage is for the caller
    if (e.damaged()) throw;
  }
}

void layer::put_image(const image_row& r) {
  const std::int64_t now = std::time(nullptr);
  const std::span<const unsigned char> bytes(r.bytes);
  const std::string digest = hash(as_text(bytes));
  transaction whole(db_);
  db_.change(
      "INSERT OR REPLACE INTO image (key, material, family, backend, compiler, target, name, label, bytes, length, "
      "hash, compile_seconds, created, "
      "last_used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      r.key, r.material, r.family, r.backend, r.compiler, r.target, r.name, r.label, bytes, std::int64_t(bytes.size()),
      digest, r.compile_seconds, r.created ? r.created : now, now);
  whole.commit();
  touched_.insert(r.key);
}

bool layer::drop_image(const std::string& key) { return db_.change("DELETE FROM image WHERE key = ?", key) > 0; }

// ---- decisions

std::optional<decision_row> layer::decision(const std::string& key) {
  if (manifest_ && !manifest_->has_decision(key)) return {};
  query q = db_.ask(select_decision.c_str(), key);
  if (!q.step()) {
    if (manifest_) throw damaged_row{"decision", key, "it is missing"};
    return {};
  }
  expect(q.text(key_column) == key, "decision", key);
  decision_row d = read_decision(q);
  examine("decision", d);
  return d;
}

std::optional<decision_row> layer::find_decision(const std::string& key, const std::string& material) {
  std::optional<decision_row> d = decision(key);
  if (d && d->material != material)
    throw damaged_row{"decision", key, "it was made from something else than its key says"};
  return d;
}

std::vector<decision_row> layer::find_related(const std::string& identity, const std::string& type,
                                              const std::string& options, const std::string& measure,
                                              std::vector<damaged_row>& damaged) {
  std::vector<decision_row> all;
  query q = db_.ask(select_related.c_str(), identity, type, options, measure);
  while (q.step()) {
    try {
      decision_row d = read_decision(q);
      const bool right = d.identity == identity && d.type == type && d.options == options && d.measure == measure;
      expect(right, "decision", d.key);
      examine("decision", d);
      all.push_back(std::move(d));
    } catch (const damaged_row& d) { damaged.push_back(d); }
  }
  return all;
}

std::vector<decision_row> layer::decisions(std::vector<damaged_row>& damaged) {
  std::vector<std::string> keys;
  {
    query q = db_.ask("SELECT key FROM decision ORDER BY identity, options, type, sizes, measure, batch_class, key");
    while (q.step()) keys.push_back(q.text(0));
  }
  std::vector<decision_row> all;
  for (const std::string& key : keys) {
    try {
      if (auto d = decision(key)) all.push_back(*std::move(d));
    } catch (const damaged_row& d) { damaged.push_back(d); }
  }
  return all;
}

std::vector<std::string> layer::marked(const std::string& identity, const std::string& type, const std::string& options,
                                       const std::string& measure) {
  std::vector<std::string> keys;
  query q = db_.ask(
      "SELECT key FROM decision WHERE identity = ? AND type = ? AND options = ? AND measure = ? AND state <> ''",
      identity, type, options, measure);
  while (q.step()) keys.push_back(q.text(0));
  return keys;
}

void layer::put_decision(const decision_row& d) {
  const std::string digest = hash_of(d);
  transaction whole(db_);
  db_.change(
      "INSERT OR REPLACE INTO decision (key, material, identity, sizes, type, options, measure, batch_class, backend, "
      "target, fingerprint, "
      "power_class, candidate_set, placement, image_key, runner_up, ns, default_ns, samples, complete, state, driver, "
      "compiler, created, hash) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      d.key, d.material, d.identity, d.sizes, d.type, d.options, d.measure, d.batch_class, d.backend, d.target,
      d.fingerprint, d.power_class, d.candidate_set, d.placement, d.image_key, d.runner_up, d.ns, d.default_ns,
      d.samples, d.complete, d.state, d.driver, d.compiler, d.created, digest);
  whole.commit();
}

bool layer::drop_decision(const std::string& key) { return db_.change("DELETE FROM decision WHERE key = ?", key) > 0; }

// ---- candidates

std::vector<candidate_row> layer::candidates(const std::string& decision_key, std::vector<damaged_row>& damaged) {
  std::vector<candidate_row> all;
  query q = db_.ask(
      "SELECT placement, state, reason, ns, compile_seconds, image_key, hash FROM candidate WHERE decision_key = ? "
      "ORDER BY rowid",
      decision_key);
  while (q.step()) {
    candidate_row c;
    c.decision_key = decision_key, c.placement = q.text(0), c.state = q.text(1), c.reason = q.text(2);
    const auto samples = q.blob(3);
    if (samples.size() % sizeof(double) != 0) {
      damaged.push_back({"candidate", decision_key, "its samples are cut short", c.placement});
      continue;
    }
    c.ns.resize(samples.size() / sizeof(double));
    if (!c.ns.empty()) std::memcpy(c.ns.data(), samples.data(), c.ns.size() * sizeof(double));
    c.compile_seconds = q.real(4), c.image_key = q.text(5);
    if (q.text(6) == hash_of(c))
      all.push_back(std::move(c));
    else
      damaged.push_back({"candidate", decision_key, "its hash does not fit", c.placement});
  }
  if (!manifest_) return all;
  if (const std::string why = manifest_->examine(decision_key, all); !why.empty()) {
    damaged.push_back({"candidate", decision_key, why});
    all.clear();
  }
  return all;
}

void layer::put_candidate(const candidate_row& c) {
  const std::span<const unsigned char> samples(reinterpret_cast<const unsigned char*>(c.ns.data()),
                                               c.ns.size() * sizeof(double));
  const std::string digest = hash_of(c);
  transaction whole(db_);
  db_.change(
      "INSERT INTO candidate (decision_key, placement, state, reason, ns, compile_seconds, image_key, hash) VALUES (?, "
      "?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (decision_key, placement) DO UPDATE SET state = excluded.state, reason = excluded.reason, ns = "
      "excluded.ns, "
      "compile_seconds = excluded.compile_seconds, image_key = excluded.image_key, hash = excluded.hash",
      c.decision_key, c.placement, c.state, c.reason, samples, c.compile_seconds, c.image_key, digest);
  whole.commit();
}

bool layer::drop_candidate(const std::string& decision_key, const std::string& placement) {
  return db_.change("DELETE FROM candidate WHERE decision_key = ? AND placement = ?", decision_key, placement) > 0;
}

}  // namespace glass::jit
