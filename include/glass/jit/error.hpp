// What can go wrong, and how it is told. Set-up calls throw `error`; `launch` returns a `status`. Nothing here prints
// or ends the process.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace glass::jit {

enum class errc {
  ok,
  invalid_argument,  // a value that cannot be right: a size, a type, an option, an operand
  unknown_name,  // an operation, operand, size, option or key that does not exist; the message names the nearest one
  no_driver,     // libcuda is not there, or refuses to start
  no_device,     // a driver, but no such device
  no_compiler,   // no NVRTC or no C++ compiler was found, and none of the images needed is in the cache
  compiler_too_old,  // NVRTC does not know this GPU
  driver_too_old,    // the driver does not take what this toolkit makes
  compile_failed,    // the text does not compile; log() has the user's frames
  load_failed,       // the driver refuses an image
  too_large,         // a block of the kernel needs more threads, registers or shared memory than the device has
  launch_failed,     // the driver refuses a launch
  device_lost,       // a sticky error: this process cannot use the device any more
  hang,              // a deadline passed
  divergent,         // lanes of a scope did not meet (host emulator)
  race,              // the race check found something (host emulator)
  wrong_result,      // a candidate disagrees with the default placement
  refused,           // `frozen`: would have needed a compile or a tuning run; or a wait while a stream is captured
  out_of_memory,
  interrupted,  // tuning was stopped because tuning_options::stop said so
  io,           // a file that cannot be read or written
  store         // the cache; only where a call is about the cache itself
};

// Which step of the straight line source -> key -> image -> kernel -> launch was being made.
enum class stage { device, source, compile, load, tune, store, launch };

const char* name(errc) noexcept;
const char* name(stage) noexcept;

class error : public std::runtime_error {
 public:
  struct parts {
    errc code = errc::invalid_argument;
    jit::stage stage = jit::stage::source;
    std::string message;    // one sentence: what was wrong and where
    std::string hint;       // one sentence: what to do about it
    std::string attempted;  // e.g. the compile command, the placement, the file
    std::string log;        // the tool's own words, with the offending lines of source
    std::string versions;   // driver, compiler, device
  };
  explicit error(parts p) : std::runtime_error(compose(p)), parts_(std::move(p)) {}
  error(errc code, jit::stage stage, std::string message, std::string hint = {})
      : error(parts{code, stage, std::move(message), std::move(hint), {}, {}, {}}) {}

  errc code() const noexcept { return parts_.code; }
  jit::stage stage() const noexcept { return parts_.stage; }
  const std::string& message() const noexcept { return parts_.message; }
  const std::string& hint() const noexcept { return parts_.hint; }
  const std::string& attempted() const noexcept { return parts_.attempted; }
  const std::string& log() const noexcept { return parts_.log; }
  const std::string& versions() const noexcept { return parts_.versions; }

 private:
  static std::string compose(const parts&);  // "glass: compile: MESSAGE\n  HINT"
  parts parts_;
};

// The answer of a launch. Holds its own text, so that it allocates nothing and outlives everything.
class [[nodiscard]] status {
 public:
  status() noexcept { text_[0] = 0; }  // the rest of the text stays unset: a launch that goes well costs nothing here
  status(errc code, const char* format, ...) noexcept __attribute__((format(printf, 3, 4)));
  bool ok() const noexcept { return code_ == errc::ok; }
  explicit operator bool() const noexcept { return ok(); }
  errc code() const noexcept { return code_; }
  const char* message() const noexcept { return text_; }
  void check() const;  // throws `error` unless ok

 private:
  errc code_ = errc::ok;
  char text_[252];
};

}  // namespace glass::jit
