// Stacks with guard pages, the switch between them, and the meetings.
#include "backend/host/emulator.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <utility>

// Saves the registers that a callee must keep and the stack pointer in *from, continues at `to`.
extern "C" void glass_switch(void** from, void* to);
#if defined(__x86_64__)
asm(R"(
.text
.globl glass_switch
.hidden glass_switch
.type glass_switch, @function
glass_switch:
  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
  ret
.size glass_switch, .-glass_switch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl glass_switch
.hidden glass_switch
.type glass_switch, %function
glass_switch:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]; stp x21, x22, [sp, #32]; stp x23, x24, [sp, #48]; stp x25, x26, [sp, #64]; stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]; stp d10, d11, [sp, #112]; stp d12, d13, [sp, #128]; stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #16]; ldp x21, x22, [sp, #32]; ldp x23, x24, [sp, #48]; ldp x25, x26, [sp, #64]; ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]; ldp d10, d11, [sp, #112]; ldp d12, d13, [sp, #128]; ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
.size glass_switch, .-glass_switch
)");
#endif

// There when the program is built with a sanitizer: they must hear of a change of stacks.
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** save, const void* bottom, std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* saved, const void** old_bottom, std::size_t* old_size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void*, std::size_t);
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void* __tsan_create_fiber(unsigned);
__attribute__((weak)) void __tsan_destroy_fiber(void*);
__attribute__((weak)) void __tsan_switch_to_fiber(void*, unsigned);
}

namespace glass::jit {
namespace {
constexpr std::size_t page = 64 << 10;  // of any system
constexpr std::size_t stack_size = 1 << 20, stack_step = stack_size + page;
constexpr std::size_t exchange_size = page;  // a GPU has 48 KB of it
thread_local void* starting = nullptr;

// Where a new stack begins: at `begin`, as if called from nowhere.
void* first_frame(char* top, void (*begin)()) {
#if defined(__x86_64__)
  auto** at = reinterpret_cast<void**>(top) - 3;  // aligned as after a call
  at[-1] = reinterpret_cast<void*>(begin);
  return at - 7;
#else
  auto** at = reinterpret_cast<void**>(top) - 20;
  at[1] = reinterpret_cast<void*>(begin);
  return at;
#endif
}
}  // namespace

// | guard | stack 0 | guard | stack 1 | … | guard | shared memory | guard | exchange | guard |, shared memory against
// its guard: an overrun is a fault, not a surprise.
emulator::emulator(int lanes, std::size_t memory) : fibers_(static_cast<std::size_t>(lanes)) {
  memory_bytes_ = (memory + 15) / 16 * 16;
  memory_pages_ = (memory_bytes_ + page - 1) / page * page;
  area_bytes_ = fibers_.size() * stack_step + page + memory_pages_ + page + exchange_size + page;
  void* area = mmap(nullptr, area_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool fine = area != MAP_FAILED;
  if (fine) {
    area_ = static_cast<char*>(area);
    for (std::size_t i = 0; i < fibers_.size() && fine; ++i)
      fine = mprotect(bottom(i), stack_size, PROT_READ | PROT_WRITE) == 0;
    char* shared = bottom(fibers_.size());
    fine = fine && (memory_pages_ == 0 || mprotect(shared, memory_pages_, PROT_READ | PROT_WRITE) == 0);
    memory_ = shared + memory_pages_ - memory_bytes_;
    exchange_ = shared + memory_pages_ + page;
    fine = fine && mprotect(exchange_, exchange_size, PROT_READ | PROT_WRITE) == 0;
    if (!fine) munmap(area_, area_bytes_);
  }
  if (!fine)
    throw error(errc::out_of_memory, stage::launch,
                "no memory for the stacks of " + std::to_string(lanes) + " emulated lanes.");
  if (__tsan_create_fiber) {
    main_tsan_ = __tsan_get_current_fiber();
    for (fiber& f : fibers_) f.tsan = __tsan_create_fiber(0);
  }
}
emulator::~emulator() {
  for (fiber& f : fibers_)
    if (f.tsan) __tsan_destroy_fiber(f.tsan);
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(area_, area_bytes_);
  munmap(area_, area_bytes_);
}
char* emulator::bottom(std::size_t lane) const { return area_ + lane * stack_step + page; }

bool emulator::run(long long group, host::lane** slot, entry body, const void* arguments,
                   enum host_options::lanes order, std::minstd_rand& random, race* check) {
  const int n = static_cast<int>(fibers_.size());
  std::memset(memory_, 0xff, memory_bytes_);
  pieces_.clear(), exchanged_ = 0;
  std::vector<std::size_t> sequence(fibers_.size());
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    sequence[i] = order == host_options::lanes::reverse ? sequence.size() - 1 - i : i;
    fiber& f = fibers_[i];
    f.lane = {static_cast<int>(i), n, group, memory_, &emulator::meet, &emulator::exchange};
    f.owner = this, f.now = ready, f.stack = first_frame(bottom(i) + stack_size, &emulator::start);
  }
  entry_ = body, arguments_ = arguments, thrown_.clear();
  if (check) {
    check->begin(group, n, memory_, memory_bytes_, bottom(0), stack_step, fibers_.data(),
                 fibers_.size() * sizeof(fiber), exchange_, exchange_size);
    check->self = this;
    check->stop = [](int lane, void* self) {
      auto* me = static_cast<emulator*>(self);
      me->leave(me->fibers_[static_cast<std::size_t>(lane)], stopped);
    };
  }
  bool halt = false;
  for (bool moved = true; std::exchange(moved, false) && !halt;) {
    if (order == host_options::lanes::shuffled) std::shuffle(sequence.begin(), sequence.end(), random);
    for (const std::size_t i : sequence) {
      if (fibers_[i].now != ready) continue;
      *slot = &fibers_[i].lane;
      race::set(check, static_cast<int>(i));
      enter(fibers_[i]);
      race::set(nullptr, -1);
      moved = true;
      if ((halt = fibers_[i].now == stopped)) break;
    }
    release(check);
  }
  *slot = nullptr;
  return !halt && thrown_.empty() &&
         std::all_of(fibers_.begin(), fibers_.end(), [](const fiber& f) { return f.now == done; });
}

void emulator::enter(fiber& f) {
  starting = &f;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&main_fake_, bottom(static_cast<std::size_t>(f.lane.rank)), stack_size);
  if (f.tsan) __tsan_switch_to_fiber(f.tsan, 0);
  glass_switch(&main_, f.stack);
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(main_fake_, nullptr, nullptr);
}
void emulator::leave(fiber& f, state why) {
  f.now = why;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(why == done ? nullptr : &f.fake_stack, main_bottom_, main_size_);
  if (f.tsan) __tsan_switch_to_fiber(main_tsan_, 0);
  glass_switch(&f.stack, main_);
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(f.fake_stack, nullptr, nullptr);
}
void emulator::start() {
  fiber& f = *static_cast<fiber*>(starting);
  emulator& e = *f.owner;
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(nullptr, &e.main_bottom_, &e.main_size_);
  try {
    e.entry_(e.arguments_);
  } catch (const std::exception& x) { e.thrown_ = x.what(); } catch (...) {
    e.thrown_ = "an exception";
  }
  e.leave(f, done);
}
void emulator::meet(host::lane* l, const host::meeting& m) {
  auto& f = *reinterpret_cast<fiber*>(l);
  f.at = m;
  f.owner->leave(f, waiting);
}
char* emulator::exchange(host::lane* l, const void* who, int bytes) {
  emulator& e = *reinterpret_cast<fiber*>(l)->owner;
  for (const piece& p : e.pieces_)
    if (p.who == who) return p.memory;
  char* memory = e.exchange_ + e.exchanged_;
  e.exchanged_ += static_cast<std::size_t>(bytes);
  if (e.exchanged_ > exchange_size) throw error(errc::out_of_memory, stage::launch, "no exchange memory is left.");
  std::memset(memory, 0xff, static_cast<std::size_t>(bytes));
  e.pieces_.push_back({who, memory});
  return memory;
}
bool emulator::same(const host::meeting& a, const host::meeting& b) {
  return a.kind == b.kind && a.first == b.first && a.width == b.width && a.bytes == b.bytes && a.at.line == b.at.line &&
         (a.at.file == b.at.file || !std::strcmp(a.at.file, b.at.file));
}

