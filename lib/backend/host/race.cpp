// The hooks' text, the vector clocks and the report.
#include "backend/host/race.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "backend/host/process.hpp"
#include "base/text.hpp"

namespace glass::jit {

// Copies are hooked by an asm name, for <cstring> may declare them in another way later; the macros at the end keep the
// compiler from expanding them on its own.
const char* const race_hooks = R"(#line 1 "glass_hooks"
extern "C" {
__attribute__((visibility("default"))) struct {
  void (*access)(void*, unsigned long, int, void*);
  void (*enter)(void*);
  void (*leave)();
} glass_hooks;
#ifdef __clang__
#define GLASS_HOOK __attribute__((disable_sanitizer_instrumentation, noinline, used))
#else
#define GLASS_HOOK __attribute__((no_sanitize("thread"), noinline, used))
#endif
#define GLASS_TOUCH(p, n, w) if (glass_hooks.access) glass_hooks.access((void*)(p), n, w, __builtin_return_address(0))
#define GLASS_TOUCHES(n) \
  GLASS_HOOK void __tsan_read##n(void* p) { GLASS_TOUCH(p, n, 0); } \
  GLASS_HOOK void __tsan_write##n(void* p) { GLASS_TOUCH(p, n, 1); } \
  GLASS_HOOK void __tsan_unaligned_read##n(void* p) { GLASS_TOUCH(p, n, 0); } \
  GLASS_HOOK void __tsan_unaligned_write##n(void* p) { GLASS_TOUCH(p, n, 1); }
GLASS_TOUCHES(1) GLASS_TOUCHES(2) GLASS_TOUCHES(4) GLASS_TOUCHES(8) GLASS_TOUCHES(16)
GLASS_HOOK void __tsan_read_range(void* p, unsigned long n) { GLASS_TOUCH(p, n, 0); }
GLASS_HOOK void __tsan_write_range(void* p, unsigned long n) { GLASS_TOUCH(p, n, 1); }
GLASS_HOOK void __tsan_init() {}
GLASS_HOOK void __tsan_func_entry(void* pc) { if (glass_hooks.enter) glass_hooks.enter(pc); }
GLASS_HOOK void __tsan_func_exit() { if (glass_hooks.leave) glass_hooks.leave(); }
GLASS_HOOK void __tsan_vptr_update(void*, void*) {}
GLASS_HOOK void __tsan_vptr_read(void*) {}
#define GLASS_COPIES(prefix) \
  GLASS_HOOK void* glass_##prefix##memset(void*, int, unsigned long) __asm__(#prefix "memset"); \
  GLASS_HOOK void* glass_##prefix##memcpy(void*, const void*, unsigned long) __asm__(#prefix "memcpy"); \
  GLASS_HOOK void* glass_##prefix##memmove(void*, const void*, unsigned long) __asm__(#prefix "memmove"); \
  GLASS_HOOK void* glass_##prefix##memset(void* p, int c, unsigned long n) { \
    GLASS_TOUCH(p, n, 1); \
    for (unsigned long i = 0; i < n; ++i) ((char*)p)[i] = (char)c; \
    return p; \
  } \
  GLASS_HOOK void* glass_##prefix##memcpy(void* p, const void* q, unsigned long n) { \
    GLASS_TOUCH(q, n, 0); \
    GLASS_TOUCH(p, n, 1); \
    for (unsigned long i = 0; i < n; ++i) ((char*)p)[i] = ((const char*)q)[i]; \
    return p; \
  } \
  GLASS_HOOK void* glass_##prefix##memmove(void* p, const void* q, unsigned long n) { \
    if (p <= q) return glass_##prefix##memcpy(p, q, n); \
    GLASS_TOUCH(q, n, 0); \
    GLASS_TOUCH(p, n, 1); \
    while (n-- > 0) ((char*)p)[n] = ((const char*)q)[n]; \
    return p; \
  }
GLASS_COPIES() GLASS_COPIES(__tsan_)
}
#define __builtin_memcpy glass_memcpy
#define __builtin_memmove glass_memmove
#define __builtin_memset glass_memset
)";

namespace {
thread_local race* running = nullptr;
thread_local int running_lane = -1;
constexpr std::size_t most = 20;  // findings kept
bool inside(std::uintptr_t a, std::uintptr_t base, std::size_t bytes) { return a >= base && a - base < bytes; }
}  // namespace

