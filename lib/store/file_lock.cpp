// F_OFD_SETLK in a loop with growing pauses, for F_OFD_SETLKW knows no deadline.
#include "store/file_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/text.hpp"

namespace glass::jit {

file_lock::outcome file_lock::take(const std::string& file, std::uint64_t byte, double seconds) {
  release();
  fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd_ < 0) return outcome::unavailable;
  struct flock range {};
  range.l_type = F_WRLCK, range.l_whence = SEEK_SET, range.l_start = off_t(byte), range.l_len = 1;
  const double deadline = seconds_now() + seconds;
  for (double pause = 0.0005;; pause = std::min(2 * pause, 0.02)) {
    if (::fcntl(fd_, F_OFD_SETLK, &range) == 0) return outcome::taken;
    const bool held = errno == EAGAIN || errno == EACCES || errno == EINTR;
    const bool late = seconds_now() >= deadline;
    if (!held || late) {
      ::close(fd_);
      fd_ = -1;
      return held ? outcome::timed_out : outcome::unavailable;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(pause));
  }
}

bool file_lock::databases_can(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return true;  // it will say why not
  struct flock range {};
  range.l_type = F_RDLCK, range.l_whence = SEEK_SET, range.l_len = 1;
  const bool can = ::fcntl(fd, F_SETLK, &range) == 0 || errno == EAGAIN || errno == EACCES || errno == EINTR;
  ::close(fd);
  return can;
}

void file_lock::release() noexcept {
  if (fd_ < 0) return;
  struct flock range {};  // said in so many words: a child forked meanwhile may hold the same description
  range.l_type = F_UNLCK, range.l_whence = SEEK_SET, range.l_len = 0;
  ::fcntl(fd_, F_OFD_SETLK, &range);
  ::close(fd_);
  fd_ = -1;
}

}  // namespace glass::jit