void emulator::release(race* check) {
  const auto waits = [&](std::size_t i, const host::meeting& m) {
    return i < fibers_.size() && fibers_[i].now == waiting && same(fibers_[i].at, m);
  };
  for (std::size_t i = 0; i < fibers_.size(); ++i) {
    const host::meeting m = fibers_[i].at;
    if (fibers_[i].now != waiting || m.first != static_cast<int>(i)) continue;
    const auto end = i + static_cast<std::size_t>(m.width);
    bool complete = true, vote = false;
    for (std::size_t k = i; k < end && complete; ++k) complete = waits(k, m);
    if (!complete) continue;
    if (m.kind == host::meeting::any)
      for (std::size_t k = i; k < end; ++k) vote |= *static_cast<const bool*>(fibers_[k].at.in);
    for (std::size_t k = i; k < end; ++k) {
      const host::meeting& x = fibers_[k].at;
      const int from = ((x.source % m.width) + m.width) % m.width;
      if (m.kind == host::meeting::shuffle)
        std::memcpy(x.out, fibers_[i + static_cast<std::size_t>(from)].at.in, static_cast<std::size_t>(m.bytes));
      if (m.kind == host::meeting::any) *static_cast<bool*>(x.out) = vote;
      fibers_[k].now = ready;
    }
    if (check && m.kind == host::meeting::sync) check->sync(m.first, m.width);
    if (check && m.reach != host::meeting::as_before) check->reach(m.first, m.width, m.reach == host::meeting::each);
  }
}

std::string emulator::complaint() const {
  if (!thrown_.empty()) return "a lane threw: " + thrown_;
  static const char* const what[] = {"a sync", "a shuffle", "an any"};
  std::string s = "the lanes of a scope do not meet";
  for (std::size_t i = 0; i < fibers_.size();) {  // one entry for each run of neighbours that stand at the same place
    const fiber& f = fibers_[i];
    std::size_t k = i;
    while (++k < fibers_.size() && fibers_[k].now == f.now && (f.now == done || same(fibers_[k].at, f.at))) {}
    const bool one = k - i == 1;
    s += (i == 0 ? ": " : "; ") + std::string(one ? "lane " : "lanes ") + std::to_string(i);
    if (!one) s += ".." + std::to_string(k - 1);
    if (f.now == done) {
      s += one ? " has returned" : " have returned";
    } else {
      const std::string function = f.at.at.function;
      s += std::string(one ? " waits at " : " wait at ") + what[f.at.kind] + " in " +
           function.substr(0, function.find('<'));
      s += std::string(" (") + f.at.at.file + ":" + std::to_string(f.at.at.line) + ")";
    }
    i = k;
  }
  return s + ".";
}

}  // namespace glass::jit
