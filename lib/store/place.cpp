// The folder's checks and the overlay's opening. Images are executable code: a folder that others may write is not
// used.
#include "store/place.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "store/file_lock.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

constexpr double lock_seconds = 10;

// Owned by us or root, and written by nobody else.
std::string distrust(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return errno == ENOENT ? "" : path + ": " + std::strerror(errno);
  if (s.st_uid != ::geteuid() && s.st_uid != 0) return path + " belongs to another user";
  if (s.st_mode & (S_IWGRP | S_IWOTH)) return path + " can be written by other users; make it mode 0700";
  return {};
}

std::string prepare_folder(const std::string& folder) {
  std::string made;
  for (const auto& part : std::filesystem::path(folder)) {
    made = made.empty() ? part.string() : (std::filesystem::path(made) / part).string();
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
      struct stat s {};
      const int why = errno;  // a parent on a read-only medium may refuse and yet be there
      if (::stat(made.c_str(), &s) != 0) return "cannot make the folder " + made + ": " + std::strerror(why);
    }
  }
  struct stat s {};
  if (::stat(folder.c_str(), &s) != 0) return folder + ": " + std::strerror(errno);
  if (!S_ISDIR(s.st_mode)) return folder + " is not a folder";
  return distrust(folder);
}

file_identity identity(const std::string& file) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return {};
  return {s.st_dev, s.st_ino};
}

// Who made this file, by its header: a database of another program is left alone.
bool foreign(const std::string& file) {
  database db(file, database::mode::read_write);
  const auto id = db.number("PRAGMA application_id");
  return id != application_id && (id != 0 || db.number("SELECT count(*) FROM sqlite_schema") != 0);
}

void open_read_only(const place& where, opened& result, const std::string& why) {
  struct stat wal {};
  const bool quiet = ::stat((where.file() + "-wal").c_str(), &wal) != 0 || wal.st_size == 0;
  for (auto mode : {database::mode::read_only, database::mode::immutable}) {
    if (mode == database::mode::immutable && !quiet) break;  // what is in the log would be missing
    try {
      result.overlay = std::make_unique<layer>(where.file(), mode);
      result.file = identity(where.file());
      result.trouble = why + ": read, not written";
      return;
    } catch (const database_error& e) { result.trouble = why + " (" + e.what() + ")"; }
  }
}

void open_writable(const place& where, opened& result) {
  struct stat s {};
  if (::stat(where.file().c_str(), &s) == 0 && S_ISDIR(s.st_mode))
    throw database_error(26 /* not a database */, "it is a folder");
  if (foreign(where.file())) {
    result.trouble = where.file() + " belongs to another program";
    return;
  }
  std::int64_t version = 0;
  {
    database db(where.file(), database::mode::read_write);
    version = db.number("PRAGMA user_version");
    if (version == 0) db.run("PRAGMA auto_vacuum = INCREMENTAL");  // before anything is written
    if (version <= schema_version()) {
      const char* wanted = on_local_disk(where.folder) ? "wal" : "delete";
      if (db.text("PRAGMA journal_mode") != wanted) db.text(std::string("PRAGMA journal_mode = ") + wanted);
    }
  }
  if (version > schema_version()) return open_read_only(where, result, where.file() + " was made by a newer glass");
  try {
    result.overlay = std::make_unique<layer>(where.file(), database::mode::read_write);
    result.file = identity(where.file());
  } catch (const database_error& e) {
    // At our own version a table that is not as expected is damage.
    if (e.missing_table()) throw database_error(11 /* malformed */, e.what());
    throw;
  }
}

std::string rename_aside(const place& where) {
  char time[32];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &parts);
  std::string to = where.file() + ".damaged-" + time;
  for (int n = 2; ::access(to.c_str(), F_OK) == 0; ++n)
    to = where.file() + ".damaged-" + time + "-" + std::to_string(n);
  // Side files first: a new database must not meet the log of the old one.
  for (const char* side : {"-wal", "-shm", "-journal", ""}) {
    if (::rename((where.file() + side).c_str(), (to + side).c_str()) != 0 && errno != ENOENT) return {};
  }
  return to;
}

}  // namespace

bool on_local_disk(const std::string& folder) {
  struct statfs s {};
  if (::statfs(folder.c_str(), &s) != 0) return false;
  switch (static_cast<unsigned long>(s.f_type)) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case 0x2fc12fc1:  // zfs
      return true;
    default:
      return false;
  }
}

std::string set_aside(const place& where, const file_identity& damaged) {
  file_lock lock;
  if (lock.take(where.lock_file(), opening_byte, lock_seconds) != file_lock::outcome::taken) return {};
  return identity(where.file()) == damaged ? rename_aside(where) : std::string();
}

opened open_overlay(const place& where) {
  opened result;
  result.trouble = prepare_folder(where.folder);
  if (result.trouble.empty()) result.trouble = distrust(where.file());
  if (!result.trouble.empty()) return result;

  const bool there = ::access(where.file().c_str(), F_OK) == 0;
  const bool may_write =
      ::access(where.folder.c_str(), W_OK | X_OK) == 0 && (!there || ::access(where.file().c_str(), W_OK) == 0);
  if (!may_write) {
    if (there)
      open_read_only(where, result, where.file() + " cannot be written");
    else
      result.trouble = where.folder + " cannot be written";
    return result;
  }
  file_lock lock;
  switch (lock.take(where.lock_file(), opening_byte, lock_seconds)) {
    case file_lock::outcome::timed_out:
      result.trouble = where.lock_file() + " is held by another process";
      return result;
    case file_lock::outcome::unavailable:
      if (!file_lock::databases_can(where.lock_file())) {
        result.trouble = where.folder + " is on a file system without locks";
        return result;
      }
      break;  // at worst two processes create at once and one of them gets a busy database
    case file_lock::outcome::taken:
      break;
  }
  for (int attempt = 0; attempt < 3; ++attempt) {
    try {
      open_writable(where, result);
      return result;
    } catch (const database_error& e) {
      result.trouble = where.file() + ": " + e.what();
      if (!e.damaged()) break;
      if (attempt == 0) continue;  // a read that failed once looks like damage too
      result.set_aside = rename_aside(where);
      if (result.set_aside.empty()) break;
      result.trouble.clear();
    }
  }
  result.overlay.reset();
  if (result.set_aside.empty() && ::access(where.file().c_str(), F_OK) == 0)
    open_read_only(where, result, result.trouble);
  return result;
}

}  // namespace glass::jit
