// dlopen and dlsym; see shared_library.hpp.
#include "backend/cuda/shared_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <utility>

#include "glass/jit/error.hpp"

namespace glass::jit::cuda {
namespace {

std::string without_links(const std::string& file) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(file, failed);
  return failed ? file : real.string();
}

}  // namespace

shared_library::shared_library(const std::string& file) : file_(file) {
  const std::string opened = file.find('/') == std::string::npos ? file : without_links(file);
  handle_ = dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (const char* said = handle_ == nullptr ? dlerror() : nullptr) trouble_ = said;
}

shared_library::shared_library(const std::string& file, kind of) : shared_library(file) {
  kind_ = std::move(of);
  if (handle_ == nullptr) refuse("cannot be loaded as " + kind_.name);
}

shared_library shared_library::loaded_already(const char* name) {
  shared_library found;
  found.file_ = name, found.handle_ = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  return found;
}

std::string shared_library::path() const {
  link_map* map = nullptr;
  if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "";
  return without_links(map->l_name);
}

void* shared_library::address(const std::string& symbol) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, symbol.c_str());
}

void shared_library::lacks(const std::string& symbol) const {
  refuse("is no " + kind_.name + " of " + kind_.oldest + " or later: it lacks " + symbol);
}

void shared_library::refuse(const std::string& why) const {
  throw error(
      {errc::no_compiler, stage::compile, file_ + " " + why + ".", kind_.hint, "dlopen " + file_, trouble_, {}});
}

}  // namespace glass::jit::cuda
