// Splits the schema into its migrations and applies those that a file lacks.
#include "store/schema.hpp"

namespace glass::jit {

std::vector<std::string> migrations(const std::string& schema) {
  std::vector<std::string> all;
  const std::string mark = "\n-- migration ";
  for (std::size_t at = schema.find(mark); at != std::string::npos;) {
    const std::size_t next = schema.find(mark, at + 1);
    all.push_back(schema.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return all;
}

int schema_version() {
  static const int version = int(migrations(schema_text()).size());
  return version;
}

void migrate(database& db, const std::vector<std::string>& all) {
  transaction whole(db);
  for (auto version = std::size_t(db.number("PRAGMA user_version")); version < all.size(); ++version)
    db.run(all[version]);
  db.run("PRAGMA application_id = " + std::to_string(application_id));
  db.run("PRAGMA user_version = " + std::to_string(all.size()));
  whole.commit();
}

}  // namespace glass::jit
