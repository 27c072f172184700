// A pack or a cache as a file to be read: for the commands that print what is in it.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "store/pack.hpp"

namespace glass::jit::cli {

struct stored {
  std::string file;
  std::unique_ptr<layer> rows;
  std::optional<pack_info> pack;  // of a pack, whose manifest and signature (if it has one) hold
};
// `named`: a pack, a cache's file or its folder; "": the cache of this machine. Throws errc::store.
stored open_stored(const std::string& named);

}  // namespace glass::jit::cli
