// Starts a program without a shell and collects what it says. Files are handed over as descriptors (memory files),
// never as paths, so that nothing lies on a disk that an interrupt could leave behind.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace glass::jit {

// A file in memory, closed by the destructor.
class memory_file {
 public:
  explicit memory_file(const void* bytes = nullptr, std::size_t size = 0);  // throws errc::io
  ~memory_file();
  memory_file(memory_file&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  int descriptor() const { return fd_; }
  std::vector<unsigned char> bytes() const;

 private:
  int fd_;
};

struct outcome {
  int exit_code = -1;  // 128 + n: ended by signal n; -1: did not start
  std::string said;    // standard error and standard output together, at most 1 MB
};
// `input` becomes descriptor 0 (-1: empty), `output` descriptor 3 (-1: none). The program speaks English (LC_ALL=C).
outcome run_program(const std::vector<std::string>& command, int input = -1, int output = -1);

}  // namespace glass::jit
