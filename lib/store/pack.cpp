#include "store/pack.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <stdexcept>

#include "base/hash.hpp"
#include "base/headers.hpp"
#include "glass/jit/error.hpp"
#include "store/place.hpp"
#include "store/row_hash.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& hint = {}) {
  throw error(errc::store, stage::store, why, hint);
}

constexpr std::size_t header_bytes = 100;  // of a SQLite file

std::uint32_t number_at(const unsigned char* header, std::size_t at) {
  return std::uint32_t(header[at]) << 24 | std::uint32_t(header[at + 1]) << 16 | std::uint32_t(header[at + 2]) << 8 |
         header[at + 3];
}

// What can be said before SQLite looks at it.
void check_header(const unsigned char* header, std::size_t size) {
  if (size < header_bytes || std::memcmp(header, "SQLite format 3", 16) != 0) refuse("it is no pack");
  if (number_at(header, 68) != std::uint32_t(pack_application_id))
    refuse(number_at(header, 68) == std::uint32_t(application_id)
               ? "it is a cache, not a pack; 'glass cache export' makes one of it"
               : "it is no pack, but a database of another program");
  if (number_at(header, 60) > std::uint32_t(schema_version())) refuse("it was made by a newer glass");
  if (header[18] != 1 || header[19] != 1)
    refuse("it has been opened for writing by another program (its journal is a log)");
  const std::size_t page = header[16] << 8 | header[17], page_size = page == 1 ? 65536 : page;
  if (page_size < 512 || page_size * number_at(header, 28) != size)
    refuse("it is cut short, or something was added to it");
}

void check_file(const std::string& path, pack& p, bool any_owner) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    refuse(errno == ENOENT ? "there is no such file" : std::string("it cannot be read: ") + std::strerror(errno));
  struct stat s {};
  unsigned char header[header_bytes] = {};
  const bool file = ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
  const ssize_t n = file ? ::read(fd, header, sizeof header) : 0;
  const int why = errno;
  ::close(fd);
  if (!file) refuse("it is no file");
  if (n < 0) refuse(std::string("it cannot be read: ") + std::strerror(why));
  check_header(header, n == ssize_t(sizeof header) ? std::size_t(s.st_size) : 0);
  p.info.bytes = s.st_size;
  if (!any_owner && ((s.st_uid != ::geteuid() && s.st_uid != 0) || (s.st_mode & (S_IWGRP | S_IWOTH))))
    refuse("others can write it, or it belongs to another user, and it holds executable code",
           "chown and chmod go-w it, or sign it and name its public key (GLASS_PACK_KEYS)");
  for (const char* side : {"-wal", "-journal", "-shm"})
    if (::access((path + side).c_str(), F_OK) == 0)
      p.remarks.push_back("the file " + path + side + " beside it is ignored: a pack is never written");
}

// A table's text without comments and with single spaces, so that only what it means is compared.
std::string plain(const std::string& sql) {
  std::string out;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql.compare(i, 2, "--") == 0) i = std::min(sql.find('\n', i), sql.size() - 1);
    if (!std::isspace(static_cast<unsigned char>(sql[i])))
      out += sql[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::string schema_of(database& db) {
  std::string all;
  query q = db.ask("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name");
  while (q.step()) all += q.text(0) + " " + q.text(1) + " " + q.text(2) + " " + plain(q.text(3)) + "\n";
  return all;
}

// What the schema of a pack of that version is, to the letter.
std::string expected_schema(int version) {
  database db(":memory:", database::mode::read_write);
  const std::vector<std::string> all = migrations(schema_text());
  for (int i = 0; i < version; ++i) db.run(all[std::size_t(i)]);
  db.run(pack_table);
  return schema_of(db);
}
const std::string& current_schema() {
  static const std::string one = expected_schema(schema_version());
  return one;
}

using fields = std::multimap<std::string, std::string>;
fields read_statement(const std::string& text) {
  fields all;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) all.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  return all;
}
std::string only(const fields& all, const std::string& name) {
  if (all.count(name) != 1) refuse("its statement does not say '" + name + "'");
  return all.find(name)->second;
}
std::size_t count(const fields& all, const std::string& name) {
  const std::string text = only(all, name);
  std::size_t n = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (wrong != std::errc() || end != text.data() + text.size()) refuse("its statement's '" + name + "' is no number");
  return n;
}
std::vector<std::string> each(const fields& all, const std::string& name) {
  std::vector<std::string> values;
  for (auto [at, end] = all.equal_range(name); at != end; ++at) values.push_back(at->second);
  return values;
}

std::map<std::string, std::string> read_table(database& db) {
  std::map<std::string, std::string> all;
  query q = db.ask("SELECT name, value FROM pack");
  while (q.step()) {
    const auto value = q.blob(1);
    all[q.text(0)] = {reinterpret_cast<const char*>(value.data()), value.size()};
  }
  for (const auto& [name, value] : all)
    if (name != "statement" && name != "manifest" && name != "signature") refuse("it holds something unknown: " + name);
  return all;
}

