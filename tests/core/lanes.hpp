// Lanes of one block as threads of this process, for unit tests of the device core: a meeting is a barrier. Slow and
// simple on purpose; the emulator of the host backend is not needed to test what it is built on.
#pragma once
#include <glass/core/scope.cuh>

#include <barrier>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace glass::test {

class lanes {
 public:
  // Runs f in n lanes of block `group`; `memory` is the block's shared memory.
  template <class F>
  static void run(int n, long long group, char* memory, F f) {
    lanes all(n);
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i)
      threads.emplace_back([&, i] {
        running running{{i, n, group, memory, &meet, &exchange}, &all};
        host::current = &running.lane;
        f();
        host::current = nullptr;
      });
    for (auto& t : threads) t.join();
  }

 private:
  struct running {
    host::lane lane;  // first, so that meet() finds the rest
    lanes* all;
  };
  explicit lanes(int n) : in_(n) {}
  std::barrier<>& place(int first, int width) {
    const std::lock_guard lock(mutex_);
    auto& b = barriers_[{first, width}];
    if (!b) b = std::make_unique<std::barrier<>>(width);
    return *b;
  }
  static void meet(host::lane* l, const host::meeting& m) {
    lanes& all = *reinterpret_cast<running*>(l)->all;
    auto& barrier = all.place(m.first, m.width);
    all.in_[l->rank] = m.in;
    barrier.arrive_and_wait();
    bool vote = false;
    if (m.kind == host::meeting::shuffle) std::memcpy(m.out, all.in_[m.first + m.source], m.bytes);
    if (m.kind == host::meeting::any)
      for (int k = 0; k < m.width; ++k) vote |= *static_cast<const bool*>(all.in_[m.first + k]);
    barrier.arrive_and_wait();  // all have read: `in` and `out` may be one variable
    if (m.kind == host::meeting::any) *static_cast<bool*>(m.out) = vote;
  }
  static char* exchange(host::lane* l, const void* who, int bytes) {
    lanes& all = *reinterpret_cast<running*>(l)->all;
    const std::lock_guard lock(all.mutex_);
    auto& memory = all.exchange_[who];
    if (!memory) memory = std::make_unique<piece[]>(static_cast<std::size_t>(bytes) / sizeof(piece));
    return reinterpret_cast<char*>(memory.get());
  }
  struct alignas(16) piece {
    char bytes[16];
  };
  std::map<const void*, std::unique_ptr<piece[]>> exchange_;
  std::mutex mutex_;
  std::map<std::pair<int, int>, std::unique_ptr<std::barrier<>>> barriers_;
  std::vector<const void*> in_;
};

}  // namespace glass::test
