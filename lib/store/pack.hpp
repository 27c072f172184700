// One pack, opened to be read: a SQLite file (or the bytes of one) whose rows are listed in a manifest, whose hash stands
// in a statement, which may be signed. Checked when it is opened: the header, the schema, the manifest's hash, the
// signature; a row when it is used. The rules are in cache/README.md.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "store/layer.hpp"
#include "store/signature.hpp"

namespace glass::jit {

inline constexpr int pack_format = 1;
inline constexpr int pack_application_id = 0x676c6170;  // "glap"
// In a pack beside the tables of the cache: "statement", "manifest" and perhaps "signature".
inline constexpr char pack_table[] = "CREATE TABLE pack (name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT";

struct pack {
  pack_info info;
  std::string statement;  // lines "name: value"; what is signed
  std::shared_ptr<const manifest> entries;
  std::unique_ptr<layer> rows;
  std::vector<std::string> remarks;  // oddities that are no reason to refuse it

  // Throws errc::store with one sentence. `required`: it must be signed by one of these; null: any signature that holds,
  // or none, but then the file must be one that only this user can have written.
  static pack open(const pack_source&, const std::vector<public_key>* required);
};

// Every row read and compared, every page looked at; a sentence for each fault, none when all is well.
std::vector<std::string> faults_of(pack&);

}  // namespace glass::jit