void race::on_access(void* p, unsigned long bytes, int write, void* pc) {
  if (running && bytes > 0) running->touch(reinterpret_cast<std::uintptr_t>(p), bytes, write != 0, pc);
}
void race::on_enter(void* caller) {
  if (running) running->calls_[static_cast<std::size_t>(running_lane)].push_back(caller);
}
void race::on_leave() {
  if (!running) return;
  auto& calls = running->calls_[static_cast<std::size_t>(running_lane)];
  if (!calls.empty()) calls.pop_back();
}
const hook_table race::table = {on_access, on_enter, on_leave};

race::race(const checked_launch& operands, std::uintptr_t arguments, std::size_t argument_bytes, std::uintptr_t slot)
    : operands_(operands), arguments_(arguments), slot_(slot), argument_bytes_(argument_bytes) {
  std::size_t at = operands_.reserve;
  for (const auto& o : operands_.operands) {
    group_offset_.push_back(at);
    const std::size_t problems = o.base && o.stride == 0 ? 1 : static_cast<std::size_t>(operands_.pack);
    if (o.in_group) at += (problems * o.elements * o.element_bytes + 15) / 16 * 16;
  }
}

void race::begin(long long group, int lanes, char* memory, std::size_t memory_bytes, char* stacks,
                 std::size_t stack_bytes, const void* hidden, std::size_t hidden_bytes, const char* exchange,
                 std::size_t exchange_bytes) {
  group_ = group, memory_ = reinterpret_cast<std::uintptr_t>(memory), memory_bytes_ = memory_bytes;
  stacks_ = reinterpret_cast<std::uintptr_t>(stacks), stack_bytes_ = stack_bytes;
  hidden_ = reinterpret_cast<std::uintptr_t>(hidden), hidden_bytes_ = hidden_bytes;
  exchange_ = reinterpret_cast<std::uintptr_t>(exchange), exchange_bytes_ = exchange_bytes;
  const auto n = static_cast<std::size_t>(lanes);
  local_.clear();
  calls_.assign(n, {});
  reach_.assign(n, {});
  clock_.assign(n, std::vector<int>(n, 0));
  for (std::size_t i = 0; i < n; ++i) clock_[i][i] = 1;
  staging_ = std::any_of(operands_.operands.begin(), operands_.operands.end(),
                         [](const auto& o) { return o.in_group && o.base; });
}
void race::sync(int first, int width) {
  std::vector<int> all(clock_.size(), 0);
  for (int k = first; k < first + width; ++k)
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = std::max(all[j], clock_[static_cast<std::size_t>(k)][j]);
  for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(first + width); ++k)
    clock_[k] = all, ++clock_[k][k];
  // A meeting of the whole block around scopes smaller than it is the batch kernel's: between copying in, the bodies,
  // and copying out.
  const bool of_scopes = reach_[static_cast<std::size_t>(first)].width > 0;
  const int lanes = static_cast<int>(clock_.size());
  if (width == lanes && operands_.pack > 1 && operands_.width < lanes && !of_scopes) staging_ = !staging_;
}
void race::reach(int first, int width, bool each) {
  for (int k = first; k < first + width; ++k) reach_[static_cast<std::size_t>(k)] = {first, each ? width : 0};
}
void race::set(race* r, int lane) { running = r, running_lane = lane; }

void race::touch(std::uintptr_t p, std::size_t n, bool write, void* pc) {
  const auto lane = static_cast<std::size_t>(running_lane);
  if (inside(p, stacks_ + lane * stack_bytes_, stack_bytes_) || inside(p, hidden_, hidden_bytes_) ||
      inside(p, slot_, sizeof(void*)) || inside(p, arguments_, argument_bytes_))
    return;
  access me{group_, running_lane, clock_[lane][lane], {pc}};
  const auto& calls = calls_[lane];
  for (std::size_t i = 1; i < depth && i <= calls.size(); ++i) me.pc[i] = calls[calls.size() - i];
  if (const bool begins = allowed(p, write); !begins || !allowed(p + n - 1, write)) {
    const spot s = locate(p);
    const bool input = write && s.what && !s.what->writes && !s.in_group;
    stray_.push_back(
        {write ? "writes" : "reads", me, {}, name_of(begins ? p + n - 1 : p) + (input ? ", an input" : "")});
    stop(running_lane, self);  // does not return: the access is not made
  }
  const bool of_block = inside(p, memory_, memory_bytes_) || inside(p, exchange_, exchange_bytes_);
  for (std::uintptr_t g = p / 4; g <= (p + n - 1) / 4; ++g) one((of_block ? local_ : global_)[g], p, me, write);
}

