// Redrawn in place with a carriage return; on something that is no terminal each state is a line.
#include "cli/progress.hpp"

#include <cstdio>
#include <mutex>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.hpp"

namespace glass::jit::cli {
namespace {

struct line {
  std::mutex mutex;
  bool drawn = false;
  ~line() { wipe(); }
  void wipe() {
    if (drawn) std::fputs("\r\033[K", stderr);
    drawn = false;
  }
};

std::size_t terminal_width() {
  winsize w{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1 : 119;
}

}  // namespace

std::function<void(const tuning_progress&)> progress_line() {
  auto state = std::make_shared<line>();
  const bool terminal = isatty(STDERR_FILENO);
  return [state, terminal](const tuning_progress& p) {
    const std::lock_guard lock(state->mutex);
    std::string text = "tuning " + p.problem + "  " + std::to_string(p.done) + "/" + std::to_string(p.total);
    if (p.best_ns > 0) text += "  best " + number_text(p.best_ns) + " ns: " + p.best;
    if (p.seconds_left > 0) text += "  " + number_text(p.seconds_left, 2) + " s left";
    if (!terminal) {
      std::fprintf(stderr, "%s\n", text.c_str());
    } else if (p.total > 0 && p.done >= p.total) {
      state->wipe();
    } else {
      std::fprintf(stderr, "\r%s\033[K", text.substr(0, terminal_width()).c_str());
      state->drawn = true;
    }
    std::fflush(stderr);
  };
}

}  // namespace glass::jit::cli
