#include "app/output/streams/stream.h"

#include <algorithm>
#include <array>
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
#include "app/output/streams/natnet_server.h"
#include "app/output/streams/opentrack.h"
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
    constexpr int kPatience = 20;  // ms, time between two checks of givenUp_
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

std::string optionOf(const std::string& target) {
  return fmt::format("--stream '{}'", target);
}

/// A target, split at the first colon.
struct Target {
  std::string kind;
  std::optional<std::string> place;
};

Target splitTarget(const std::string& target) {
  const size_t colon = target.find(':');
  if (colon == std::string::npos) return {target, std::nullopt};
  return {target.substr(0, colon), target.substr(colon + 1)};
}

std::unique_ptr<Sink> makeStandardOutput(const std::string& option) {
  // If standard output was closed, it was opened for reading at the start, so that no file takes
  // its number.
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
    throw Error(option + ": standard output is closed");
  return makePipeSink(STDOUT_FILENO);
}

std::unique_ptr<Sink> makeOsc(const UdpAddress& to) {
  return makeUdpSink(to, [clock = WallClock()](const motion::Frame& frame) mutable {
    return oscBundles(frame, clock, kOscDatagram);
  });
}

std::unique_ptr<Sink> makeOscSpace(const UdpAddress& to, const StreamAxes& axes) {
  return makeUdpSink(to, [clock = WallClock(), axes](const motion::Frame& frame) mutable {
    return oscSpaceBundles(frame, clock, axes, kOscDatagram);
  });
}

std::unique_ptr<Sink> makeJson(const UdpAddress& to) {
  return makeUdpSink(to,
                     [](const motion::Frame& frame) { return jsonLines(frame, kJsonDatagram); });
}

/// `target` is "opentrack[:HOST[:PORT]][#BODY]".
std::unique_ptr<Sink> makeOpentrack(const std::string& target, const StreamOptions& options) {
  const std::string option = optionOf(target);
  const size_t hash = target.find('#');
  const auto& bodies = *options.space.bodies;
  std::string body = bodies.front().name;
  if (hash != std::string::npos) body = target.substr(hash + 1);
  if (std::ranges::none_of(bodies, [&](const motion::Body& one) { return one.name == body; }))
    throw UsageError("{}: there is no body '{}'; the first one is '{}'", option, body,
                     bodies.front().name);
  std::string place = splitTarget(target.substr(0, hash)).place.value_or("127.0.0.1");
  const bool hasPort = place.find(':') != std::string::npos && !place.ends_with(']');
  if (!hasPort) place += fmt::format(":{}", kOpentrackPort);
  return makeUdpSink(resolveUdp(place, options.remote, option),
                     [body](const motion::Frame& frame) { return opentrackPoses(frame, body); });
}

}  // namespace

namespace {

struct TargetKind {
  std::string_view target, about;
};

constexpr std::array<TargetKind, 6> kTargetKinds{
    {{"osc:[HOST:]PORT", "markers, points and bodies, as Open Sound Control"},
     {"udp:[HOST:]PORT", "the same as JSON Lines"},
     {"-", "the same as JSON Lines, to standard output"},
     {"osc-space:[HOST:]PORT", "points and bodies as OSC, each with its address"},
     {"natnet[:ADDRESS[:PORT]]", "points and bodies as Motive sends them (NatNet)"},
     {"opentrack[:HOST[:PORT]][#BODY]", "the pose of a body for opentrack"}}};

}  // namespace

std::string describeStreams() {
  std::string text;
  for (const TargetKind& kind : kTargetKinds)
    text += fmt::format("  {:<31} {}\n", kind.target, kind.about);
  return text;
}

std::vector<std::string> streamBeginnings() {
  std::vector<std::string> all;
  for (const TargetKind& kind : kTargetKinds)
    all.emplace_back(kind.target.substr(0, kind.target.find('[')));
  return all;
}

void checkStreamNeeds(const std::string& target, bool rig, bool bodies) {
  const std::string kind = splitTarget(target.substr(0, target.find('#'))).kind;
  const bool one = kind == "opentrack";
  if ((kind == "natnet" || kind == "osc-space" || one) && !rig)
    throw UsageError("{} sends {} in space and needs --rig FILE, the cameras' places",
                     optionOf(target), one ? "a body" : "points and bodies");
  if (one && !bodies)
    throw UsageError("{} sends a body and needs --bodies FILE, which bodies there are",
                     optionOf(target));
}

std::unique_ptr<Sink> makeStream(const std::string& target, const StreamOptions& options) {
  const std::string option = optionOf(target);
  if (target == "-") return makeStandardOutput(option);
  const StreamedSpace& space = options.space;
  checkStreamNeeds(target, space.rig != nullptr, space.bodies != nullptr && !space.bodies->empty());
  const auto [kind, place] = splitTarget(target);
  if (splitTarget(target.substr(0, target.find('#'))).kind == "opentrack")
    return makeOpentrack(target, options);
  if (kind == "natnet")
    return makeNatnetServer(place.value_or(""), options.remote, option,
                            NatnetEncoder(space, StreamAxes(options.up.value_or(UpAxis::y))));
  if (kind == "osc" && place) return makeOsc(resolveUdp(*place, options.remote, option));
  if (kind == "udp" && place) return makeJson(resolveUdp(*place, options.remote, option));
  if (kind == "osc-space" && place)
    return makeOscSpace(resolveUdp(*place, options.remote, option),
                        StreamAxes(options.up.value_or(UpAxis::z)));
  throw UsageError(
      "{} is unknown; use osc:[HOST:]PORT, udp:[HOST:]PORT, osc-space:[HOST:]PORT, "
      "natnet[:ADDRESS[:PORT]], opentrack[:HOST[:PORT]][#BODY] or - (standard output)",
      option);
}

std::unique_ptr<Sink> makePipeSink(int file) {
  return std::make_unique<PipeSink>(file);
}

}  // namespace glint::output