void race::one(cell& c, std::uintptr_t p, const access& me, bool write) {
  const auto apart = [&](const access& a) {
    return a.lane >= 0 && (a.group != me.group ||
                           (a.lane != me.lane &&
                            a.clock > clock_[static_cast<std::size_t>(me.lane)][static_cast<std::size_t>(a.lane)]));
  };
  const auto report = [&](const char* what, const access& other) {
    const bool known = std::any_of(pairs_.begin(), pairs_.end(), [&](const pair& k) {
      return k.one.pc[0] == me.pc[0] && k.two.pc[0] == other.pc[0];
    });
    if (!known && pairs_.size() < most) pairs_.push_back({what, me, other, name_of(p)});
  };
  if (apart(c.write)) report(write ? "two writes" : "a read after a write", c.write);
  if (write) {
    for (const auto& r : c.reads)
      if (apart(r)) {
        report("a write after a read", r);
        break;
      }
    c.write = me, c.reads.clear();
  } else {  // of each lane of this block the last read, of all other blocks one
    const auto old = std::find_if(c.reads.begin(), c.reads.end(),
                                  [&](const access& a) { return a.group != me.group || a.lane == me.lane; });
    if (old != c.reads.end() && old->group == me.group)
      *old = me;
    else if (old != c.reads.end() && c.reads.size() > clock_.size())
      *old = me;
    else
      c.reads.push_back(me);
  }
}

race::spot race::locate(std::uintptr_t p) const {
  for (std::size_t i = 0; i < operands_.operands.size(); ++i) {
    const checked_operand& o = operands_.operands[i];
    const std::size_t size = o.elements * o.element_bytes, count = static_cast<std::size_t>(operands_.count);
    const bool one = o.base && o.stride == 0 && !o.interleaved;
    const std::uintptr_t group = memory_ + group_offset_[i], base = reinterpret_cast<std::uintptr_t>(o.base);
    if (o.in_group && inside(p, group, (one ? 1 : static_cast<std::size_t>(operands_.pack)) * size)) {
      const std::size_t problem = (p - group) / size;
      return {&o, one ? -1 : group_ * operands_.pack + static_cast<long long>(problem),
              (p - group) % size / o.element_bytes, true};
    }
    if (!base || !inside(p, base, o.interleaved ? size * count : one ? size : count * o.stride * o.element_bytes))
      continue;
    const std::size_t e = (p - base) / o.element_bytes;
    if (o.interleaved) return {&o, static_cast<long long>(e % count), e / count};
    if (one) return {&o, -1, e};
    return {&o, static_cast<long long>(e / o.stride), e % o.stride};
  }
  return {};
}

std::string race::name_of(std::uintptr_t p) const {
  if (const spot s = locate(p); s.what) {
    const std::string where = s.problem < 0 ? "" : " of problem " + std::to_string(s.problem);
    return s.what->name + "[" + std::to_string(s.element) + "]" + where +
           (s.in_group ? " (in the block's memory)" : "");
  }
  if (inside(p, memory_, memory_bytes_)) return "byte " + std::to_string(p - memory_) + " of the block's memory";
  if (inside(p, exchange_, exchange_bytes_))
    return "byte " + std::to_string(p - exchange_) + " of the block's exchange memory";
  if (inside(p, base_, image_bytes_)) return "a static variable";
  if (inside(p, stacks_, stack_bytes_ * clock_.size())) return "another lane's local variable";
  return "memory that belongs to no operand";
}

bool race::allowed(std::uintptr_t p, bool write) const {
  if (operands_.operands.empty() || inside(p, base_, image_bytes_) || inside(p, exchange_, exchange_bytes_) ||
      inside(p, memory_, operands_.reserve))
    return true;
  const spot s = locate(p);
  if (!s.what || s.element >= s.what->elements || (write && !s.in_group && !s.what->writes)) return false;
  const long long first = group_ * operands_.pack;
  // Between two meetings of the whole block its lanes copy all of its problems; else each has its own.
  if (staging_ && s.what->in_group && s.what->base && s.problem >= first && s.problem < first + operands_.pack)
    return true;
  const lanes r = reach_[static_cast<std::size_t>(running_lane)];
  const int from = r.width > 0 ? r.first : running_lane, to = r.width > 0 ? r.first + r.width - 1 : running_lane;
  // A block scope takes its problems one after the other.
  const int more = operands_.width == static_cast<int>(clock_.size()) ? operands_.pack - 1 : 0;
  return s.problem < 0 ||
         (s.problem >= first + from / operands_.width && s.problem <= first + to / operands_.width + more);
}

