// posix_spawn, a pipe and memfd_create.
#include "backend/host/process.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "glass/jit/error.hpp"

extern char** environ;

namespace glass::jit {
namespace {
[[noreturn]] void io_error(const char* what) {
  throw error(errc::io, stage::compile, std::string(what) + ": " + std::strerror(errno) + ".");
}
// A daemon may run with descriptors 0 to 2 closed: keep ours out of the way of the child's redirections.
int move_up(int fd) {
  if (fd < 0 || fd > 3) return fd;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 4);
  close(fd);
  return high;
}
}  // namespace

memory_file::memory_file(const void* bytes, std::size_t size) : fd_(move_up(memfd_create("glass", MFD_CLOEXEC))) {
  if (fd_ < 0) io_error("memfd_create");
  for (auto* p = static_cast<const char*>(bytes); size > 0;) {
    const ssize_t n = write(fd_, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int e = errno;
      close(fd_);
      errno = e;
      io_error("writing a memory file");
    }
    p += n, size -= static_cast<std::size_t>(n);
  }
  lseek(fd_, 0, SEEK_SET);
}
memory_file::~memory_file() {
  if (fd_ >= 0) close(fd_);
}
std::vector<unsigned char> memory_file::bytes() const {
  struct stat s {};
  if (fstat(fd_, &s) != 0) io_error("reading a memory file");
  std::vector<unsigned char> all(static_cast<std::size_t>(s.st_size));
  for (std::size_t at = 0; at < all.size();) {
    const ssize_t n = pread(fd_, all.data() + at, all.size() - at, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) io_error("reading a memory file");
    at += static_cast<std::size_t>(n);
  }
  return all;
}

outcome run_program(const std::vector<std::string>& command, int input, int output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) io_error("pipe");
  for (int& end : ends) end = move_up(end);
  std::vector<char*> arguments, environment;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  static char english[] = "LC_ALL=C";
  for (char** e = environ; *e; ++e)
    if (std::strncmp(*e, "LC_ALL=", 7) != 0) environment.push_back(*e);
  environment.push_back(english);
  environment.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&files, input, 0);
  else
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_adddup2(&files, ends[1], 2);
  if (output >= 0) posix_spawn_file_actions_adddup2(&files, output, 3);
  posix_spawnattr_t attributes;  // a worker may have blocked signals; the program gets a clean mask
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  outcome result;
  const int failed = posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    result.said = std::strerror(failed);
    return result;
  }
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0 && result.said.size() < (1u << 20)) result.said.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int how = 0;  // a program that ignores SIGCHLD never learns how a child ended: taken as success, what it made must be
                // looked at
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {}
  result.exit_code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  return result;
}

}  // namespace glass::jit
