// The part of a layer that people ask for: what is stored, how big it is, and how to make it smaller.
#include <algorithm>
#include <cstring>
#include <ctime>

#include "base/text.hpp"
#include "store/layer.hpp"
#include "store/tally.hpp"

namespace glass::jit {

namespace {

constexpr std::int64_t page = 4096;           // bytes of a page of the file
constexpr std::int64_t incremental = 2;       // of PRAGMA auto_vacuum
constexpr std::int64_t step_bytes = 4 << 20;  // given back in one transaction: others wait milliseconds

std::string iso(std::int64_t seconds) {
  const std::time_t t = seconds;
  std::tm parts{};
  char text[32];
  gmtime_r(&t, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// "posv N=12 NRHS=1 TRANS=yes f32 batch=16384"
std::string problem_text(const query& q, int first) {
  const std::string identity = q.text(first);
  std::vector<std::string> words{identity.substr(0, identity.rfind('/'))};
  for (int i : {1, 3, 2}) words.push_back(q.text(first + i));  // sizes, options, type
  words.push_back("batch=" + q.text(first + 4));
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return join(words, " ");
}

bool is_start_of_key(const std::string& s) {
  return !s.empty() && s.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

void layer::add_to(cache_stats& s) {
  query q = db_.ask(
      "SELECT (SELECT count(*) FROM image), (SELECT coalesce(sum(length), 0) FROM image), (SELECT count(*) FROM "
      "decision), "
      "(SELECT coalesce(sum(length(ns)), 0) / 8 FROM candidate), (SELECT count(*) FROM candidate WHERE state NOT IN "
      "('ok', 'running', 'timing'))");
  q.step();
  s.images += q.number(0), s.image_bytes += q.number(1), s.decisions += q.number(2), s.samples += q.number(3),
      s.failed_candidates += q.number(4);
  if (version_ < 2) return;  // it has no counters
  query counts = db_.ask(
      "SELECT name, sum(value), sum(value * (day >= date('now', '-29 days'))), sum(value * (day >= "
      "date('now'))), min(day) FROM counter GROUP BY name");
  while (counts.step()) {
    if (s.since.empty() || counts.text(4) < s.since) s.since = counts.text(4);
    for (const auto& [name, field] : count_names) {
      if (counts.text(0) != name) continue;
      s.total.*field += counts.number(1), s.month.*field += counts.number(2), s.today.*field += counts.number(3);
    }
  }
}

void layer::add_counts(const cache_counts& counts, const std::string& day) {
  struct brief {
    database& db;
    explicit brief(database& d) : db(d) { db.wait_at_most(50); }
    ~brief() { db.wait_at_most(usual_wait); }
  } wait(db_);
  transaction whole(db_);
  if (db_.change("INSERT OR IGNORE INTO counter VALUES (?, ?, 0)", day, count_names[0].first) > 0) {
    // A new day: what is older than a hundred of them becomes one, the oldest.
    db_.run(
        "CREATE TEMP TABLE old AS SELECT min(day) AS day, name, sum(value) AS value FROM counter WHERE day < "
        "date('now', "
        "'-100 days') GROUP BY name; UPDATE old SET day = (SELECT min(day) FROM old); DELETE FROM counter WHERE day < "
        "date('now', '-100 days'); INSERT INTO counter SELECT day, name, value FROM old; DROP TABLE old");
  }
  for (const auto& [name, field] : count_names)
    if (counts.*field != 0)
      db_.change(
          "INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (day, name) DO UPDATE SET value = value + excluded.value",
          day, name, counts.*field);
  whole.commit();
}

void layer::zero_counts() { db_.change("DELETE FROM counter"); }

std::vector<cache_entry> layer::list() {
  std::vector<cache_entry> all;
  query d = db_.ask(
      "SELECT substr(key, 1, 12), placement, fingerprint, ns, default_ns, samples, created, identity, sizes, type, "
      "options, batch_class, "
      "length(material) FROM decision ORDER BY identity, sizes, type, batch_class, key");
  while (d.step()) {
    cache_entry e;
    e.id = d.text(0), e.what = "decision", e.placement = d.text(1), e.device = d.text(2);
    e.ns_per_problem = d.real(3), e.default_ns = d.real(4), e.samples = d.number(5), e.created = d.text(6),
    e.last_used = d.text(6);
    e.problem = problem_text(d, 7), e.bytes = d.number(12);
    all.push_back(std::move(e));
  }
  query i = db_.ask(
      "SELECT substr(key, 1, 12), name, label, target, length, created, last_used FROM image ORDER BY name, label, "
      "key");
  while (i.step()) {
    cache_entry e;
    e.id = i.text(0), e.what = "image", e.problem = i.text(1), e.placement = i.text(2), e.device = i.text(3),
    e.bytes = i.number(4);
    e.created = iso(i.number(5)), e.last_used = i.number(6) ? iso(i.number(6)) : "";
    all.push_back(std::move(e));
  }
  return all;
}

std::vector<std::string> layer::decision_keys() {
  std::vector<std::string> keys;
  query q = db_.ask("SELECT key FROM decision ORDER BY key");
  while (q.step()) keys.push_back(q.text(0));
  return keys;
}
std::vector<std::string> layer::image_keys() {
  std::vector<std::string> keys;
  query q = db_.ask("SELECT key FROM image ORDER BY key");
  while (q.step()) keys.push_back(q.text(0));
  return keys;
}

std::string layer::show(const std::string& start) {
  if (!is_start_of_key(start)) return {};
  const std::string end = start + "g";  // after every key that begins so
  std::string out;
  const auto line = [&](const char* name, const std::string& value) {
    out.append(name).append(": ").append(value).append("\n");
  };
  query d = db_.ask(
      "SELECT key, identity, sizes, type, options, batch_class, measure, backend, target, fingerprint, power_class, "
      "candidate_set, placement, "
      "runner_up, ns, default_ns, samples, complete, state, driver, compiler, created, image_key, material FROM "
      "decision WHERE key >= ? AND key < ?",
      start, end);
  while (d.step()) {
    line("decision", d.text(0));
    line("problem", problem_text(d, 1));
    const char* names[] = {"measure",   "backend",   "target",         "fingerprint", "power class", "candidate set",
                           "placement", "runner-up", "ns per problem", "default ns",  "samples",     "complete",
                           "state",     "driver",    "compiler",       "created",     "image",       "material"};
    for (int i = 0; const char* name : names) line(name, d.text(6 + i++));
    std::vector<damaged_row> damaged;
    for (const candidate_row& c : candidates(d.text(0), damaged)) {
      std::string samples;
      for (double ns : c.ns) samples += " " + std::to_string(ns);
      line("candidate",
           c.placement + " | " + c.state + (c.reason.empty() ? "" : " (" + c.reason + ")") + " |" + samples);
    }
  }
  query i = db_.ask(
      "SELECT key, name, label, backend, compiler, target, length, hash, compile_seconds, created, last_used, material "
      "FROM image "
      "WHERE key >= ? AND key < ?",
      start, end);
  while (i.step()) {
    const char* names[] = {"image",  "name",  "placement", "backend",        "compiler",
                           "target", "bytes", "hash",      "compile seconds"};
    for (int at = 0; const char* name : names) line(name, i.text(at++));
    line("created", iso(i.number(9)));
    line("last used", iso(i.number(10)));
    line("material", i.text(11));
  }
  return out;
}

std::int64_t layer::file_bytes() { return db_.number("PRAGMA page_count") * db_.number("PRAGMA page_size"); }
std::int64_t layer::used_bytes() {
  return (db_.number("PRAGMA page_count") - db_.number("PRAGMA freelist_count")) * db_.number("PRAGMA page_size");
}

int layer::evict(std::int64_t largest_bytes, std::int64_t at_most) {
  transaction whole(db_);
  const std::int64_t excess = std::min(used_bytes() - largest_bytes, at_most);
  std::vector<std::int64_t> rows;
  {
    // An index holds all that is asked for: no image is read to find the oldest.
    query q = db_.ask("SELECT rowid, length FROM image ORDER BY last_used, created, rowid");
    for (std::int64_t freed = 0; freed < excess && q.step(); freed += (q.number(1) + page - 1) / page * page)
      rows.push_back(q.number(0));
  }
  for (const std::int64_t row : rows) db_.change("DELETE FROM image WHERE rowid = ?", row);
  whole.commit();
  return int(rows.size());
}

int layer::drop_unused(std::int64_t before) {
  transaction whole(db_);
  const int dropped = db_.change("DELETE FROM image WHERE last_used < ?", before);
  // What an interrupted run left is kept as long as its image: then it may be taken up again.
  db_.run(
      "DELETE FROM candidate WHERE decision_key NOT IN (SELECT key FROM decision) AND image_key NOT IN (SELECT key "
      "FROM image)");
  whole.commit();
  return dropped;
}

void layer::clear() {
  transaction whole(db_);
  db_.run("DELETE FROM image; DELETE FROM decision; DELETE FROM candidate");
  whole.commit();
  touched_.clear();
}

bool layer::give_back(std::int64_t bytes) {
  const std::int64_t pages = std::max<std::int64_t>(1, bytes / db_.number("PRAGMA page_size"));
  db_.run("PRAGMA incremental_vacuum(" + std::to_string(pages) + ")");
  return db_.number("PRAGMA freelist_count") > 0;
}

void layer::shrink() {
  if (db_.number("PRAGMA auto_vacuum") == incremental) {
    while (give_back(step_bytes)) {}
  } else {
    db_.run("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");  // made by an older glass
  }
  db_.text("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace glass::jit
