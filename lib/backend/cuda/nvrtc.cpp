// One NVRTC library: opening it whole, and compiling. See nvrtc.hpp; nvrtc_find.cpp chooses among several.
#include "nvrtc.hpp"

#include <algorithm>
#include <clocale>
#include <filesystem>
#include <mutex>

#include "base/headers.hpp"
#include "base/text.hpp"
#include "cubin.hpp"
#include "folders.hpp"
#include "shared_library.hpp"

namespace glass::jit::cuda {
namespace {

// NVRTC 11.8 sets LC_NUMERIC of the whole process to "C" and leaves it so. The first of the compiles that overlap keeps
// what was set, the last puts it back.
class keep_locale {
 public:
  keep_locale() {
    const std::lock_guard lock(mutex());
    if (users()++ == 0) saved() = std::setlocale(LC_NUMERIC, nullptr);
  }
  ~keep_locale() {
    const std::lock_guard lock(mutex());
    if (--users() == 0 && saved() != std::setlocale(LC_NUMERIC, nullptr)) std::setlocale(LC_NUMERIC, saved().c_str());
  }
  keep_locale(const keep_locale&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static int& users() {
    static int n = 0;
    return n;
  }
  static std::string& saved() {
    static std::string s;
    return s;
  }
};

}  // namespace

nvrtc::nvrtc(const std::string& file) {
  const shared_library library(
      file,
      {"NVRTC", "CUDA 11.2",
       "Name a whole NVRTC library (libnvrtc.so.13 beside its libnvrtc-builtins) in GLASS_NVRTC, or leave it unset."});
  file_ = library.path();  // its builtins lie beside it, not beside a link
  int (*version)(int*, int*);
  int (*architecture_count)(int*);
  int (*architecture_list)(int*);
  library.resolve("nvrtcVersion", version);
  library.resolve("nvrtcGetNumSupportedArchs", architecture_count).resolve("nvrtcGetSupportedArchs", architecture_list);
  library.resolve("nvrtcCreateProgram", create_).resolve("nvrtcDestroyProgram", destroy_);
  library.resolve("nvrtcCompileProgram", compile_).resolve("nvrtcGetErrorString", error_);
  library.resolve("nvrtcGetProgramLogSize", log_size_).resolve("nvrtcGetProgramLog", log_);
  library.resolve("nvrtcGetCUBINSize", cubin_size_).resolve("nvrtcGetCUBIN", cubin_);
  linkable_size_ = library.find<int(program*, std::size_t*)>("nvrtcGetLTOIRSize");
  linkable_ = library.find<int(program*, char*)>("nvrtcGetLTOIR");
  int count = 0;
  if (version(&major_, &minor_) != 0 || architecture_count(&count) != 0 || count <= 0)
    library.refuse("does not say what it supports");
  architectures_.resize(std::size_t(count));
  architecture_list(architectures_.data());
  version_ = full_version(file_, "nvidia_cuda_nvrtc", major_, minor_);
  // 13.0 does not look for its builtins in its own folder; once loaded by path they are found by name. Others find them
  // themselves.
  const std::string builtins = "libnvrtc-builtins.so." + std::to_string(major_) + "." + std::to_string(minor_);
  shared_library((std::filesystem::path(file_).parent_path() / builtins).string());
}

int nvrtc::target_for(int device) const {
  int best = 0;
  for (const int a : architectures_) {
    if (runs_on(a, device)) best = std::max(best, a);
  }
  return best;
}

std::vector<std::string> nvrtc::quick_options() const {
  if (std::pair(major_, minor_) < std::pair(12, 9)) return {};
  return {"--Ofast-compile=mid"};
}

image nvrtc::compile(const source& from, int architecture, result wanted, const std::string& folder) const {
  static const auto headers = [] {
    std::pair<std::vector<const char*>, std::vector<std::string>> all;  // the texts are literals, and so end with a 0
    for (const auto& h : embedded_headers()) all.first.push_back(h.text.data()), all.second.emplace_back(h.name);
    return all;
  }();
  std::vector<const char*> names;
  for (const auto& name : headers.second) names.push_back(name.c_str());
  std::vector<std::string> options = {"--gpu-architecture=sm_" + std::to_string(architecture), "--std=c++17",
                                      "-default-device"};
  if (!folder.empty())
    options.push_back("-I" + folder);
  else if (std::pair(major_, minor_) >= std::pair(12, 9))
    options.push_back("--minimal");  // without the types of the CUDA runtime, which libraries ask for
  const bool linking = wanted == result::for_linking;
  if (linking) options.insert(options.end(), {"-dlto", "-rdc=true"});
  if (linking && (linkable_size_ == nullptr || linkable_ == nullptr))
    throw error({errc::no_compiler, stage::compile, "NVRTC " + version_ + " (" + file_ + ") makes no code for linking.",
                 "NVRTC of CUDA 12 or later does.", "nvrtc " + join(options, " "), "", "nvrtc " + version_});
  options.insert(options.end(), from.options.begin(), from.options.end());
  std::vector<const char*> words;
  for (const auto& option : options) words.push_back(option.c_str());

  const keep_locale locale;
  const double begin = seconds_now();
  const auto fail = [&](int code, const std::string& log) {
    const bool builtins = code == 7,
               memory = code == 1;  // NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, NVRTC_ERROR_OUT_OF_MEMORY
    throw error({builtins ? errc::no_compiler
                 : memory ? errc::out_of_memory
                          : errc::compile_failed,
                 stage::compile,
                 from.name + (from.label.empty() ? "" : " (" + from.label + ")") + ": " + error_(code) + ".",
                 builtins ? "libnvrtc-builtins of the same release must lie beside " + file_ + "." : "",
                 "nvrtc " + join(options, " "), log, "nvrtc " + version_});
  };
  program* raw = nullptr;
  if (const int code =
          create_(&raw, from.text.c_str(), from.name.c_str(), int(names.size()), headers.first.data(), names.data()))
    fail(code, "");
  const auto destroy = [this](program* p) { destroy_(&p); };
  const std::unique_ptr<program, decltype(destroy)> made(raw, destroy);
  const int code = compile_(raw, int(words.size()), words.data());
  image out;
  std::size_t size = 0;
  if (log_size_(raw, &size) == 0 && size > 1) {
    out.log.resize(size);
    log_(raw, out.log.data());
    out.log.resize(size - 1);
  }
  if (code != 0) fail(code, out.log);
  if (!folder.empty()) out.log.clear();  // warnings about a library's headers are nothing to the user
  if (const int got = (linking ? linkable_size_ : cubin_size_)(raw, &size)) fail(got, out.log);
  out.bytes.resize(size);
  if (const int got = (linking ? linkable_ : cubin_)(raw, reinterpret_cast<char*>(out.bytes.data())))
    fail(got, out.log);
  out.compile_seconds = seconds_now() - begin;
  return out;
}

}  // namespace glass::jit::cuda
