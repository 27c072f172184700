// What a runtime tells of its inside, for logs and dashboards: see runtime_options::event.
#pragma once
#include <string>

namespace glass::jit {

enum class event_kind {
  hit,      // a kernel was served from a decision of the cache, of whatever tier
  miss,     // nothing usable was known: measured, or chosen by the model
  compile,  // an image was compiled
  load,     // an image was loaded onto the device
  tune,     // a problem was measured
  heal,     // damaged records were dropped
  alarm,    // see runtime_options::alarm
  swap      // the background exchanged the code of a kernel
};
const char* name(event_kind) noexcept;
struct event {
  event_kind kind = event_kind::hit;
  std::string problem = {};  // "posv N=12 NRHS=1 f32 batch=8192"
  std::string placement = {};
  std::string layer = {};  // of the cache: for hit and swap
  double seconds = 0;      // that it took
  std::string text = {};   // in words: the tier, the reason of an alarm, how many records
};

}  // namespace glass::jit
