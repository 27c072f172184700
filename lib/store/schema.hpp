// The numbered migrations of cache/schema.sql, and how a file is brought up to date. A file newer than the last one is
// left as it is.
#pragma once
#include <string>
#include <vector>

#include "store/database.hpp"

namespace glass::jit {

inline constexpr int application_id = 0x676c6173;  // "glas"

const std::string& schema_text();                                // cache/schema.sql, built in
std::vector<std::string> migrations(const std::string& schema);  // [0] makes version 1, and so on
int schema_version();                                            // how many there are

// Runs the migrations after the file's own version, all in one transaction.
void migrate(database&, const std::vector<std::string>& all);

}  // namespace glass::jit
