// The backend: puts compiler, images, emulator and pool behind the one interface; memory that a forked child shares;
// runs with a deadline.
#include "backend/host/host.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/host/compiler.hpp"
#include "backend/host/device.hpp"
#include "backend/host/image.hpp"
#include "base/text.hpp"

extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void*, std::size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void*, std::size_t);
}

namespace glass::jit {
namespace {
constexpr std::size_t header = 64;  // before each allocation: its bytes

class host_backend final : public backend {
 public:
  explicit host_backend(const host_options& options)
      : options_(options),
        compiler_(options),
        pool_(pool::make(options.workers > 0 ? options.workers : allowed_cores())),
        device_(describe_host(pool_->workers())) {}

  const device_description& device() const noexcept override { return device_; }
  std::string compiler() override { return compiler_.identity(); }
  image compile(const source& s) override { return compiler_.compile(s); }
  std::vector<std::string> quick_options() override { return {"-O1"}; }
  int compile_slots() const override {
    const std::size_t by_memory = available_memory() / (std::size_t{300} << 20);  // what g++ takes for a large kernel
    return std::max(1, std::min(allowed_cores(), static_cast<int>(by_memory)));
  }
  bool plausible(const std::vector<unsigned char>& bytes) const override { return plausible_object(bytes); }
  std::shared_ptr<const loaded_image> load(const std::vector<unsigned char>& bytes,
                                           const launch_shape& largest) override {
    if (largest.shared_bytes > device_.shared_per_block_optin)
      throw error(errc::load_failed, stage::load,
                  std::to_string(largest.shared_bytes) + " bytes of shared memory are more than the " +
                      std::to_string(device_.shared_per_block_optin) + " of a block.");
    return std::make_shared<host_image>(bytes, options_, pool_, largest.stages);
  }

  void* allocate(std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    void* p = bytes < SIZE_MAX / 2
                  ? mmap(nullptr, bytes + header, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                  : MAP_FAILED;
    if (p == MAP_FAILED)
      throw error(errc::out_of_memory, stage::device, "no " + std::to_string(bytes) + " bytes of memory.");
    std::memcpy(p, &bytes, sizeof bytes);
    char* data = static_cast<char*>(p) + header;
    if (__asan_poison_memory_region) {  // the rest of the last page
      const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
      __asan_poison_memory_region(data + bytes, (page - (bytes + header) % page) % page);
    }
    return data;
  }
  void free(void* data) noexcept override {
    if (!data) return;
    char* p = static_cast<char*>(data) - header;
    std::size_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    if (__asan_unpoison_memory_region) {
      const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
      __asan_unpoison_memory_region(p, (bytes + header + page - 1) / page * page);
    }
    munmap(p, bytes + header);
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override { upload(to, from, bytes); }
  void synchronize() override {}
  std::size_t free_bytes() override { return available_memory(); }

  status run(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes,
             double deadline_seconds) override;
  timing time(const loaded_image&, const launch_shape&, const void* arguments, std::size_t bytes, measure, int launches,
              double deadline_seconds) override;

 private:
  const host_options options_;
  host_compiler compiler_;
  std::shared_ptr<pool> pool_;
  device_description device_;
};

// In a child process: a body that loops or crashes takes nothing with it. Results come back through the memory of
// allocate().
status host_backend::run(const loaded_image& image, const launch_shape& shape, const void* arguments, std::size_t bytes,
                         double deadline_seconds) {
  static_assert(std::is_trivially_copyable_v<status>);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {errc::launch_failed, "pipe: %s", std::strerror(errno)};
  const double deadline = seconds_now() + deadline_seconds;
  loader().lock();
  const pid_t child = fork();
  loader().unlock();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a body that loops does not outlive the one that waits for it
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      signal(fault, SIG_DFL);  // no crash reporter's business
    set_host_report({});
    const status s = image.launch(nullptr, shape, arguments, bytes);
    std::string message(reinterpret_cast<const char*>(&s), sizeof s);
    message += host_report();
    for (std::size_t at = 0; at < message.size();) {
      const ssize_t n = write(ends[1], message.data() + at, message.size() - at);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {errc::launch_failed, "fork: %s", std::strerror(errno)};
  }
  std::string message;
  char buffer[4096];
  bool late = false;
  for (ssize_t n = 1; n != 0 && !late;) {
    pollfd wait{ends[0], POLLIN, 0};
    const double left = std::min(std::max(0.0, deadline - seconds_now()), 1e6);
    const int answers = poll(&wait, 1, static_cast<int>(left * 1e3) + 1);
    if (answers < 0 && errno != EINTR) break;
    if (answers > 0) {
      n = read(ends[0], buffer, sizeof buffer);
      if (n > 0) message.append(buffer, static_cast<std::size_t>(n));
    } else {
      late = seconds_now() >= deadline;
    }
  }
  close(ends[0]);
  if (late) kill(child, SIGKILL);
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {}
  if (late) return {errc::hang, "the launch did not end within %g s.", deadline_seconds};
  if (WIFSIGNALED(how))
    return {errc::launch_failed, "the launch was ended by signal %d (%s).", WTERMSIG(how), strsignal(WTERMSIG(how))};
  if (message.size() < sizeof(status))
    return {errc::launch_failed, "the process of the launch ended with code %d.", WEXITSTATUS(how)};
  status s;
  std::memcpy(static_cast<void*>(&s), message.data(), sizeof s);
  set_host_report(message.substr(sizeof s));
  return s;
}

// A launch returns when done, so the three measures differ in nothing here.
timing host_backend::time(const loaded_image& image, const launch_shape& shape, const void* arguments,
                          std::size_t bytes, measure, int launches, double deadline_seconds) {
  timing t;
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const double start = seconds_now();
  int done = 0;
  for (int look = 1; done < launches;) {
    if (t.status = image.launch(nullptr, shape, arguments, bytes); !t.status) return t;
    if (++done < look) continue;
    const double so_far = seconds_now() - start;
    if (so_far > deadline_seconds) break;
    look = done + 1 + static_cast<int>(std::min(1e4, 1e-4 / so_far * done));  // at the clock again in about 0.1 ms
  }
  const double all = seconds_now() - start;
  getrusage(RUSAGE_SELF, &after);
  if (all > deadline_seconds)
    t.status = status(errc::hang, "%d launches did not end within %g s.", launches, deadline_seconds);
  t.seconds = all / std::max(1, done);
  // Another program took the core more often than a quiet machine's housekeeping does.
  t.disturbed = static_cast<double>(after.ru_nivcsw - before.ru_nivcsw) > 2 + 100 * all;
  return t;
}
}  // namespace

std::shared_ptr<backend> open_host_backend(const host_options& options) {
  return std::make_shared<host_backend>(options);
}

}  // namespace glass::jit
