#include "app/stream/streams.h"

#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/stream/json_frame.h"
#include "app/stream/osc_frame.h"
#include "app/stream/pipe.h"
#include "app/stream/udp.h"
#include "config/error.h"

namespace glint {
namespace {

// One Ethernet frame less the headers of IPv6 and UDP: no datagram is sent in fragments, of which
// each may be lost, and all OSC receivers have room for it.
constexpr size_t kOscDatagram = 1452;
// A frame of some 300 markers in one piece; UDP ends at 65,507.
constexpr size_t kJsonDatagram = 60'000;

}  // namespace

Streams::Streams(const std::vector<std::string>& targets, bool remote) {
  for (const std::string& target : targets)
    streams_.push_back(std::make_unique<Stream>(target, makeSender(target, remote)));
}

std::unique_ptr<Sender> Streams::makeSender(const std::string& target, bool remote) {
  const std::string option = fmt::format("--stream '{}'", target);
  if (target == "-") {
    if (std::exchange(toStandardOutput_, true))
      throw UsageError(option + ": standard output can hold one stream");
    // A closed one was opened for reading at the start, so that no file takes its number.
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      throw Error(option + ": standard output is closed");
    return makePipeSender(STDOUT_FILENO);
  }
  if (target.starts_with("osc:")) {
    const UdpAddress to = resolveUdp(target.substr(4), remote, option);
    return makeUdpSender(to, [clock = WallClock()](const LiveFrame& frame) mutable {
      return oscBundles(frame, clock, kOscDatagram);
    });
  }
  if (target.starts_with("udp:")) {
    const UdpAddress to = resolveUdp(target.substr(4), remote, option);
    return makeUdpSender(to,
                         [](const LiveFrame& frame) { return jsonLines(frame, kJsonDatagram); });
  }
  throw UsageError(option +
                   " is no stream; use osc:[HOST:]PORT, udp:[HOST:]PORT or - (standard output)");
}

void Streams::take(const SessionFrame& frame) {
  if (streams_.empty()) return;
  auto live = std::make_shared<LiveFrame>();
  live->tracked = std::chrono::system_clock::now();
  live->epoch = frame.epoch;
  live->pass = frame.pass;
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const CameraFrame& camera = frame.cameras[i];
    if (!camera.measured.stamp) continue;
    const FrameStamp& stamp = *camera.measured.stamp;
    const double age = stamp.captured > 0 ? frame.tracked - stamp.captured : 0;
    live->cameras.push_back({static_cast<uint32_t>(i), stamp, camera.live, age});
  }
  if (live->cameras.empty()) return;
  for (const auto& stream : streams_) stream->push(live);
}

std::vector<StreamResult> Streams::finish() {
  std::vector<StreamResult> results;
  for (const auto& stream : streams_) results.push_back(stream->finish());
  return results;
}

}  // namespace glint
