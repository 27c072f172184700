// A libmathdx that generates nothing: descriptors remember what is set, and it answers as scripted by the environment,
// GLASS_FAKE_MATHDX="block=64 suggests=128 batches=2 workspace=1000 refuses=1". GLASS_FAKE_MAJOR: whose NVRTC it names.
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#define TEXT_OF(x) #x
#define NAME_OF(x) "libnvrtc.so." TEXT_OF(x)

namespace {
using id = long long;
// The real one needs this library; a reader of the file finds the name.
const char* volatile needed = NAME_OF(GLASS_FAKE_MAJOR);

id told(const std::string& what, id otherwise) {
  const char* all = std::getenv("GLASS_FAKE_MATHDX");
  const std::string text = std::string(" ") + (all ? all : "");
  const auto at = text.find(" " + what + "=");
  return at == std::string::npos ? otherwise : std::atoll(text.c_str() + at + what.size() + 2);
}
std::map<id, std::map<int, id>> operators;  // their first values
id next = 1;
int create(id* h) { return operators[*h = next++], 0; }
int set(id h, int op, id value) { return operators[h][op] = value, 0; }
int three(int* a, int* b, int* c) { return *a = 0, *b = 4, *c = 9, needed == nullptr; }
}  // namespace

extern "C" {
int mathdxGetVersionEx(int* a, int* b, int* c) { return three(a, b, c); }
#define LIBRARY(NAME, BLOCK)                                                                                  \
  int NAME##GetVersion(int* a, int* b, int* c) { return three(a, b, c); }                                     \
  int NAME##CreateDescriptor(id* h) { return create(h); }                                                     \
  int NAME##DestroyDescriptor(id h) { return operators.erase(h), 0; }                                         \
  int NAME##SetOperatorInt64(id h, int op, id v) { return set(h, op, v); }                                    \
  int NAME##SetOperatorInt64s(id h, int op, std::size_t, const id* v) { return set(h, op, *v); }              \
  int NAME##SetOptionStr(id, int, const char*) { return 0; }                                                  \
  int NAME##GetTraitInt64(id, int trait, id* v) {                                                             \
    return *v = trait == 6 ? told("batches", 1) : told("workspace", 0), 0;                                    \
  }                                                                                                           \
  int NAME##GetTraitInt64s(id h, int trait, std::size_t, id* v) {                                             \
    return v[0] = trait == 5 ? told("suggests", 32) : told("block", operators[h][BLOCK]), v[1] = v[2] = 1, 0; \
  }                                                                                                           \
  int NAME##FinalizeCode(id, id) { return told("refuses", 0) ? 3 : 0; }                                       \
  int NAME##GetUniversalFATBINSize(id, std::size_t* n) { return *n = 1, 0; }                                  \
  int NAME##GetUniversalFATBIN(id, std::size_t, void* to) { return *static_cast<char*>(to) = 'f', 0; }
LIBRARY(cusolverdx, 5)
LIBRARY(cublasdx, 6)
int commondxCreateCode(id* c) { return *c = next++, 0; }
int commondxDestroyCode(id) { return 0; }
int commondxSetCodeOptionInt64(id, int, id) { return 0; }
int commondxGetCodeLTOIRSize(id, std::size_t* n) { return *n = 1, 0; }
int commondxGetCodeLTOIR(id, std::size_t, void* to) { return *static_cast<char*>(to) = 'l', 0; }
int commondxGetLastErrorStrSize(std::size_t* n) { return *n = sizeof "the fake refuses it", 0; }
int commondxGetLastErrorStr(int*, std::size_t, char* to) { return std::strcpy(to, "the fake refuses it"), 0; }
}
