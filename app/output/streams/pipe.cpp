#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>

#include <poll.h>
#include <unistd.h>

#include "app/output/streams/json_frame.h"
#include "app/output/streams/stream.h"

namespace glint::output {
namespace {

class PipeSink : public Sink {
 public:
  explicit PipeSink(int file) : file_(file) {}

  /// After any failure it gets nothing more: what follows half a line could not be read.
  void accept(const motion::FramePtr& frame) override {
    for (const std::string& line : jsonLines(*frame, std::numeric_limits<size_t>::max()))
      write(line);
  }
  void giveUp() override { givenUp_ = true; }

 private:
  /// The descriptor is shared with other programs, so it is not made non-blocking; but a pipe that
  /// is ready takes PIPE_BUF bytes at once.
  void write(const std::string& text) {
    constexpr int kPatience = 20;  // ms, between looks at givenUp_
    size_t done = 0;
    while (done < text.size()) {
      pollfd ready{file_, POLLOUT, 0};
      const int n = ::poll(&ready, 1, kPatience);
      const bool waits = n == 0 || (n < 0 && errno == EINTR);
      const ssize_t taken = waits ? 0
                                  : ::write(file_, text.data() + done,
                                            std::min<size_t>(text.size() - done, PIPE_BUF));
      if (taken < 0 && errno == EPIPE) throw ReaderLeft("its reader has closed it");
      if (taken < 0 && errno != EINTR && errno != EAGAIN)
        throw Error(std::string("cannot write standard output: ") + std::strerror(errno));
      if (taken > 0) done += static_cast<size_t>(taken);
      if (givenUp_ && done < text.size()) throw ReaderLeft("its reader was too slow at the end");
    }
  }

  int file_;
  std::atomic<bool> givenUp_ = false;
};

}  // namespace

std::unique_ptr<Sink> makePipeSink(int file) {
  return std::make_unique<PipeSink>(file);
}

}  // namespace glint::output
