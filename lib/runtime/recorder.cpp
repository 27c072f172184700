#include "runtime/recorder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "glass/jit/error.hpp"
#include "store/file_lock.hpp"

namespace glass::jit {
namespace {

namespace fs = std::filesystem;
constexpr double patience = 10;  // seconds for another program that writes the same file

[[noreturn]] void fail(const std::string& what) {
  throw error(errc::io, stage::source, what + ": " + std::strerror(errno));
}

// The whole text or nothing, whenever the power goes: beside, on disk, then in its place.
void replace(const std::string& file, const std::string& text) {
  const std::string aside = file + "." + std::to_string(getpid()) + ".new";
  const int fd = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail("cannot write " + aside);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool whole = done == text.size() && ::fsync(fd) == 0;
  const int why = errno;
  ::close(fd);
  if (whole && std::rename(aside.c_str(), file.c_str()) == 0) return;
  if (!whole) errno = why;
  const int kept = errno;
  ::unlink(aside.c_str());
  errno = kept;
  fail("cannot write " + file);
}

}  // namespace

recorder::recorder(std::string file, std::shared_ptr<warner> warn)
    : file_(file.empty() ? file : fs::absolute(file).lexically_normal().string()), warn_(std::move(warn)) {}

void recorder::note(const bound_problem& p, const placement* named) noexcept {
  try {
    manifest_entry e{p.description, p.built_in, p.request, named ? named->text() : std::string()};
    const std::lock_guard lock(mutex_);
    if (!known_.insert(identity(e)).second) return;
    entries_.push_back(e);
    if (!file_.empty()) write(e);
  } catch (const std::exception& x) {
    try {
      (*warn_)("record", "the record of problems is not kept: " + std::string(x.what()));
    } catch (...) {  // the user's own callback
    }
  }
}

void recorder::write(const manifest_entry& e) {
  file_lock alone;  // where locks are not to be had, the last of two programs that write at once wins
  alone.take(file_ + ".lock", 0, patience);
  if (!fs::exists(file_)) return replace(file_, manifest_to_json({e}));
  const std::string before = read_text(file_);
  const std::string after = manifest_to_json({e}, before, file_, fs::path(file_).parent_path().string());
  if (after != before) replace(file_, after);
}

std::string recorder::manifest() const {
  const std::lock_guard lock(mutex_);
  return manifest_to_json(entries_);
}

}  // namespace glass::jit
