#include "app/stream/pipe.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>

#include <poll.h>
#include <unistd.h>

#include "app/stream/json_frame.h"
#include "config/error.h"

namespace glint {
namespace {

class PipeSender : public Sender {
 public:
  explicit PipeSender(int file) : file_(file) {}

  std::string send(const LiveFrame& frame, const std::stop_token& giveUp) override {
    if (!closed_.empty()) return closed_;
    for (const std::string& line : jsonLines(frame, std::numeric_limits<size_t>::max())) {
      if (std::string problem = write(line, giveUp); !problem.empty()) {
        closed_ = problem;  // what follows half a line could not be read
        return problem;
      }
    }
    return {};
  }

 private:
  /// The descriptor is shared with other programs, so it is not made non-blocking; but a pipe that
  /// is ready takes PIPE_BUF bytes at once.
  std::string write(const std::string& text, const std::stop_token& giveUp) {
    constexpr int kPatience = 20;  // ms, between looks at `giveUp`
    size_t done = 0;
    while (done < text.size()) {
      pollfd ready{file_, POLLOUT, 0};
      const int n = ::poll(&ready, 1, kPatience);
      if (n == 0 || (n < 0 && errno == EINTR)) {
        if (giveUp.stop_requested()) return "its reader was too slow at the end";
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
      if (giveUp.stop_requested() && done < text.size())
        return "its reader was too slow at the end";
    }
    return {};
  }

  int file_;
  std::string closed_;  // why nothing more can be written
};

}  // namespace

std::unique_ptr<Sender> makePipeSender(int file) {
  return std::make_unique<PipeSender>(file);
}

}  // namespace glint
