#include "tune/journal.hpp"

namespace glass::jit {
namespace {
constexpr const char* once = "the process ended while this candidate ran.";
constexpr const char* twice = "the process ended twice while this candidate ran.";
}  // namespace

journal::journal(store& rows, const std::string& decision_key, bool retry) : retry_(retry) {
  for (auto& row : rows.candidates(decision_key)) {
    resumed_ = true;
    if (row.state == state::running) {  // whoever ran it is gone: the lock of this problem is ours
      row.state = state::killed, row.reason = row.reason == once ? twice : once;
      rows.put_candidate(row);
      found_.insert(row.placement);
    }
    rows_[row.placement] = std::move(row);
  }
}

journal::earlier journal::of(const std::string& placement) const {
  const auto it = rows_.find(placement);
  if (it == rows_.end()) return earlier::nothing;
  if (it->second.state == state::timing) return earlier::alone;
  if (it->second.state == state::ok) return it->second.ns.empty() ? earlier::nothing : earlier::measured;
  return retry_ && it->second.state == state::killed && it->second.reason == once ? earlier::suspect : earlier::settled;
}

bool journal::risky(const std::string& placement) const {
  const earlier was = of(placement);
  return was == earlier::suspect || was == earlier::alone;
}

std::map<std::string, std::string> journal::found(const std::string& standard) const {
  std::map<std::string, std::string> said;
  for (const auto& placement : found_) {
    const bool again = of(placement) == earlier::suspect, final = rows_.at(placement).reason == twice;
    said[placement] =
        rows_.at(placement).reason + (placement == standard ? " It is the default placement, so it runs again."
                                      : again               ? " It is tried again, last."
                                      : final               ? " It is skipped."
                                                            : " It is skipped; glass tune --isolate tries it again.");
  }
  return said;
}

std::string journal::strike(const std::string& placement) const {
  return of(placement) == earlier::suspect ? once : "";
}

bool holds_suspect(store& rows, const std::string& decision_key) {
  for (const auto& row : rows.candidates(decision_key))
    if (row.state == state::running || (row.state == state::killed && row.reason == once)) return true;
  return false;
}

}  // namespace glass::jit
