// Choosing once, compiling for the closest architecture that the compiler knows, and linking where functions are called.
#include "backend/cuda/toolchain.hpp"

#include <filesystem>

#include "backend/cuda/cubin.hpp"
#include "backend/libraries.hpp"
#include "base/text.hpp"

namespace glass::jit {
namespace cuda {

std::shared_ptr<const nvrtc> toolchain::chosen() {
  const std::lock_guard lock(choosing_);
  if (nvrtc_ == nullptr) nvrtc_ = nvrtc::choose(architecture_, driver_major_);
  return nvrtc_;
}

device_libraries toolchain::libraries() {
  const auto compiler = chosen();  // loaded first: libmathdx asks for it by name
  return libraries_.get([&] {
    const auto functions = mathdx::choose(*compiler);
    const std::string beside = std::filesystem::path(functions->file()).parent_path();
    return device_libraries{functions, linker::choose(*compiler, beside)};
  });
}

cccl toolchain::headers() {
  const auto compiler = chosen();
  return headers_.get([&] { return cccl::choose(*compiler); });
}

std::string toolchain::compiler_of(const source& s) {
  if (s.cub) return compiler() + ", cccl " + headers().version;
  if (s.functions.empty()) return compiler();
  const device_libraries with = libraries();
  return compiler() + ", libmathdx " + with.functions->version() + ", nvjitlink " + with.link->version();
}

image toolchain::compile(const source& s) {
  const auto with = chosen();
  if (s.cub) return with->compile(s, target(), nvrtc::result::cubin, headers().folder);
  if (s.functions.empty()) return with->compile(s, target());
  const device_libraries libraries = this->libraries();
  const double begin = seconds_now();
  image made = with->compile(s, target(), nvrtc::result::for_linking);
  std::vector<linker::part> parts = {{s.name, std::move(made.bytes), false}};
  for (const library_function& f : s.functions)
    for (auto& part : libraries.functions->generate(f, target()))
      if (!part.fatbin || parts.back().name != part.name) parts.push_back(std::move(part));
  made.bytes = libraries.link->link(parts, target(), s);
  made.compile_seconds = seconds_now() - begin;
  return made;
}

block_shape toolchain::suggested_block(const library_function& f) {
  return libraries().functions->suggest(f, target());
}

bool toolchain::plausible(const std::vector<unsigned char>& bytes) const {
  return runs_on(cubin_architecture(bytes), architecture_);
}

}  // namespace cuda

std::vector<library_state> nvidia_libraries() {
  library_state functions, link, headers;
  functions.name = "libmathdx", link.name = "nvJitLink", headers.name = "CCCL";
  functions.adds = "bodies of NVIDIA's cuSOLVERDx and cuBLASDx as candidates (body=nvidia)";
  link.adds = "the linking of these into kernels";
  headers.adds = "bodies of NVIDIA's CUB as candidates of dot and the reductions (body=nvidia)";
  const auto look = [](library_state& of, auto find) {
    try {
      find();
    } catch (const error& e) { of.trouble = e.message(), of.install = e.hint(); }
  };
  std::shared_ptr<const cuda::nvrtc> compiler;
  try {
    compiler = cuda::nvrtc::choose(90);
  } catch (const error& e) {
    for (library_state* s : {&functions, &link, &headers}) {
      s->trouble = "it works with NVRTC, and " + e.message(), s->install = e.hint();
    }
    return {functions, link, headers};
  }
  look(headers, [&] {
    const auto found = cuda::cccl::choose(*compiler);
    headers.file = found.folder, headers.version = found.version;
  });
  std::string beside;
  look(functions, [&] {
    const auto found = cuda::mathdx::choose(*compiler);
    functions.file = found->file(), functions.version = found->version() + " (" + found->contents() + ")";
    beside = std::filesystem::path(found->file()).parent_path();
  });
  look(link, [&] {
    const auto found = cuda::linker::choose(*compiler, beside);
    link.file = found->file(), link.version = found->version();
  });
  if (functions.usable() && !link.usable())
    functions.trouble = "it needs nvJitLink: " + link.trouble, functions.install = link.install;
  return {functions, link, headers};
}

}  // namespace glass::jit
