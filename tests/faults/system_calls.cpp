// The system calls by name. Each asks `suffer` first, then makes the real call by its number.
#include "system_calls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstdarg>
#include <cstring>
#include <mutex>

namespace glass::faults {
namespace {

enum class mode { off, planned, recording };
std::atomic<mode> now{mode::off};
char root[PATH_MAX];
std::size_t root_length = 0;
plan ordered;
std::atomic<long> counted{0};
std::mutex tape_mutex;
std::vector<operation> tape;

bool below(const char* path) { return std::strncmp(path, root, root_length) == 0; }
std::string path_of(int fd) {
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long n = ::syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path);
  return n > 0 ? std::string(path, std::size_t(n)) : std::string();
}

[[noreturn]] void die() {
  ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
  for (;;) ::pause();
}

enum class fate { go_on, half, failed };
fate suffer(kind what, const std::string& path) {
  if (!below(path.c_str()) || (ordered.which & what) == 0) return fate::go_on;
  const long n = counted++;
  if (n < ordered.at || ordered.what == plan::act::count || (n > ordered.at && !ordered.for_good)) return fate::go_on;
  if (ordered.what == plan::act::fail) return errno = ordered.error, fate::failed;
  if (ordered.what == plan::act::tear && what == writes) return fate::half;
  die();
}

// Around one call: what is planned, the call, what is recorded.
template <class Call, class Note>
long around(kind what, const std::string& path, Call call, Note note) {
  const mode m = now;
  if (m == mode::planned && suffer(what, path) == fate::failed) return -1;
  const long result = call();
  if (m == mode::recording && result >= 0 && below(path.c_str())) {
    const std::lock_guard hold(tape_mutex);
    note();
  }
  return result;
}
template <class Call>
long plain(kind what, const std::string& path, Call call) {
  return around(what, path, call, [&] { tape.push_back({what, path}); });
}

long write_at(int fd, const void* bytes, std::size_t n, long long offset, bool has_offset) {
  const auto call = [&](std::size_t some) {
    return has_offset ? ::syscall(SYS_pwrite64, fd, bytes, some, offset) : ::syscall(SYS_write, fd, bytes, some);
  };
  if (now == mode::off) return call(n);
  const std::string path = path_of(fd);
  if (now == mode::planned) {
    const fate f = suffer(writes, path);
    if (f == fate::failed) return -1;
    if (f == fate::half) {
      call(n / 2);
      die();
    }
  }
  const long long at = has_offset ? offset : ::syscall(SYS_lseek, fd, 0, SEEK_CUR);
  const long result = call(n);
  if (now == mode::recording && result > 0 && below(path.c_str())) {
    const std::lock_guard hold(tape_mutex);
    tape.push_back({writes, path, {}, at, std::string(static_cast<const char*>(bytes), std::size_t(result))});
  }
  return result;
}

long cut(const std::string& path, long long length, long (*call)(long, long long), long what) {
  return around(
      cuts, path, [&] { return call(what, length); },
      [&] {
        tape.push_back({cuts, path, {}, length});
      });
}

long opened(int folder, const char* path, int flags, unsigned mode_bits) {
  const auto call = [&] { return ::syscall(SYS_openat, folder, path, flags, mode_bits); };
  if (now == mode::off) return call();
  struct stat s {};
  const bool makes = (flags & O_CREAT) != 0 && ::syscall(SYS_newfstatat, AT_FDCWD, path, &s, AT_SYMLINK_NOFOLLOW) != 0;
  if (!makes) return now == mode::planned && suffer(opens, path) == fate::failed ? -1 : call();
  return plain(creates, path, call);
}

std::string absolute(const char* path) { return path; }  // glass and SQLite name their files in full

}  // namespace

void arm(const std::string& folder, const plan& p) {
  std::strncpy(root, folder.c_str(), sizeof root - 1);
  root_length = std::strlen(root);
  ordered = p, counted = 0;
  now = mode::planned;
}
long disarm() {
  now = mode::off;
  return counted;
}
void record(const std::string& folder) {
  arm(folder, {});
  tape.clear();
  now = mode::recording;
}
std::size_t recorded_so_far() {
  const std::lock_guard hold(tape_mutex);
  return tape.size();
}
std::vector<operation> recorded() {
  now = mode::off;
  return std::move(tape);
}

}  // namespace glass::faults

