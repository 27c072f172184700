// A shared object in memory, loaded without a file on disk, and its launch.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "backend/host/emulator.hpp"
#include "backend/host/host.hpp"
#include "backend/host/pool.hpp"

namespace glass::jit {

// Is this a whole shared object for this machine?
bool plausible_object(const std::vector<unsigned char>&);

class host_image final : public loaded_image {
 public:
  host_image(const std::vector<unsigned char>&, const host_options&, std::shared_ptr<pool>,
             unsigned stages);  // throws errc::load_failed
  ~host_image() override;
  jit::usage usage() const noexcept override { return {}; }
  // Returns when done; the stream is ignored.
  status launch(CUstream_st*, const launch_shape&, const void* arguments, std::size_t bytes) const noexcept override;
  bool fast() const { return !stages_.empty() && stages_.front().range != nullptr; }

 private:
  struct stage_entry {
    emulator::entry entry;
    pool::range range;  // null: emulated
  };
  status emulate(emulator::entry, const launch_shape&, const void* arguments, std::size_t bytes) const;
  void* handle_ = nullptr;
  std::vector<stage_entry> stages_;
  host::lane** (*lane_)() = nullptr;
  host_options options_;
  std::shared_ptr<pool> pool_;
  std::vector<unsigned char> bytes_;  // for the race report
};

// Held while the loader changes its lists and while forking: a child must not inherit the loader's locks.
std::mutex& loader();
void set_host_report(std::string);  // what host_report() gives on this thread

}  // namespace glass::jit
