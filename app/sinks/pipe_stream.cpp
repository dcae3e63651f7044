#include "app/sinks/pipe_stream.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>

#include <poll.h>
#include <unistd.h>

#include "app/sinks/stream.h"
#include "config/error.h"

namespace glint {
namespace {

class PipeStream : public Sink {
 public:
  explicit PipeStream(int file) : file_(file) {}

  void accept(const FramePtr& frame) override {
    if (!closed_.empty()) throw NotSent(closed_);
    for (const std::string& line : jsonLines(*frame, std::numeric_limits<size_t>::max())) {
      closed_ = write(line);
      if (!closed_.empty()) throw NotSent(closed_);  // what follows half a line could not be read
    }
  }
  void giveUp() override { givenUp_ = true; }

 private:
  /// The descriptor is shared with other programs, so it is not made non-blocking; but a pipe that
  /// is ready takes PIPE_BUF bytes at once.
  std::string write(const std::string& text) {
    constexpr int kPatience = 20;  // ms, between looks whether it is given up
    size_t done = 0;
    while (done < text.size()) {
      pollfd ready{file_, POLLOUT, 0};
      const int n = ::poll(&ready, 1, kPatience);
      if (n == 0 || (n < 0 && errno == EINTR)) {
        if (givenUp_) return "its reader was too slow at the end";
        continue;
      }
      const ssize_t taken =
          ::write(file_, text.data() + done, std::min<size_t>(text.size() - done, PIPE_BUF));
      if (taken < 0 && errno == EPIPE) return "its reader has closed it";
      if (taken < 0 && errno != EINTR && errno != EAGAIN) {
        closed_ = std::strerror(errno);
        throw Error("cannot write standard output: " + closed_);
      }
      if (taken > 0) done += static_cast<size_t>(taken);
      if (givenUp_ && done < text.size()) return "its reader was too slow at the end";
    }
    return {};
  }

  int file_;
  std::atomic<bool> givenUp_ = false;
  std::string closed_;  // why nothing more can be written
};

}  // namespace

std::unique_ptr<Sink> makePipeStream(int file) {
  return std::make_unique<PipeStream>(file);
}

}  // namespace glint
