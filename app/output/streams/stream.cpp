#include "app/output/streams/stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/output/streams/json_frame.h"
#include "app/output/streams/osc_frame.h"
#include "app/output/streams/udp.h"
#include "config/error.h"

namespace glint::output {
namespace {

// One Ethernet frame less the headers of IPv6 and UDP: no datagram is sent in fragments, of which
// each may be lost, and all OSC receivers have room for it.
constexpr size_t kOscDatagram = 1452;
// A frame of some 300 markers in one piece; UDP ends at 65,507.
constexpr size_t kJsonDatagram = 60'000;

}  // namespace

std::unique_ptr<Sink> makeStream(const std::string& target, bool remote) {
  const std::string option = fmt::format("--stream '{}'", target);
  if (target == "-") {
    // A closed one was opened for reading at the start, so that no file takes its number.
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

}  // namespace glint::output
