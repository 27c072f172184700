// dlopen of a memory file; the fast path over the pool, all else block by block in the emulator.
#include "backend/host/image.hpp"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <elf.h>
#include <cstring>
#include <link.h>

#include "backend/host/compiler.hpp"
#include "backend/host/process.hpp"

extern "C" __attribute__((weak)) void __asan_init();

namespace glass::jit {
namespace {
thread_local checked_launch checked;
thread_local std::string last_report;

// glibc takes an object for loaded already when the path is the same, and a descriptor's number comes back: spell each
// path in its own way.
std::string unique_path(int descriptor) {
  static std::atomic<unsigned> counter{0};
  std::string path = "/proc/self";
  for (unsigned n = ++counter; n != 0; n /= 2) path += n % 2 ? "/." : "/";
  return path + "/fd/" + std::to_string(descriptor);
}
std::size_t extent_of(const std::vector<unsigned char>& object) {  // bytes of address space
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(object.data());
  const auto* segment = reinterpret_cast<const ElfW(Phdr)*>(object.data() + header->e_phoff);
  std::size_t end = 0;
  for (int i = 0; i < header->e_phnum; ++i)
    if (segment[i].p_type == PT_LOAD) end = std::max<std::size_t>(end, segment[i].p_vaddr + segment[i].p_memsz);
  return end;
}
}  // namespace

std::mutex& loader() {
  static std::mutex one;
  return one;
}
void check_operands(checked_launch c) { checked = std::move(c); }
std::string host_report() { return last_report; }
void set_host_report(std::string report) { last_report = std::move(report); }

bool plausible_object(const std::vector<unsigned char>& bytes) {
#if defined(__x86_64__)
  constexpr unsigned machine = EM_X86_64;
#else
  constexpr unsigned machine = EM_AARCH64;
#endif
  ElfW(Ehdr) h;
  if (bytes.size() < sizeof h) return false;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_type != ET_DYN ||
      h.e_machine != machine)
    return false;
  if (h.e_phentsize != sizeof(ElfW(Phdr)) || h.e_phnum == 0) return false;
  const auto fits = [&](std::uint64_t at, std::uint64_t size) {
    return at <= bytes.size() && size <= bytes.size() - at;
  };
  if (!fits(h.e_phoff, std::uint64_t{h.e_phnum} * sizeof(ElfW(Phdr))) ||
      !fits(h.e_shoff, std::uint64_t{h.e_shnum} * h.e_shentsize))
    return false;
  for (unsigned i = 0; i < h.e_phnum; ++i) {
    ElfW(Phdr) p;
    std::memcpy(&p, bytes.data() + h.e_phoff + i * sizeof p, sizeof p);
    if (!fits(p.p_offset, p.p_filesz)) return false;
  }
  const std::string mark = host_target_mark();
  return std::search(bytes.begin(), bytes.end(), mark.c_str(), mark.c_str() + mark.size() + 1) != bytes.end();
}

host_image::host_image(const std::vector<unsigned char>& bytes, const host_options& options,
                       std::shared_ptr<pool> workers, unsigned stages)
    : options_(options), pool_(std::move(workers)) {
  const auto refuse = [&](const std::string& why) {
    if (handle_) dlclose(handle_);
    throw error(errc::load_failed, stage::load, "the host image does not load: " + why + ".");
  };
  if (!plausible_object(bytes)) refuse("it is not a shared object for this machine (" + host_target() + ")");
  if (options_.sanitize.find("address") != std::string::npos && !__asan_init)
    refuse("AddressSanitizer must be in the program, too: link it with -fsanitize=address");
  {
    const memory_file file(bytes.data(), bytes.size());
    const std::lock_guard lock(loader());
    handle_ = dlopen(unique_path(file.descriptor()).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) refuse(dlerror());
  }
  const auto find = [&](const char* name) { return dlsym(handle_, name); };
  lane_ = reinterpret_cast<host::lane** (*)()>(find("glass_lane"));
  const bool in_the_pool = !options_.check_race && !options_.emulate;  // if the placement has a range, and it agrees
  const unsigned long long nothing[64] = {};                           // arguments of a launch with count 0
  for (unsigned k = 0; k < stages; ++k) {
    const std::string suffix = k == 0 ? "" : "_" + std::to_string(k);
    const auto entry = reinterpret_cast<emulator::entry>(find(("glass_entry" + suffix).c_str()));
    if (!entry || !lane_) refuse("it has no glass_entry" + suffix + " and glass_lane");
    const auto range = reinterpret_cast<pool::range>(find(("glass_range" + suffix).c_str()));
    stages_.push_back({entry, in_the_pool && range && range(nothing, 0, 0) == 0 ? range : nullptr});
  }
  if (options_.check_race) {
    auto* hooks = static_cast<hook_table*>(find("glass_hooks"));
    if (!hooks) refuse("it was compiled without the race check");
    *hooks = race::table;
    bytes_ = bytes;
  } else if (fast()) {
    pool_->start();
  }
}
host_image::~host_image() {
  const std::lock_guard lock(loader());
  dlclose(handle_);
}

status host_image::launch(CUstream_st*, const launch_shape& shape, const void* arguments,
                          std::size_t bytes) const noexcept {
  try {
    for (const stage_entry& s : stages_)
      if (s.range)
        pool_->run(s.range, arguments, shape.count, std::max(1u, shape.threads));
      else if (status failed = emulate(s.entry, shape, arguments, bytes); !failed.ok())
        return failed;
    return {};
  } catch (const error& e) { return {e.code(), "%s", e.message().c_str()}; } catch (const std::exception& e) {
    return {errc::launch_failed, "a body threw: %s", e.what()};
  } catch (...) { return {errc::launch_failed, "a body threw an exception."}; }
}

status host_image::emulate(emulator::entry entry, const launch_shape& shape, const void* arguments,
                           std::size_t bytes) const {
  if (shape.blocks == 0 || shape.count <= 0) return {};
  host::lane** slot = lane_();
  emulator lanes(static_cast<int>(std::max(1u, shape.threads)), shape.shared_bytes);
  std::minstd_rand random(options_.seed);
  std::unique_ptr<race> check;
  if (options_.check_race) {
    check = std::make_unique<race>(checked, reinterpret_cast<std::uintptr_t>(arguments), bytes,
                                   reinterpret_cast<std::uintptr_t>(slot));
    link_map* map = nullptr;
    dlinfo(handle_, RTLD_DI_LINKMAP, &map);
    check->image(map->l_addr, extent_of(bytes_));
  }
  bool fine = true;
  for (long long group = 0; group < static_cast<long long>(shape.blocks) && fine; ++group)
    fine = lanes.run(group, slot, entry, arguments, options_.lanes, random, check.get());
  if (check && check->found()) {
    std::string sentence;
    last_report = check->report(bytes_, sentence);
    return {errc::race, "%s.", sentence.c_str()};
  }
  if (fine) return {};
  last_report = lanes.complaint();
  return {lanes.threw() ? errc::launch_failed : errc::divergent, "%s", last_report.c_str()};
}

}  // namespace glass::jit
