// The memory hooks that the compiler calls in sources built with -fsanitize=thread, without its run-time library: they
// go to the race check and to the guards of the operands. Include in one source of a program; empty where the program
// is built without the hooks.
#pragma once
#include "backend/host/race.hpp"
#include "guards.hpp"
#ifdef __SANITIZE_THREAD__
#define GLASS_TEST_HOOK extern "C" __attribute__((no_sanitize("thread"), used)) void
GLASS_TEST_HOOK glass_test_access(void* p, unsigned long n, int write, void* pc) {
  glass::jit::race::table.access(p, n, write, pc);
  glass::test::guards::touched(p, n, write != 0);
}
#define GLASS_TEST_HOOKS(n)                                                                                      \
  GLASS_TEST_HOOK __tsan_read##n(void* p) { glass_test_access(p, n, 0, __builtin_return_address(0)); }           \
  GLASS_TEST_HOOK __tsan_write##n(void* p) { glass_test_access(p, n, 1, __builtin_return_address(0)); }          \
  GLASS_TEST_HOOK __tsan_unaligned_read##n(void* p) { glass_test_access(p, n, 0, __builtin_return_address(0)); } \
  GLASS_TEST_HOOK __tsan_unaligned_write##n(void* p) { glass_test_access(p, n, 1, __builtin_return_address(0)); }
GLASS_TEST_HOOKS(1)
GLASS_TEST_HOOKS(2)
GLASS_TEST_HOOKS(4)
GLASS_TEST_HOOKS(8)
GLASS_TEST_HOOKS(16)
GLASS_TEST_HOOK __tsan_init() {}
GLASS_TEST_HOOK __tsan_func_entry(void*) {}
GLASS_TEST_HOOK __tsan_func_exit() {}
GLASS_TEST_HOOK __tsan_vptr_update(void*, void*) {}
GLASS_TEST_HOOK __tsan_vptr_read(void*) {}
GLASS_TEST_HOOK __tsan_read_range(void* p, unsigned long n) { glass_test_access(p, n, 0, __builtin_return_address(0)); }
GLASS_TEST_HOOK __tsan_write_range(void* p, unsigned long n) {
  glass_test_access(p, n, 1, __builtin_return_address(0));
}
#endif
