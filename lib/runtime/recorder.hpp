// The problems that a runtime was asked for, as the manifest that `glass tune` and preload read; and the file that
// programs share to collect them.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "catalog/catalog.hpp"
#include "catalog/spec.hpp"

namespace glass::jit {

class recorder {
 public:
  recorder(std::string file, std::shared_ptr<warner>);               // "": memory only
  void note(const bound_problem&, const placement* named) noexcept;  // trouble with the file is one warning
  std::string manifest() const;

 private:
  void write(const manifest_entry&);

  const std::string file_;
  const std::shared_ptr<warner> warn_;
  mutable std::mutex mutex_;
  std::set<std::string> known_;
  std::vector<manifest_entry> entries_;
};

}  // namespace glass::jit
