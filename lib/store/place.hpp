// Where the overlay lies: whether a folder may be trusted and written, and the opening of its database. Trouble is a
// sentence, not an exception.
#pragma once
#include <memory>
#include <string>

#include "store/layer.hpp"

namespace glass::jit {

// A file as it was when opened, to tell whether another process has put a new one in its place since.
struct file_identity {
  std::uint64_t device = 0, inode = 0;
  friend bool operator==(const file_identity&, const file_identity&) = default;
};

struct opened {
  std::unique_ptr<layer> overlay;  // none: memory only
  file_identity file;
  std::string trouble;    // why there is none, or why it is only read
  std::string set_aside;  // where a damaged file went
};

struct place {
  std::string folder;  // absolute
  std::string file() const { return folder + "/cache.sqlite"; }
  std::string lock_file() const { return folder + "/cache.lock"; }
};

opened open_overlay(const place&);
// Renames the file (with its side files) to cache.sqlite.damaged-TIME unless it is no longer the one named; the new
// name, or "".
std::string set_aside(const place&, const file_identity& damaged);
bool on_local_disk(const std::string& folder);  // a file system known to share memory maps and locks between processes

}  // namespace glass::jit
