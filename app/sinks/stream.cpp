#include "app/sinks/stream.h"

#include <chrono>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/sinks/pipe_stream.h"
#include "app/sinks/tables.h"
#include "app/sinks/udp_stream.h"
#include "config/error.h"

namespace glint {
namespace {

// One Ethernet frame less the headers of IPv6 and UDP: no datagram is sent in fragments, of which
// each may be lost, and all OSC receivers have room for it.
constexpr size_t kOscDatagram = 1452;
// A frame of some 300 markers in one piece; UDP ends at 65,507.
constexpr size_t kJsonDatagram = 60'000;

constexpr std::string_view kEnd = "]}\n";

std::string lineHead(const Frame& frame, size_t camera) {
  const CameraFrame& own = frame.cameras[camera];
  const FrameStamp& stamp = *own.measured.stamp;
  std::string head =
      fmt::format("{{\"camera\":{},\"frame\":{},\"time_s\":", camera, stamp.sequence);
  head += std::isfinite(stamp.time) ? fmt::format("{:.6f}", stamp.time) : "null";
  const double age = stamp.captured > 0 ? frame.tracked - stamp.captured : 0;
  if (age > 0) put(head, ",\"age_ms\":{:.3f}", 1e3 * age);
  put(head, ",\"epoch\":{},\"pass\":{}", frame.epoch, frame.pass);
  if (frame.provisional()) head += ",\"provisional\":true";
  put(head, ",\"count\":{},\"markers\":[", own.tracks.size());
  return head;
}

/// When a frame's tracks were known, s since 1970.
double wallTimeOf(const Frame& frame) {
  using Seconds = std::chrono::duration<double>;
  const Seconds now = std::chrono::system_clock::now().time_since_epoch();
  const Seconds steady = std::chrono::steady_clock::now().time_since_epoch();
  return frame.tracked > 0 ? (now - (steady - Seconds(frame.tracked))).count() : now.count();
}

}  // namespace

std::vector<std::string> jsonLines(const Frame& frame, size_t limit) {
  std::vector<std::string> lines;
  for (size_t camera = 0; camera < frame.cameras.size(); ++camera) {
    if (!frame.cameras[camera].measured.stamp) continue;
    const std::string head = lineHead(frame, camera);
    std::string line = head;
    for (const TrackRow& track : frame.cameras[camera].tracks) {
      std::string marker = "{";
      appendJson(marker, TracksTable::columns(), {camera, track, false}, "track");
      marker += '}';
      if (line.size() > head.size()) {
        if (line.size() + 1 + marker.size() + kEnd.size() > limit) {
          lines.push_back(line.append(kEnd));
          line = head;
        } else {
          line += ',';
        }
      }
      line += marker;
    }
    lines.push_back(line.append(kEnd));
  }
  return lines;
}

std::unique_ptr<Sink> makeStream(const std::string& target, bool remote) {
  const std::string option = fmt::format("--stream '{}'", target);
  if (target == "-") {
    // A closed one was opened for reading at the start, so that no file takes its number.
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      throw Error(option + ": standard output is closed");
    return makePipeStream(STDOUT_FILENO);
  }
  if (target.starts_with("osc:")) {
    return makeUdpStream(resolveUdp(target.substr(4), remote, option),
                         [clock = WallClock()](const Frame& frame) mutable {
                           return oscBundles(frame, wallTimeOf(frame), clock, kOscDatagram);
                         });
  }
  if (target.starts_with("udp:")) {
    return makeUdpStream(resolveUdp(target.substr(4), remote, option),
                         [](const Frame& frame) { return jsonLines(frame, kJsonDatagram); });
  }
  throw UsageError(option +
                   " is no stream; use osc:[HOST:]PORT, udp:[HOST:]PORT or - (standard output)");
}

}  // namespace glint
