// nvJitLink under its plain names, which every release exports beside those of its own.
#include "backend/cuda/linker.hpp"

#include <algorithm>
#include <filesystem>

#include "backend/cuda/folders.hpp"
#include "backend/cuda/shared_library.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {

constexpr int input_ltoir = 3, input_fatbin = 4;

std::string install(const nvrtc& compiler) {
  const std::string release = std::to_string(compiler.major()) + "." + std::to_string(compiler.minor());
  return how_to_install(
      "Install nvJitLink of release " + release + " or later of the same major", "nvjitlink",
      compiler.major() >= 13 ? "nvidia-nvjitlink" : "nvidia-nvjitlink-cu" + std::to_string(compiler.major()),
      "the file in GLASS_NVJITLINK");
}

}  // namespace

linker::linker(const std::string& file) : file_(file) {
  const shared_library library(
      file, {"nvJitLink", "CUDA 12.3",
             "Name a whole nvJitLink library (libnvJitLink.so.13) in GLASS_NVJITLINK, or leave it unset."});
  int (*version)(unsigned*, unsigned*);
  library.resolve("nvJitLinkVersion", version);
  library.resolve("nvJitLinkCreate", create_).resolve("nvJitLinkDestroy", destroy_);
  library.resolve("nvJitLinkAddData", add_).resolve("nvJitLinkComplete", complete_);
  library.resolve("nvJitLinkGetLinkedCubinSize", cubin_size_).resolve("nvJitLinkGetLinkedCubin", cubin_);
  library.resolve("nvJitLinkGetErrorLogSize", error_size_).resolve("nvJitLinkGetErrorLog", error_);
  unsigned major = 0, minor = 0;
  if (version(&major, &minor) != 0) library.refuse("does not say its version");
  major_ = int(major), minor_ = int(minor);
  version_ = full_version(file_, "nvidia_nvjitlink", major_, minor_);
}

std::shared_ptr<const linker> linker::choose(const nvrtc& compiler, const std::string& beside) {
  const std::string beside_compiler = std::filesystem::path(compiler.file()).parent_path();
  const auto release = [](auto& of) { return std::pair(of.major(), of.minor()); };
  std::string older, other, log;
  for (const auto& file : library_files("GLASS_NVJITLINK", "nvJitLink", "nvjitlink", {}, {beside, beside_compiler})) {
    const auto numbers = numbers_of(file);  // another major is not even loaded
    if (!numbers.empty() && numbers[0] != compiler.major()) {
      other = file + " is of CUDA " + std::to_string(numbers[0]);
      continue;
    }
    try {
      auto found = std::make_shared<const linker>(file);
      if (found->major() != compiler.major())
        other = file + " is of CUDA " + std::to_string(found->major());
      else if (release(*found) < release(compiler))
        older = "nvJitLink " + found->version() + " (" + file + ") is older than NVRTC ";
      else
        return found;
    } catch (const error& e) { log += e.message() + "\n" + e.log() + "\n"; }
  }
  const std::string sentence =
      !older.empty()   ? older + compiler.version() + ", whose code for linking it does not read."
      : !other.empty() ? other + ", NVRTC " + compiler.version() + " of CUDA " + std::to_string(compiler.major()) + "."
      : !log.empty()   ? log.substr(0, log.find('\n'))
                       : "nvJitLink was not found on this machine.";
  throw error({errc::no_compiler, stage::compile, sentence, install(compiler), "open nvJitLink", log, {}});
}

std::vector<unsigned char> linker::link(const std::vector<part>& parts, int architecture, const source& whose) const {
  const std::string target = "-arch=sm_" + std::to_string(architecture);
  // cuBLASDx brings thousands of constants that its compiler has used up: 1.8 MB of names beside 15 KB of code.
  const char* options[] = {target.c_str(), "-lto", "-optimize-unused-variables"};
  handle* raw = nullptr;
  const auto check = [&](int code, const std::string& what) {
    if (code == 0) return;
    std::string log;
    if (std::size_t size = 0; raw != nullptr && error_size_(raw, &size) == 0 && size > 1) {
      log.resize(size);
      error_(raw, log.data());
      log.resize(std::string(log.c_str()).size());
    }
    const std::string first = log.substr(0, log.find('\n'));
    throw error({errc::compile_failed, stage::compile,
                 whose.name + (whose.label.empty() ? "" : " (" + whose.label + ")") + ": nvJitLink " + version_ + ": " +
                     what + " (code " + std::to_string(code) + ")" + (first.empty() ? "." : ": " + first),
                 "", "nvjitlink " + join({options, std::end(options)}, " "), log, "nvjitlink " + version_});
  };
  check(create_(&raw, std::size(options), options), "no link can be begun for sm_" + std::to_string(architecture));
  const auto destroy = [this](handle* h) { destroy_(&h); };
  const std::unique_ptr<handle, decltype(destroy)> made(raw, destroy);
  for (const part& p : parts)
    check(add_(raw, p.fatbin ? input_fatbin : input_ltoir, p.bytes.data(), p.bytes.size(), p.name.c_str()),
          p.name + " is refused");
  check(complete_(raw), "linking failed");
  std::size_t size = 0;
  check(cubin_size_(raw, &size), "there is no cubin");
  std::vector<unsigned char> cubin(size);
  check(cubin_(raw, cubin.data()), "there is no cubin");
  return cubin;
}

}  // namespace glass::jit::cuda
