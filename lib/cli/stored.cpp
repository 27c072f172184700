#include "cli/stored.hpp"

#include <filesystem>
#include <fstream>

#include "glass/jit/error.hpp"
#include "store/schema.hpp"

namespace glass::jit::cli {
namespace {

// As the header says, for a pack may be cut short.
std::int64_t application_of(const std::string& file) {
  unsigned char header[72] = {};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(header), sizeof header);
  std::int64_t id = 0;
  for (int i = 68; i < 72; ++i) id = id << 8 | header[i];
  return id;
}

}  // namespace

stored open_stored(const std::string& named) {
  std::string file = named.empty() ? store::default_folder() : named;
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) file += "/cache.sqlite";
  if (!std::filesystem::exists(file, none))
    throw error(errc::store, stage::store, "there is no pack and no cache at " + file + ".",
                "Name a pack, a cache's folder or its cache.sqlite; without a name it is the cache of this machine.");
  std::string trouble;
  for (const auto mode : {database::mode::read_only, database::mode::immutable}) {  // a medium may take no side files
    try {
      if (application_of(file) == pack_application_id) {
        pack p = pack::open(pack_source(file), nullptr);
        return {file, std::move(p.rows), std::move(p.info)};
      }
      if (database(file, mode).number("PRAGMA application_id") != application_id)
        throw error(errc::store, stage::store, file + " was not made by glass.");
      return {file, std::make_unique<layer>(file, mode), {}};
    } catch (const database_error& e) { trouble = e.what(); } catch (const error& e) {
      if (e.message().rfind(file, 0) == 0) throw;
      throw error(e.code(), e.stage(), file + ": " + e.message() + ".", e.hint());  // of a pack, which says only why
    }
  }
  throw error(errc::store, stage::store, file + " cannot be read: " + trouble + ".");
}

}  // namespace glass::jit::cli
