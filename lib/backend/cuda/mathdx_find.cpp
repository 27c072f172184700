// Which libmathdx a machine has, for which CUDA, and how much memory is left for it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "backend/cuda/folders.hpp"
#include "backend/cuda/mathdx.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {

// The CUDA major whose NVRTC the library asks for by name; 0: it names none. Loading it would fail, or bring another
// NVRTC into the process.
int cuda_major_of(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  struct stat about {};
  int major = 0;
  if (::fstat(descriptor, &about) == 0 && about.st_size > 0) {
    const auto size = static_cast<std::size_t>(about.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at != MAP_FAILED) {
      constexpr char word[] = "libnvrtc.so.1";  // 12, 13
      const char* found = static_cast<const char*>(::memmem(at, size, word, sizeof word - 1));
      if (found != nullptr && found + sizeof word < static_cast<const char*>(at) + size)
        major = 10 + (found[sizeof word - 1] - '0');
      ::munmap(at, size);
    }
  }
  ::close(descriptor);
  return major;
}

std::size_t number_in(const char* file, const char* after) {
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (after == nullptr)
      return word == "max" ? ~std::size_t(0) : std::strtoull(word.c_str(), nullptr, 10);
    else if (word == after && in >> word)
      return std::strtoull(word.c_str(), nullptr, 10) << 10;
  return ~std::size_t(0);
}

// What the machine has, and what the process's group may take.
std::size_t memory_left() {
  const std::size_t most = number_in("/sys/fs/cgroup/memory.max", nullptr);
  const std::size_t taken = most == ~std::size_t(0) ? 0 : number_in("/sys/fs/cgroup/memory.current", nullptr);
  return std::min(number_in("/proc/meminfo", "MemAvailable:"), most > taken ? most - taken : 0);
}

}  // namespace

std::size_t (*available_memory)() = memory_left;

std::vector<std::string> mathdx::find() {
  return library_files("GLASS_LIBMATHDX", "mathdx", "libmathdx", {"libmathdx.so.0"});
}

std::shared_ptr<const mathdx> mathdx::choose(const nvrtc& compiler) {
  std::string trouble, log;
  for (const auto& file : find()) {
    if (const int major = cuda_major_of(file); major != 0 && major != compiler.major()) {
      trouble = file + " is for CUDA " + std::to_string(major) + ", NVRTC here is " + compiler.version() + ".";
      continue;
    }
    try {
      return std::make_shared<const mathdx>(file);
    } catch (const error& e) { trouble = e.message(), log += e.log() + "\n"; }
  }
  throw error({errc::no_compiler,
               stage::compile,
               trouble.empty() ? "libmathdx (cuSOLVERDx and cuBLASDx) was not found on this machine." : trouble,
               how_to_install("Install it", "libmathdx", "nvidia-libmathdx-cu" + std::to_string(compiler.major()),
                              "the file in GLASS_LIBMATHDX"),
               "open libmathdx",
               log,
               {}});
}

}  // namespace glass::jit::cuda
