// An NVRTC that compiles nothing: it records its options and headers, answers with the ELF header of a cubin, and fails
// as scripted (fake_script.hpp). Names it knows beside its entry points:
//   major (13), minor (0), oldest (75) and newest (120) architecture, resets_locale, meet (compiles that must be under
//   way at once), dies_at (the compile that ends the process).
#include <elf.h>

#include <chrono>
#include <clocale>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "fake_script.hpp"

GLASS_FAKE_CONTROL

namespace {
auto& told = fake::script::instance();
const int known[] = {52, 72, 75, 80, 86, 87, 90, 100, 120};
std::vector<int> supported() {
  std::vector<int> s;
  for (int a : known) {
    if (a >= told.get("oldest", 75) && a <= told.get("newest", 120)) s.push_back(a);
  }
  return s;
}
std::vector<std::string> last_options, last_headers;
std::mutex guard;
long long compiles = 0;
std::condition_variable arrived;
struct program {
  int architecture = 0;
};
}  // namespace

extern "C" const void* fake_last_options() { return &last_options; }
extern "C" const void* fake_last_headers() { return &last_headers; }

extern "C" int nvrtcVersion(int* major, int* minor) {
  *major = int(told.get("major", 13)), *minor = int(told.get("minor", 0));
  return told.call("nvrtcVersion");
}
extern "C" int nvrtcGetNumSupportedArchs(int* n) { return *n = int(supported().size()), 0; }
extern "C" int nvrtcGetSupportedArchs(int* list) {
  for (int a : supported()) *list++ = a;
  return 0;
}
extern "C" int nvrtcCreateProgram(program** p, const char*, const char*, int n, const char* const*,
                                  const char* const* names) {
  const std::lock_guard lock(guard);
  last_headers.assign(names, names + n);
  *p = new program;
  told.add("live.programs", 1);
  return told.call("nvrtcCreateProgram");
}
extern "C" int nvrtcDestroyProgram(program** p) {
  told.add("live.programs", -1);
  delete *p;
  return 0;
}
extern "C" int nvrtcCompileProgram(program* p, int n, const char* const* options) {
  std::unique_lock lock(guard);
  if (const long long nth = told.get("dies_at"); nth > 0 && nth == ++compiles) std::_Exit(9);
  last_options.assign(options, options + n);
  for (int i = 0; i < n; ++i) {
    if (std::strncmp(options[i], "--gpu-architecture=sm_", 22) == 0) p->architecture = std::atoi(options[i] + 22);
  }
  if (told.get("resets_locale")) std::setlocale(LC_NUMERIC, "C");
  told.add("inside", 1);
  arrived.notify_all();
  const bool met =
      arrived.wait_for(lock, std::chrono::seconds(10), [] { return told.get("inside") >= told.get("meet"); });
  return met ? told.call("nvrtcCompileProgram") : 11;
}
extern "C" int nvrtcGetProgramLogSize(program*, std::size_t* n) { return *n = sizeof "the fake's log", 0; }
extern "C" int nvrtcGetProgramLog(program*, char* to) { return std::strcpy(to, "the fake's log"), 0; }
extern "C" int nvrtcGetCUBINSize(program*, std::size_t* n) {
  return *n = sizeof(Elf64_Ehdr) + sizeof(Elf64_Shdr), told.call("nvrtcGetCUBINSize");
}
extern "C" int nvrtcGetCUBIN(program* p, char* to) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_ABIVERSION] = 8;
  header.e_machine = EM_CUDA, header.e_flags = Elf64_Word(p->architecture) << 8;
  header.e_shoff = sizeof header, header.e_shentsize = sizeof(Elf64_Shdr), header.e_shnum = 1;
  const Elf64_Shdr section{};
  std::memcpy(to, &header, sizeof header);
  std::memcpy(to + sizeof header, &section, sizeof section);
  return 0;
}
extern "C" const char* nvrtcGetErrorString(int code) {
  return code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE";
}
