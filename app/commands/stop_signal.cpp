#include "app/commands/stop_signal.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "config/printable.h"

namespace glint {
namespace {

std::atomic<bool> stopWanted = false;
Interrupt interruptWanted;
std::atomic<int> toWatcher = -1;  // the end of a pipe, which wakes the watcher
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler uses them");

void onSignal(int signal) {
  const int error = errno;
  stopWanted = true;
  interruptWanted.set();
  std::signal(signal, SIG_DFL);
  const char wake = 's';
  if (::write(toWatcher, &wake, 1) < 0) {
    // A full pipe has woken it already.
  }
  errno = error;
}

/// Tells what holds the end up, from a second after the signal on.
class Watcher {
 public:
  Watcher() {
    if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;  // then nothing is told
    toWatcher = ends_[1];
    thread_ = std::thread([this] { watch(); });
  }

  ~Watcher() {
    if (!thread_.joinable()) return;
    const char end = 'e';
    if (::write(ends_[1], &end, 1) == 1)
      thread_.join();
    else
      thread_.detach();
    toWatcher = -1;
  }

 private:
  static constexpr int kPatience = 1000;  // ms

  /// The next byte of the pipe, or 0 when `patience` (ms, -1 for ever) is over.
  char next(int patience) const {
    for (;;) {
      pollfd ready{ends_[0], POLLIN, 0};
      const int count = ::poll(&ready, 1, patience);
      if (count == 0) return 0;
      char byte = 0;
      if (count > 0 && ::read(ends_[0], &byte, 1) == 1) return byte;
    }
  }

  void watch() const {
    if (next(-1) == 'e') return;
    for (;;) {
      const char byte = next(kPatience);
      if (byte == 'e') return;
      if (byte == 0) break;
    }
    std::string told;
    do {
      const std::string what = waitedFor(std::chrono::milliseconds(kPatience) / 2);
      if (!told.empty() && (what.empty() || what == told)) continue;
      told = what.empty() ? "the end of what it does" : what;
      log(LogLevel::warning,
          printable(fmt::format("stops, but waits for {}; a second signal (Ctrl-C) ends it at once",
                                told)));
    } while (next(kPatience) != 'e');
  }

  int ends_[2] = {-1, -1};
  std::thread thread_;
};

void handle(int signal, bool unlessIgnored) {
  const auto before = std::signal(signal, onSignal);
  if (unlessIgnored && before == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

const std::atomic<bool>& stopOnSignal() {
  static Watcher watcher;
  handle(SIGINT, false);
  handle(SIGTERM, false);
  handle(SIGHUP, true);
  return stopWanted;
}

Interrupt& interruptOnSignal() {
  stopOnSignal();
  return interruptWanted;
}

}  // namespace glint
