#include "app/shell/commands/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "config/error.h"

namespace glint::shell {
namespace {

/// Whether standard output is a pipe that nobody reads any more.
bool readerHasLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void prepareProcess() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    // It gets the lowest free number, this one. What is printed to a closed output is an error.
    if (::open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) break;
  }
  // What is printed is written at once at the end, mostly, so that the reason is known if it is
  // not.
  static std::array<char, 1 << 16> printed;
  if (::isatty(STDOUT_FILENO) == 0) std::setvbuf(stdout, printed.data(), _IOFBF, printed.size());
  std::cerr.rdbuf(nullptr);  // OpenCV speaks through it of images that are told as an Error
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void finishStandardOutput() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if (flushed && std::ferror(stdout) == 0) return;
  if (error == EPIPE || readerHasLeft()) return;
  // An earlier write failed: of that no reason is left.
  throw Error(std::string("cannot write standard output: ") +
              (flushed ? "part of it is missing" : std::strerror(error)));
}

}  // namespace glint::shell