using namespace glass::faults;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned bits = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return int(opened(AT_FDCWD, path, flags, bits));
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned bits = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return int(opened(AT_FDCWD, path, flags, bits));
}

ssize_t read(int fd, void* to, size_t n) {
  if (now == mode::planned && suffer(reads, path_of(fd)) == fate::failed) return -1;
  return ::syscall(SYS_read, fd, to, n);
}
ssize_t pread64(int fd, void* to, size_t n, off64_t at) {
  if (now == mode::planned && suffer(reads, path_of(fd)) == fate::failed) return -1;
  return ::syscall(SYS_pread64, fd, to, n, at);
}
ssize_t write(int fd, const void* from, size_t n) { return write_at(fd, from, n, 0, false); }
ssize_t pwrite64(int fd, const void* from, size_t n, off64_t at) { return write_at(fd, from, n, at, true); }
ssize_t writev(int fd, const iovec* parts, int n) {
  ssize_t all = 0;
  for (int i = 0; i < n; ++i) {
    const ssize_t one = write_at(fd, parts[i].iov_base, parts[i].iov_len, 0, false);
    if (one < 0) return all > 0 ? all : -1;
    all += one;
  }
  return all;
}

int ftruncate64(int fd, off64_t n) noexcept {
  return int(cut(
      path_of(fd), n, [](long f, long long to) { return ::syscall(SYS_ftruncate, f, to); }, fd));
}
int ftruncate(int fd, off_t n) noexcept { return ftruncate64(fd, n); }
int truncate(const char* path, off_t n) noexcept {
  return int(cut(
      absolute(path), n,
      [](long p, long long to) { return ::syscall(SYS_truncate, reinterpret_cast<const char*>(p), to); },
      reinterpret_cast<long>(path)));
}

int fsync(int fd) {
  return int(plain(syncs, path_of(fd), [&] { return ::syscall(SYS_fsync, fd); }));
}
int fdatasync(int fd) {
  return int(plain(syncs, path_of(fd), [&] { return ::syscall(SYS_fdatasync, fd); }));
}

int rename(const char* from, const char* to) noexcept {
  return int(around(
      renames, absolute(from), [&] { return ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0); },
      [&] {
        tape.push_back({renames, from, to});
      }));
}
int unlink(const char* path) noexcept {
  return int(plain(removes, absolute(path), [&] { return ::syscall(SYS_unlinkat, AT_FDCWD, path, 0); }));
}
int mkdir(const char* path, mode_t bits) noexcept {
  if (now == mode::planned) {
    struct stat s {};
    if (::syscall(SYS_newfstatat, AT_FDCWD, path, &s, 0) == 0) return errno = EEXIST, -1;  // makes nothing: not counted
  }
  return int(plain(creates, absolute(path), [&] { return ::syscall(SYS_mkdirat, AT_FDCWD, path, bits); }));
}
int link(const char* from, const char* to) noexcept {
  return int(around(
      creates, absolute(to), [&] { return ::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0); },
      [&] {
        tape.push_back({creates, from, to});
      }));
}

namespace {
int controlled(int fd, int command, void* argument) {
  const bool ofd = command == F_OFD_SETLK || command == F_OFD_SETLKW, posix = command == F_SETLK || command == F_SETLKW;
  if ((ofd && no_ofd_locks) || (posix && no_posix_locks)) return errno = ENOLCK, -1;
  return int(::syscall(SYS_fcntl, fd, command, argument));
}
}  // namespace
int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return controlled(fd, command, argument);
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return controlled(fd, command, argument);
}

int statfs(const char* path, struct statfs* s) noexcept {
  const long result = ::syscall(SYS_statfs, path, s);
  if (result == 0 && network_disk) s->f_type = 0x6969;
  return int(result);
}

int clock_gettime(clockid_t clock, struct timespec* t) noexcept {
  const long result = ::syscall(SYS_clock_gettime, clock, t);
  if (result == 0 && clock == CLOCK_REALTIME) t->tv_sec += clock_ahead;
  return int(result);
}
time_t time(time_t* to) noexcept {
  struct timespec t {};
  clock_gettime(CLOCK_REALTIME, &t);
  if (to != nullptr) *to = t.tv_sec;
  return t.tv_sec;
}
int gettimeofday(struct timeval* to, void*) noexcept {
  struct timespec t {};
  clock_gettime(CLOCK_REALTIME, &t);
  to->tv_sec = t.tv_sec, to->tv_usec = t.tv_nsec / 1000;
  return 0;
}
}
