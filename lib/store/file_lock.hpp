// A lock on one byte of a file, between processes and between threads (an open-file-description lock): the kernel
// releases it when the holder dies, however it dies.
#pragma once
#include <cstdint>
#include <string>

namespace glass::jit {

class file_lock {
 public:
  enum class outcome {
    taken,
    timed_out,
    unavailable
  };  // unavailable: no such file and none can be made, or a file system without locks
  file_lock() = default;
  ~file_lock() { release(); }
  file_lock(const file_lock&) = delete;
  outcome take(const std::string& file, std::uint64_t byte, double seconds);
  void release() noexcept;
  // Whether SQLite can lock the files beside this one. It takes a lock that cannot be had for one that another process
  // holds, and waits for it.
  static bool databases_can(const std::string& file);

 private:
  int fd_ = -1;
};

inline constexpr std::uint64_t opening_byte =
    0;  // held while the database is created, migrated or set aside; images use the bytes after it

}  // namespace glass::jit
