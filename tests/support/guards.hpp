// No lane touches the memory beside an operand, not even to read what it then does not use: the memory hooks of the race
// check are asked about every access (see hooks.hpp). Where the tests are built without the hooks, nothing is found.
#pragma once
#include <cstddef>
#include <new>
#include <string>

namespace glass::test {

class guards {
 public:
  guards();  // from here on until its end, accesses to guarded memory are kept
  ~guards();
  guards(const guards&) = delete;
  std::string complaint() const;  // of the first of them; empty: there was none
  static void add(const void* memory, std::size_t bytes);
  static void remove(const void* memory);
  static void touched(const void* where, std::size_t bytes, bool write);
};

// For vectors that begin and end with `Guard` elements which belong to nobody.
template <class T, std::size_t Guard>
struct guarded {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = guarded<U, Guard>;
  };
  guarded() = default;
  template <class U>
  guarded(const guarded<U, Guard>&) {}
  T* allocate(std::size_t n) {
    T* const p = static_cast<T*>(::operator new(n * sizeof(T)));
    if (n < 2 * Guard) return p;
    guards::add(p, Guard * sizeof(T));
    guards::add(p + n - Guard, Guard * sizeof(T));
    return p;
  }
  void deallocate(T* p, std::size_t n) {
    if (n >= 2 * Guard) guards::remove(p), guards::remove(p + n - Guard);
    ::operator delete(p);
  }
  bool operator==(const guarded&) const { return true; }
};

}  // namespace glass::test
