// An nvJitLink that links nothing: its release is GLASS_FAKE_NVJITLINK ("13.0", the default), and linking fails, as with
// code that it does not read.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
struct link {};
link only;
constexpr char words[] = "the fake reads nothing";
}  // namespace

extern "C" {
int nvJitLinkVersion(unsigned* major, unsigned* minor) {
  const char* release = std::getenv("GLASS_FAKE_NVJITLINK");
  *major = 13, *minor = 0;
  return release && std::sscanf(release, "%u.%u", major, minor) != 2;
}
int nvJitLinkCreate(link** l, unsigned, const char**) { return *l = &only, 0; }
int nvJitLinkDestroy(link**) { return 0; }
int nvJitLinkAddData(link*, int, const void*, std::size_t, const char*) { return 0; }
int nvJitLinkComplete(link*) { return 9; }
int nvJitLinkGetLinkedCubinSize(link*, std::size_t* n) { return *n = 0, 0; }
int nvJitLinkGetLinkedCubin(link*, void*) { return 0; }
int nvJitLinkGetErrorLogSize(link*, std::size_t* n) { return *n = sizeof words, 0; }
int nvJitLinkGetErrorLog(link*, char* to) { return std::strcpy(to, words), 0; }
}