namespace {
struct frame {
  std::string function, file;
};
// "int lm_step<glass::scope::tile<8>, float>(…)" -> "lm_step"
std::string short_name(const std::string& demangled) {
  std::string s = demangled.substr(0, demangled.find_first_of("<("));
  while (!s.empty() && s.back() == ' ') s.pop_back();
  return s.substr(s.rfind(' ') == s.npos ? 0 : s.rfind(' ') + 1);
}
// The frames (inlined ones first) of offsets into an object; "+0x1f40" where binutils is missing.
std::unordered_map<std::uintptr_t, std::vector<frame>> resolve(const std::set<std::uintptr_t>& offsets,
                                                               const std::vector<unsigned char>& object) {
  std::unordered_map<std::uintptr_t, std::vector<frame>> all;
  const memory_file file(object.data(), object.size());
  std::vector<std::string> command{"addr2line", "-a", "-f", "-i", "-C", "-e", "/proc/self/fd/3"};
  for (const std::uintptr_t o : offsets) {
    std::ostringstream hex;
    hex << "0x" << std::hex << o;
    command.push_back(hex.str());
    all[o] = {{"+" + hex.str(), "addr2line not found"}};
  }
  const outcome o = run_program(command, -1, file.descriptor());
  if (o.exit_code != 0) return all;
  std::istringstream lines(o.said);
  std::vector<frame>* into = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 2, "0x") == 0) {
      into = &all[std::stoull(line, nullptr, 16)];
      into->clear();
    } else if (std::string place; into && std::getline(lines, place)) {
      place = place.substr(0, place.find(" (disc"));
      while (place.compare(0, 2, "./") == 0) place.erase(0, 2);
      into->push_back({short_name(line), place});
    }
  }
  return all;
}
}  // namespace

std::string race::report(const std::vector<unsigned char>& object, std::string& sentence) const {
  std::set<std::uintptr_t> offsets;
  const auto offset = [&](void* pc) { return reinterpret_cast<std::uintptr_t>(pc) - base_ - 1; };
  for (const auto* list : {&pairs_, &stray_})
    for (const pair& f : *list)
      for (const access* a : {&f.one, &f.two})
        for (void* pc : a->pc)
          if (pc) offsets.insert(offset(pc));
  auto frames = resolve(offsets, object);
  // The operation's own lines: neither the views and scopes below it nor the kernel around it.
  const auto place = [&](const access& a, std::size_t at_most) {
    std::vector<std::string> shown;
    std::string first;
    for (void* pc : a.pc)
      for (const frame& f : pc ? frames[offset(pc)] : std::vector<frame>()) {
        const std::string text = f.function + " (" + f.file + ")";
        if (first.empty()) first = text;
        const auto below = [&](const char* folder) {
          return f.file.compare(0, std::char_traits<char>::length(folder), folder) == 0;
        };
        if (below("glass/core/") || below("kernels_src/") || below("glass_tail") || f.file[0] == '?') continue;
        if (shown.size() < at_most) shown.push_back(text);
      }
    return shown.empty() ? first : join(shown, ", from ");
  };
  std::ostringstream s;
  for (const pair& f : stray_)
    s << "lane " << f.one.lane << " of block " << f.one.group << " " << f.what
      << " outside its problem's operands: " << f.where << "\n  in " << place(f.one, 3) << "\n";
  for (const pair& f : pairs_)
    s << f.what << " without a sync between: " << f.where << "\n  lane " << f.one.lane << " of block " << f.one.group
      << " in " << place(f.one, 3) << "\n  lane " << f.two.lane << " of block " << f.two.group << " in "
      << place(f.two, 3) << "\n";
  if (!stray_.empty())
    sentence = place(stray_[0].one, 1) + " " + stray_[0].what + " outside its problem's operands: " + stray_[0].where;
  else if (!pairs_.empty())
    sentence = std::string(pairs_[0].what) + " without a sync between: " + place(pairs_[0].one, 1) + " and " +
               place(pairs_[0].two, 1) + ", " + pairs_[0].where;
  return s.str();
}

}  // namespace glass::jit
