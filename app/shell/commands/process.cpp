#include "app/shell/commands/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/base/whole_file.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Returns true if standard output is a pipe that nobody reads any more.
bool readerHasLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

constexpr int kPatience = 1000;  // ms, time after which the program tells what it waits for

std::atomic<bool> finishing =
    false;  // a signal lets the command finish, and does not end it at once
std::atomic<bool> stopWanted = false;
capture::Interrupt interruptWanted;
// ms, time of the first signal by the monotonic clock; 0: none.
std::atomic<int64_t> firstSignal = 0;
std::atomic<int> toWatcher = -1;  // end of a pipe, which wakes the watcher
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                  std::atomic<int64_t>::is_always_lock_free,
              "a signal handler uses them");

int64_t monotonicMs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Ends the program from within a signal handler, where nothing may be allocated or locked.
[[noreturn]] void endAtOnce() {
  static constexpr std::string_view kClear = "\r\x1b[K";  // clears the line with the progress
  static constexpr std::string_view kSaid = "glint: stopped by a signal before the work was done\n";
  base::removeUnfinishedFile();
  ssize_t written = 0;  // not used, because a failed write cannot be reported
  if (base::isLogged(base::LogLevel::error)) {
    if (::isatty(STDERR_FILENO) == 1)
      written = ::write(STDERR_FILENO, kClear.data(), kClear.size());
    written = ::write(STDERR_FILENO, kSaid.data(), kSaid.size());
  }
  static_cast<void>(written);
  ::_exit(1);
}

// Handles SIGINT and SIGTERM. One request may arrive as several signals: `timeout` signals its
// child and then the child's process group, and a terminal signals a whole group, whose leader may
// forward the signal. So signals within kPatience after the first count as the same request. A
// later one means that the user does not want to wait any longer, and ends the program at once.
void onSignal(int signal) {
  const int error = errno;
  const int64_t now = monotonicMs();
  int64_t first = firstSignal;
  if (!finishing) {
    if (first == 0 || now - first >= kPatience) endAtOnce();
  } else if (first == 0 && firstSignal.compare_exchange_strong(first, now)) {
    stopWanted = true;
    interruptWanted.set();
    const char wake = 's';
    if (::write(toWatcher, &wake, 1) < 0) {
      // The watcher cannot be woken, so nothing reports what the program waits for.
    }
  } else if (now - first >= kPatience) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // the signal is held back until this function returns
  }
  errno = error;
}

/// A thread that reports what the program waits for, from a second after the signal on.
class Watcher {
 public:
  Watcher() {
    // Without a pipe, there is no thread, and nothing is reported.
    if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    toWatcher = ends_[1];
    thread_ = std::thread([this] { watch(); });
    ::pthread_setname_np(thread_.native_handle(), "signals");
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
  /// Returns the next byte of the pipe, or 0 after `patience` (ms, -1 for ever).
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
    if (next(-1) == 'e' || next(kPatience) == 'e') return;
    std::string reason;
    do {
      const std::string what = base::waitedFor(std::chrono::milliseconds(kPatience) / 2);
      if (!reason.empty() && (what.empty() || what == reason)) continue;
      reason = what.empty() ? "its work to finish" : what;
      base::warn("stopping, but waiting for {}; a second signal (Ctrl-C) stops at once", reason);
    } while (next(kPatience) != 'e');
  }

  int ends_[2] = {-1, -1};
  std::thread thread_;
};

/// Handles the signal, unless whoever has started the program wants it to be ignored.
void handleUnlessIgnored(int signal) {
  if (std::signal(signal, onSignal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

bool handleAll() {
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  return true;
}

}  // namespace

void prepareProcess() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    // The file gets the lowest free number, which is that of the closed stream. Printing to a
    // closed output remains an error.
    if (::open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) break;
  }
  // A large buffer is written only at the end in most runs, so that the reason is known if it
  // fails.
  static std::array<char, 1 << 16> printed;
  if (::isatty(STDOUT_FILENO) == 0) std::setvbuf(stdout, printed.data(), _IOFBF, printed.size());
  std::cerr.rdbuf(nullptr);  // OpenCV prints the reasons there that Glint reports as an Error
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handleUnlessIgnored(signal);
}

void finishStandardOutput() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if (flushed && std::ferror(stdout) == 0) return;
  if (error == EPIPE || readerHasLeft()) return;
  // An earlier write has failed, and its reason is lost.
  throw Error(std::string("cannot write standard output: ") +
              (flushed ? "part of it is missing" : std::strerror(error)));
}

const std::atomic<bool>& stopOnSignal() {
  finishing = true;
  static Watcher watcher;
  static const bool handled = handleAll();
  static_cast<void>(handled);
  return stopWanted;
}

capture::Interrupt& interruptOnSignal() {
  stopOnSignal();
  return interruptWanted;
}

void endOnSignal() {
  finishing = false;
}

}  // namespace glint::shell
