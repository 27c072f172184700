// Finds missing syncs and accesses outside a problem's own operands. The body is compiled with the compiler's memory
// hooks (-fsanitize=thread without its run time); hooks of ours, put in front of the source, call through a table that
// the loaded image exports, so that it works in any program, statically linked or itself sanitized. Lanes are ordered
// by `sync` alone (a shuffle moves a value, it orders no memory): one vector clock a lane; lanes of different blocks
// are never ordered. What is found does not depend on the order in which the lanes happened to run.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/host/host.hpp"

namespace glass::jit {

extern const char* const race_hooks;  // C++ text that defines the hooks and the table `glass_hooks`
struct hook_table {
  void (*access)(void* where, unsigned long bytes, int write, void* pc);
  void (*enter)(void* caller);
  void (*leave)();
};

class race {
 public:
  // `operands`: what each problem may touch; empty: only races are looked for.
  race(const checked_launch& operands, std::uintptr_t arguments, std::size_t argument_bytes, std::uintptr_t slot);
  // A new block of `lanes`; what the lanes may touch besides operands: their own stack, [hidden, hidden +
  // hidden_bytes), the emulator's, and the block's exchange memory.
  void begin(long long group, int lanes, char* memory, std::size_t memory_bytes, char* stacks, std::size_t stack_bytes,
             const void* hidden, std::size_t hidden_bytes, const char* exchange, std::size_t exchange_bytes);
  void sync(int first, int width);
  // From here on these lanes touch the problems of all (each: those of all of them; else each its own again).
  void reach(int first, int width, bool each);
  void image(std::uintptr_t base, std::size_t bytes) { base_ = base, image_bytes_ = bytes; }
  // The lane that runs now on this thread; nullptr: none. `stop` gives the lane up, called when it leaves its operands.
  static void set(race*, int lane);
  void (*stop)(int lane, void* self) = nullptr;
  void* self = nullptr;

  bool found() const { return !pairs_.empty() || !stray_.empty(); }
  // The full report, and one sentence for the status. `object`: the image's bytes, for addr2line.
  std::string report(const std::vector<unsigned char>& object, std::string& sentence) const;
  static const hook_table table;

 private:
  static void on_access(void*, unsigned long, int, void*);
  static void on_enter(void*);
  static void on_leave();
  static constexpr int depth = 5;
  struct access {
    long long group = -1;
    int lane = -1, clock = 0;
    void* pc[depth] = {};  // innermost first
  };
  struct cell {
    access write;
    std::vector<access> reads;
  };
  struct pair {
    const char* what;
    access one, two;
    std::string where;
  };
  void touch(std::uintptr_t, std::size_t, bool write, void* pc);
  void one(cell&, std::uintptr_t, const access&, bool write);
  // Whose number lies at an address.
  struct spot {
    const checked_operand* what = nullptr;  // nullptr: nobody's
    long long problem = -1;                 // -1: one for the whole batch
    std::size_t element = 0;
    bool in_group = false;
  };
  spot locate(std::uintptr_t) const;
  std::string name_of(std::uintptr_t) const;
  bool allowed(std::uintptr_t, bool write) const;
  const checked_launch& operands_;
  std::vector<std::size_t> group_offset_;  // per operand
  std::uintptr_t arguments_, slot_, base_ = 0, memory_ = 0, stacks_ = 0, hidden_ = 0, exchange_ = 0;
  std::size_t argument_bytes_, image_bytes_ = 0, memory_bytes_ = 0, stack_bytes_ = 0, hidden_bytes_ = 0,
                               exchange_bytes_ = 0;
  long long group_ = 0;
  std::unordered_map<std::uintptr_t, cell> global_, local_;
  std::vector<std::vector<int>> clock_;
  std::vector<std::vector<void*>> calls_;
  struct lanes {
    int first = 0, width = 0;
  };
  std::vector<lanes> reach_;  // of each lane; width 0: its own problem alone
  bool staging_ = false;      // the block copies operands in or out together
  std::vector<pair> pairs_, stray_;
};

}  // namespace glass::jit
