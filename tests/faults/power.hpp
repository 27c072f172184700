// Power cuts from a recording: what may lie on the disk when the supply fails after the n-th operation. Writes that were
// not synced may be there, missing or torn, in any combination; names (creations, renames, removals) are kept in order, as
// a journaling file system does.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "system_calls.hpp"

namespace glass::faults {

enum class lost {
  unsynced,  // all that was not synced
  last,      // the last few writes; the one before them is torn in its middle
  some,      // a random half of the unsynced sectors
  data       // as unsynced, but the files have their new length: zeroes where the data are missing
};

// The files and their contents after the first `until` operations of the tape.
std::map<std::string, std::string> disk_after(const std::vector<operation>& tape, std::size_t until, lost,
                                              unsigned seed);

}  // namespace glass::faults