void read_statement_of(pack& p, const std::string& bytes) {
  const std::string first = "glass pack " + std::to_string(pack_format) + "\n";
  if (p.statement.rfind("glass pack ", 0) != 0) refuse("it has no statement");
  if (p.statement.rfind(first, 0) != 0) refuse("it was made by a newer glass");
  const fields all = read_statement(p.statement);
  if (only(all, "manifest") != hash(bytes)) refuse("its manifest is damaged");
  try {
    p.entries = std::make_shared<manifest>(bytes, count(all, "decisions"), count(all, "images"));
  } catch (const std::runtime_error& e) { refuse(e.what()); }
  pack_info& i = p.info;
  i.content = only(all, "content"), i.made = only(all, "made"), i.made_by = only(all, "made by");
  i.glass = only(all, "glass");
  i.targets = each(all, "target"), i.devices = each(all, "device");
  i.decisions = std::int64_t(p.entries->decisions()), i.images = std::int64_t(p.entries->images());
  i.candidates = std::int64_t(count(all, "candidates"));
  const auto headers = each(all, "headers");
  if (!headers.empty() && std::find(headers.begin(), headers.end(), embedded_headers_hash()) == headers.end())
    p.remarks.push_back(
        "it was made with other device headers: its decisions are used, its images are not; export it again with this "
        "glass");
}

}  // namespace

pack pack::open(const pack_source& from, const std::vector<public_key>* required) {
  pack p;
  p.info.name = from.name(), p.info.path = from.path;
  try {
    std::unique_ptr<database> db;
    if (from.path.empty()) {
      check_header(static_cast<const unsigned char*>(from.data), from.data ? from.size : 0);
      p.info.bytes = std::int64_t(from.size);
      db = std::make_unique<database>(from.data, from.size);
    } else {
      check_file(from.path, p, required != nullptr);
      db = std::make_unique<database>(from.path, database::mode::immutable);
    }
    const int version = int(db->number("PRAGMA user_version"));
    if (version < 1 || schema_of(*db) != (version == schema_version() ? current_schema() : expected_schema(version)))
      refuse("its tables are not those of a pack");
    auto said = read_table(*db);
    p.statement = std::move(said["statement"]);
    // The signature first: what it does not hold for is not looked at.
    if (const auto s = said.find("signature"); s != said.end()) {
      const public_key signer = verified_signer(s->second, p.statement);
      p.info.signer = signer.fingerprint();
      if (required && std::find(required->begin(), required->end(), signer) == required->end())
        refuse("it is signed by " + p.info.signer + ", which is none of the required keys");
    } else if (required) {
      refuse("it is not signed, and a key is required");
    }
    read_statement_of(p, said["manifest"]);
    p.rows = std::make_unique<layer>(std::move(db), database::mode::immutable, p.entries);
  } catch (const database_error& e) { refuse(e.damaged() ? std::string("it is damaged: ") + e.what() : e.what()); }
  return p;
}

std::vector<std::string> faults_of(pack& p) {
  std::vector<std::string> all;
  const auto say = [&](const damaged_row& d) {
    all.push_back(d.table + " " + d.key.substr(0, 12) + (d.placement.empty() ? "" : " " + d.placement) + ": " + d.why);
  };
  const auto each = [&](const auto& keys, auto look) {
    for (const std::string& key : keys) {
      try {
        look(key);
      } catch (const damaged_row& d) { say(d); }
    }
  };
  material content;
  try {
    layer& rows = *p.rows;
    if (const std::string found = rows.rows().text("PRAGMA integrity_check"); found != "ok")
      all.push_back("pages: " + found);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < p.entries->decisions(); ++i) keys.push_back(p.entries->decision_key(i));
    each(keys, [&](const std::string& key) {
      const auto d = rows.decision(key);
      std::vector<damaged_row> damaged;
      const auto some = rows.candidates(key, damaged);
      for (const damaged_row& c : damaged) say(c);
      content.add(key, content_of(*d, some));
    });
    each(rows.decision_keys(), [&](const std::string& key) {
      if (!p.entries->has_decision(key))
        all.push_back("decision " + key.substr(0, 12) + ": it is not in the pack's manifest");
    });
    keys.clear();
    for (std::size_t i = 0; i < p.entries->images(); ++i) keys.push_back(p.entries->image_key(i));
    each(keys, [&](const std::string& key) { content.add(key, content_of(*rows.image(key))); });
    each(rows.image_keys(), [&](const std::string& key) {
      if (!p.entries->has_image(key))
        all.push_back("image " + key.substr(0, 12) + ": it is not in the pack's manifest");
    });
    const std::int64_t candidates = rows.rows().number("SELECT count(*) FROM candidate");
    if (candidates != p.info.candidates)
      all.push_back("candidates: there are " + std::to_string(candidates) + ", and " +
                    std::to_string(p.info.candidates) + " were packed");
    if (rows.version() >= 2 && rows.rows().number("SELECT count(*) FROM counter") != 0)
      all.push_back("counter: rows that nobody packed");
    if (all.empty() && content.key() != p.info.content) all.push_back("manifest: its hash is not that of the rows");
  } catch (const database_error& e) { all.push_back(std::string("pages: ") + e.what()); }
  return all;
}

}  // namespace glass::jit
