// The system calls of this program, under a test's control: the n-th one may kill the process, tear a write or fail, all
// may be recorded, locks may be missing and the clock may jump. The functions that SQLite, the C++ library and glass call
// by name (write, pwrite64, fdatasync, rename …) are defined in system_calls.cpp, in the program itself, so that they are
// found first; nothing is preloaded. Only files below one folder are touched.
#pragma once
#include <atomic>
#include <cerrno>
#include <string>
#include <vector>

namespace glass::faults {

enum kind : unsigned {
  creates = 1,   // open with O_CREAT, mkdir, link, chmod
  opens = 2,     // open without
  reads = 4,     // read, pread
  writes = 8,    // write, pwrite, writev
  cuts = 16,     // truncate
  syncs = 32,    // fsync, fdatasync
  renames = 64,  // rename
  removes = 128,
  changes = creates | writes | cuts | syncs | renames | removes,
  everything = changes | opens | reads
};

struct plan {
  enum class act {
    count,  // nothing happens
    kill,   // SIGKILL in place of the call
    tear,   // a write writes half of its bytes, then SIGKILL; any other call: SIGKILL
    fail    // the call fails
  };
  act what = act::count;
  unsigned which = changes;  // the calls that count
  long at = 0;               // the first of them that suffers, from 0
  int error = EIO;
  bool for_good = false;  // fail: the later ones too
};

// Every call on a path that begins with `below` is counted by `plan`, until disarmed.
void arm(const std::string& below, const plan&);
long disarm();  // the number of calls that counted

class armed {
 public:
  armed(const std::string& below, const plan& p) { arm(below, p); }
  ~armed() { disarm(); }
  armed(const armed&) = delete;
};

// What a program did to the files below a folder, in order; for power cuts (power.hpp).
struct operation {
  kind what;
  std::string path, to = {};  // to: of a rename
  long long offset = 0;       // of a write; the new length of a cut
  std::string bytes = {};
};
void record(const std::string& below);
std::size_t recorded_so_far();
std::vector<operation> recorded();  // and ends the recording

// Emulations, for the whole process and the children that it forks.
inline std::atomic<bool> no_ofd_locks{false};    // F_OFD_SETLK: ENOLCK, as without a lock server
inline std::atomic<bool> no_posix_locks{false};  // F_SETLK: ENOLCK
inline std::atomic<bool> network_disk{false};    // statfs says that every file system is NFS
inline std::atomic<long> clock_ahead{0};         // seconds by which the time of day is wrong

}  // namespace glass::faults
