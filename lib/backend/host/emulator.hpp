// Runs the lanes of one block as fibers on one OS thread. A lane runs to its next meeting, then another runs; when all
// lanes of a scope stand at the same meeting, values are exchanged and they go on. Lanes that do not meet are an error
// that names operation, place and lanes: nothing hangs. The protocol (lane, meeting) is glass/core/scope_host.cuh's.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "backend/host/host.hpp"
#include "backend/host/race.hpp"
#include "glass/core/scope.cuh"

namespace glass::jit {

class emulator {
 public:
  using entry = void (*)(const void* arguments);
  emulator(int lanes, std::size_t memory);  // throws errc::out_of_memory
  ~emulator();
  emulator(const emulator&) = delete;
  emulator& operator=(const emulator&) = delete;
  // Runs block `group` with shared memory full of NaN. `slot`: where the image looks for its lane. False: complaint()
  // says why.
  bool run(long long group, host::lane** slot, entry, const void* arguments, enum host_options::lanes order,
           std::minstd_rand& random, race* check);
  std::string complaint() const;
  bool threw() const { return !thrown_.empty(); }

 private:
  enum state { ready, waiting, done, stopped };
  struct fiber {
    host::lane lane;  // first: a body knows its fiber by the address of its lane
    emulator* owner = nullptr;
    host::meeting at{};
    state now = ready;
    void* stack = nullptr;
    void* fake_stack = nullptr;  // AddressSanitizer's
    void* tsan = nullptr;        // ThreadSanitizer's
  };
  static void start();
  static void meet(host::lane*, const host::meeting&);
  static char* exchange(host::lane*, const void* who, int bytes);
  static bool same(const host::meeting&, const host::meeting&);
  void enter(fiber&);
  void leave(fiber&, state);
  void release(race*);
  char* bottom(std::size_t lane) const;
  std::vector<fiber> fibers_;
  struct piece {
    const void* who;
    char* memory;
  };
  std::vector<piece> pieces_;  // of the block's exchange memory, handed out
  std::size_t exchanged_ = 0;  // bytes of them
  char *area_ = nullptr, *memory_ = nullptr, *exchange_ = nullptr;
  std::size_t area_bytes_ = 0, memory_bytes_ = 0, memory_pages_ = 0;
  void* main_ = nullptr;
  void* main_fake_ = nullptr;
  void* main_tsan_ = nullptr;
  const void* main_bottom_ = nullptr;
  std::size_t main_size_ = 0;
  entry entry_ = nullptr;
  const void* arguments_ = nullptr;
  std::string thrown_;
};

}  // namespace glass::jit
