#include "app/output/streams/stream.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "app/output/streams/frame_encodings.h"
#include "app/output/streams/udp.h"
#include "config/error.h"

namespace glint::output {
namespace {

// Bytes of one Ethernet frame without the headers of IPv6 and UDP. So no datagram is sent in
// fragments, each of which may be lost, and all OSC receivers have room for it.
constexpr size_t kOscDatagram = 1452;
// Bytes of a datagram that holds a frame of about 300 markers. UDP allows 65,507.
constexpr size_t kJsonDatagram = 60'000;

class PipeSink : public Sink {
 public:
  explicit PipeSink(int file) : file_(file) {}

  /// Writes the frame. After any failure the sink gets nothing more, because the rest of an
  /// incomplete line could not be read.
  void accept(const motion::FramePtr& frame) override {
    for (const std::string& line : jsonLines(*frame, std::numeric_limits<size_t>::max()))
      write(line);
  }
  void giveUp() override { givenUp_ = true; }

 private:
  /// Writes a text in parts. The descriptor is shared with other programs, so it is not made
  /// non-blocking. A pipe that is ready takes PIPE_BUF bytes at once.
  void write(const std::string& text) {
    constexpr int kPatience = 20;  // ms, time between two looks at givenUp_
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

std::unique_ptr<Sink> makeStream(const std::string& target, bool remote) {
  const std::string option = fmt::format("--stream '{}'", target);
  if (target == "-") {
    // If standard output was closed, it was opened for reading at the start, so that no file takes
    // its number.
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      throw Error(option + ": standard output is closed");
    return makePipeSink(STDOUT_FILENO);
  }
  if (target.starts_with("osc:")) {
    return makeUdpSink(resolveUdp(target.substr(4), remote, option),
                       [clock = WallClock()](const motion::Frame& frame) mutable {
                         return oscBundles(frame, clock, kOscDatagram);
                       });
  }
  if (target.starts_with("udp:")) {
    return makeUdpSink(resolveUdp(target.substr(4), remote, option),
                       [](const motion::Frame& frame) { return jsonLines(frame, kJsonDatagram); });
  }
  throw UsageError(option +
                   " is unknown; use osc:[HOST:]PORT, udp:[HOST:]PORT or - (standard output)");
}

std::unique_ptr<Sink> makePipeSink(int file) {
  return std::make_unique<PipeSink>(file);
}

}  // namespace glint::output
