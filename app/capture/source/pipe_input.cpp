#include "app/capture/source/pipe_input.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glint::capture {

bool isPipe(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

PipeInput::PipeInput(const std::string& path, const Interrupt* interrupt)
    : path_(path),
      interrupt_(interrupt),
      file_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (file_ < 0) throw Error("cannot open '{}': {}", path, std::strerror(errno));
}

PipeInput::~PipeInput() {
  close(file_);
}

size_t PipeInput::read(std::span<std::byte> into) {
  constexpr int kPollMs = 20;  // ms between two checks of the interrupt
  while (!interrupted()) {
    // Before the first writer opens the pipe, read() would return 0 as if all had closed it; poll()
    // waits.
    pollfd waiting{.fd = file_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kPollMs) == 0 || waiting.revents == 0) continue;
    const ssize_t count = ::read(file_, into.data(), into.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno == EAGAIN || errno == EINTR) continue;
    throw Error("cannot read '{}': {}", path_, std::strerror(errno));
  }
  return 0;
}

}  // namespace glint::capture
