// Compiled without the hooks that call it, and without templates that another source could have compiled with them.
#include "guards.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace glass::test {
namespace {

struct zone {
  std::uintptr_t begin, end;
};
zone* zones = nullptr;  // by address
std::size_t count = 0, room = 0;
bool watching = false;
struct {
  std::size_t bytes = 0;
  bool write = false;
  long distance = 0;  // from the beginning of the zone
} first;

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
std::size_t above(std::uintptr_t p) {  // the first zone that ends above p
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (zones[middle].end > p)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

guards::guards() { watching = true, first = {}; }
guards::~guards() { watching = false; }

void guards::add(const void* memory, std::size_t bytes) {
  if (count == room) {
    room = 2 * room + 64;
    zones = static_cast<zone*>(std::realloc(zones, room * sizeof(zone)));
  }
  const std::size_t at = above(address(memory));
  std::memmove(zones + at + 1, zones + at, (count++ - at) * sizeof(zone));
  zones[at] = {address(memory), address(memory) + bytes};
}
void guards::remove(const void* memory) {
  const std::size_t at = above(address(memory));
  std::memmove(zones + at, zones + at + 1, (--count - at) * sizeof(zone));
}
void guards::touched(const void* where, std::size_t bytes, bool write) {
  if (!watching || first.bytes > 0) return;
  const std::size_t at = above(address(where));
  if (at < count && zones[at].begin < address(where) + bytes)
    first = {bytes, write, long(address(where) - zones[at].begin)};
}
std::string guards::complaint() const {
  if (first.bytes == 0) return "";
  return std::string(first.write ? "a write" : "a read") + " of " + std::to_string(first.bytes) +
         " bytes beside an operand, " + std::to_string(first.distance) + " bytes into the memory that is nobody's";
}

}  // namespace glass::test
