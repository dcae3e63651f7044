// Tests streams as their receivers see them: with liblo's own server, UDP sockets and pipes.
#include "app/output/streams/stream.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <lo/lo.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/output/sinks/newest_queue.h"
#include "app/output/streams/frame_encodings.h"
#include "app/output/streams/udp.h"
#include "config/error.h"
#include "tests/app/frames.h"
#include "tests/app/osc_arguments.h"

namespace glint {
namespace {

using Json = nlohmann::json;
using test::textOf;
using test::valueOf;
using namespace std::chrono_literals;

constexpr uint64_t kFrames = 400;  // These frames last 2 s at 200 frames per second.

/// Enlarges the receive buffer, for the time in which a busy machine does not run the receiver.
void growReceiveBuffer(int socket) {
  constexpr int kBytes = 4 << 20;
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &kBytes, sizeof kBytes) != 0)
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kBytes, sizeof kBytes);
}

/// Returns marker `i` of a frame. Every value depends on both and is written exactly by "%.3f".
motion::TrackRow markerOf(uint64_t frame, size_t i) {
  motion::TrackRow row;
  row.frame = FrameNumber(frame);
  row.time = static_cast<double>(frame) * 0.005;
  row.track = TrackId(i + 1);
  row.state = (frame + i) % 7 == 0 ? motion::TrackState::predicted : motion::TrackState::measured;
  row.x = static_cast<double>(i) * 3 + static_cast<double>(frame % 8) / 8;
  row.y = static_cast<double>(frame) / 4;
  row.vx = -1.5;
  row.seen.radius = 2.5 + static_cast<double>(i % 4) / 4;
  row.seen.flags = 4;
  return row;
}

double monotonicNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::shared_ptr<motion::Frame> frameOf(uint64_t frame, size_t markers, size_t cameras = 1) {
  auto all = std::make_shared<motion::Frame>();
  all->tracked = monotonicNow();
  for (size_t camera = 0; camera < cameras; ++camera) {
    motion::CameraFrame& one = all->cameras.emplace_back();
    one.measured.stamp = stampOf(frame, static_cast<double>(frame) * 0.005);
    for (size_t i = 0; i < markers; ++i) one.tracks.push_back(markerOf(frame, i));
  }
  return all;
}

/// Streams that all get every frame, as in a session.
class Streams {
 public:
  explicit Streams(const std::vector<std::string>& targets, bool remote = false) {
    for (const std::string& target : targets)
      streams_.push_back(std::make_unique<output::NewestQueue>(
          1, target, output::makeStream(target, {.remote = remote})));
  }
  void take(const motion::FramePtr& frame) {
    for (const auto& stream : streams_) stream->push(frame);
  }
  std::vector<output::SinkStatus> finish() {
    std::vector<output::SinkStatus> all;
    for (const auto& stream : streams_) all.push_back(stream->finish());
    return all;
  }

 private:
  std::vector<std::unique_ptr<output::NewestQueue>> streams_;
};

/// Pushes frames at 200 per second, and never several at once.
void pushPaced(Streams& streams, size_t markers, size_t cameras) {
  auto due = std::chrono::steady_clock::now();
  for (uint64_t frame = 0; frame < kFrames; ++frame) {
    std::this_thread::sleep_until(due);
    streams.take(frameOf(frame, markers, cameras));
    due = std::max(due, std::chrono::steady_clock::now()) + 5ms;
  }
}

/// A UDP socket on a free port of the loopback interface.
class UdpReceiver {
 public:
  UdpReceiver() : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, any, size), 0);
    EXPECT_EQ(::getsockname(socket_, any, &size), 0);
    port_ = ntohs(address.sin_port);
    growReceiveBuffer(socket_);
    const timeval patience{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~UdpReceiver() { ::close(socket_); }

  int port() const { return port_; }

  /// Returns the next datagram, or an empty text if none came for a second.
  std::string receive() const {
    std::string bytes(65536, '\0');
    const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
    bytes.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return bytes;
  }

 private:
  int socket_;
  int port_ = 0;
};

void expectMarker(const Json& marker, uint64_t frame, size_t i) {
  const motion::TrackRow row = markerOf(frame, i);
  EXPECT_EQ(marker.at("track"), row.track.value());
  EXPECT_EQ(marker.at("state"),
            row.state == motion::TrackState::measured ? "measured" : "predicted");
  EXPECT_EQ(marker.at("x"), row.x);
  EXPECT_EQ(marker.at("y"), row.y);
  EXPECT_EQ(marker.at("vx"), row.vx);
  EXPECT_EQ(marker.at("radius"), row.seen.radius);
  EXPECT_EQ(marker.at("flags"), row.seen.flags);
}

TEST(JsonStream, AReceiverGetsEveryFrameAt200FramesASecond) {
  constexpr size_t kMarkers = 20;
  const UdpReceiver receiver;
  Streams streams({"udp:" + std::to_string(receiver.port())});
  const std::jthread camera([&] {
    pushPaced(streams, kMarkers, 1);
    const output::SinkStatus report = streams.finish().at(0);
    EXPECT_EQ(report.frames, kFrames);
    EXPECT_EQ(report.dropped, 0U);
    EXPECT_EQ(report.problem, "");
  });
  for (uint64_t n = 0; n < kFrames; ++n) {
    const std::string datagram = receiver.receive();
    ASSERT_FALSE(datagram.empty()) << "after " << n;
    const Json line = Json::parse(datagram);
    EXPECT_EQ(line.at("camera"), 0);
    ASSERT_EQ(line.at("frame"), n);
    EXPECT_DOUBLE_EQ(line.at("time_s").get<double>(), static_cast<double>(n) * 0.005);
    EXPECT_EQ(line.at("count"), kMarkers);
    ASSERT_EQ(line.at("markers").size(), kMarkers);
    for (size_t i = 0; i < kMarkers; ++i) expectMarker(line["markers"][i], n, i);
  }
}

/// A server of liblo on a thread of its own, with what its handlers received.
struct OscReceiver {
  struct Frame {
    int count = 0;
    double time = 0, tag = 0;  // s
    std::map<int, std::string> markers;
  };

  OscReceiver() {
    server = lo_server_thread_new(
        nullptr, [](int, const char* text, const char*) { ADD_FAILURE() << text; });
    lo_server_thread_add_method(server, "/glint/frame", "iifi", onFrame, this);
    lo_server_thread_add_method(server, "/glint/marker", "iifffs", onMarker, this);
    lo_server_thread_add_method(server, nullptr, nullptr, onOther, this);
    growReceiveBuffer(lo_server_get_socket_fd(lo_server_thread_get_server(server)));
    lo_server_thread_start(server);
  }
  ~OscReceiver() { stop(); }
  void stop() {
    if (server != nullptr) lo_server_thread_free(std::exchange(server, nullptr));
  }
  int port() const { return lo_server_thread_get_port(server); }
  /// Waits until so many markers have come, or none for five seconds.
  void waitFor(size_t wanted) const {
    for (size_t seen = 0, still = 0; markers < wanted && still < 500;
         std::this_thread::sleep_for(10ms)) {
      still = markers == seen ? still + 1 : 0;
      seen = markers;
    }
  }

  static int onFrame(const char*, const char*, lo_arg** a, int, lo_message message, void* self) {
    auto& me = *static_cast<OscReceiver*>(self);
    me.camera = valueOf<int>(a[0]);
    me.current = valueOf<int>(a[1]);
    Frame& frame = me.frames[{me.camera, me.current}];
    frame.time = static_cast<double>(valueOf<float>(a[2]));
    frame.count = valueOf<int>(a[3]);
    const lo_timetag tag = lo_message_get_timestamp(message);
    frame.tag = static_cast<double>(tag.sec) + static_cast<double>(tag.frac) / 4294967296.0;
    return 0;
  }
  static int onMarker(const char*, const char*, lo_arg** a, int, lo_message, void* self) {
    auto& me = *static_cast<OscReceiver*>(self);
    EXPECT_EQ(valueOf<int>(a[0]), me.camera);
    const auto frame = static_cast<uint64_t>(me.current);
    const motion::TrackRow row = markerOf(frame, static_cast<size_t>(valueOf<int>(a[1]) - 1));
    EXPECT_EQ(valueOf<float>(a[2]), static_cast<float>(row.x));
    EXPECT_EQ(valueOf<float>(a[3]), static_cast<float>(row.y));
    EXPECT_EQ(valueOf<float>(a[4]), static_cast<float>(row.seen.radius));
    EXPECT_EQ(textOf(a[5]), row.state == motion::TrackState::measured ? "measured" : "predicted");
    me.frames[{me.camera, me.current}].markers[valueOf<int>(a[1])] = textOf(a[5]);
    ++me.markers;
    return 0;
  }
  static int onOther(const char* path, const char* types, lo_arg**, int, lo_message, void*) {
    ADD_FAILURE() << path << ' ' << types;
    return 0;
  }

  lo_server_thread server = nullptr;
  int camera = -1, current = -1;
  std::map<std::pair<int, int>, Frame> frames;  // The frames by camera and frame number.
  std::atomic<size_t> markers = 0;
};

TEST(OscStream, AReceiverGetsEveryFrameAt200FramesASecond) {
  constexpr size_t kMarkers = 20, kCameras = 2;
  OscReceiver receiver;
  Streams streams({"osc:127.0.0.1:" + std::to_string(receiver.port())}, false);
  pushPaced(streams, kMarkers, kCameras);
  const output::SinkStatus report = streams.finish().at(0);
  EXPECT_EQ(report.frames, kFrames);
  EXPECT_EQ(report.dropped, 0U);
  receiver.waitFor(kFrames * kMarkers * kCameras);
  receiver.stop();
  ASSERT_EQ(receiver.frames.size(), kFrames * kCameras);
  for (const auto& [key, frame] : receiver.frames) {
    EXPECT_EQ(frame.count, static_cast<int>(kMarkers));
    EXPECT_EQ(frame.markers.size(), kMarkers);
    EXPECT_EQ(frame.time, static_cast<double>(static_cast<float>(key.second * 0.005)));
    // The time tags follow the frames' times, not the times of sending.
    const double first = receiver.frames.at({0, 0}).tag;
    EXPECT_NEAR(frame.tag - first, key.second * 0.005, 1e-3);
  }
}

TEST(OscStream, AFrameOf500MarkersArrivesWhole) {
  OscReceiver receiver;
  Streams streams({"osc:" + std::to_string(receiver.port())}, false);
  for (uint64_t frame = 0; frame < 3; ++frame) streams.take(frameOf(frame, 500));
  EXPECT_EQ(streams.finish().at(0).frames, 3U);
  receiver.waitFor(1500);
  receiver.stop();
  ASSERT_EQ(receiver.frames.size(), 3U);
  for (const auto& [key, frame] : receiver.frames) {
    EXPECT_EQ(frame.count, 500);
    EXPECT_EQ(frame.markers.size(), 500U);
  }
}

TEST(OscStream, BundlesFitTheLimitAndAnEmptyFrameIsOneBundle) {
  output::WallClock clock;
  const auto bundles = output::oscBundles(*frameOf(7, 500), clock, 1452);
  for (const std::string& bundle : bundles) {
    EXPECT_LE(bundle.size(), 1452U);
    EXPECT_GT(bundle.size(), &bundle == &bundles.back() ? 0U : 1452U - 64) << "they are filled";
    EXPECT_EQ(bundle.substr(0, 8), std::string("#bundle\0", 8));
    EXPECT_EQ(bundle.substr(20, 12), "/glint/frame");
  }
  EXPECT_EQ(output::oscBundles(*frameOf(7, 0), clock, 1452).size(), 1U);
}

TEST(OscStream, TimeTagsKeepTheSourcesPaceAndAreNeverInTheFuture) {
  output::WallClock clock;
  EXPECT_NEAR(clock.at(5, 1000), 1000, 1e-5);
  EXPECT_NEAR(clock.at(6, 1001.3), 1001, 1e-5) << "tracked late";
  EXPECT_NEAR(clock.at(8, 1002.5), 1002.5, 1e-5) << "tracked faster than the source's time";
  EXPECT_NEAR(clock.at(9, 1004), 1003.5, 1e-5) << "the new, shorter delay";
}

TEST(JsonStream, AFrameOf500MarkersArrivesWhole) {
  const UdpReceiver receiver;
  Streams streams({"udp:127.0.0.1:" + std::to_string(receiver.port())}, false);
  streams.take(frameOf(3, 500));
  EXPECT_EQ(streams.finish().at(0).frames, 1U);
  std::set<uint64_t> tracks;
  size_t parts = 0;
  for (; tracks.size() < 500; ++parts) {
    const std::string datagram = receiver.receive();
    ASSERT_FALSE(datagram.empty());
    EXPECT_LE(datagram.size(), 60000U);
    const Json line = Json::parse(datagram);
    EXPECT_EQ(line.at("frame"), 3U);
    EXPECT_EQ(line.at("count"), 500U);
    for (const Json& marker : line.at("markers")) {
      const auto track = marker.at("track").get<uint64_t>();
      expectMarker(marker, 3, track - 1);
      EXPECT_TRUE(tracks.insert(track).second) << track << " twice";
    }
  }
  EXPECT_GT(parts, 1U);
}

TEST(JsonStream, WhatIsNoNumberIsNull) {
  const auto frame = frameOf(0, 1);
  frame->cameras[0].tracks[0].seen.sigmaX = std::numeric_limits<double>::infinity();
  frame->cameras[0].tracks[0].vy = std::nan("");
  const Json marker = Json::parse(output::jsonLines(*frame, 60000).at(0)).at("markers").at(0);
  EXPECT_TRUE(marker.at("sigma_x").is_null());
  EXPECT_TRUE(marker.at("vy").is_null());
  EXPECT_EQ(marker.at("sigma_y"), 0);
}

TEST(UdpStream, AReceiverThatIsNotThereIsNoFailure) {
  std::string port;
  {
    const UdpReceiver gone;
    port = std::to_string(gone.port());
  }
  Streams streams({"udp:" + port, "osc:" + port}, false);
  for (uint64_t frame = 0; frame < 300; ++frame) {
    streams.take(frameOf(frame, 5));
    if (frame % 30 == 0) std::this_thread::sleep_for(5ms);
  }
  for (const output::SinkStatus& report : streams.finish()) {
    EXPECT_EQ(report.frames + report.dropped, 300U);
    EXPECT_GT(report.frames, 0U);
    EXPECT_EQ(report.problem, "");
  }
}

TEST(UdpStream, OneReceiverThatNeverReadsCostsAnotherNothing) {
  const UdpReceiver deaf, reader;
  Streams streams({"udp:" + std::to_string(deaf.port()), "udp:" + std::to_string(reader.port())},
                  false);
  for (uint64_t frame = 0; frame < 2000; ++frame) {
    streams.take(frameOf(frame, 20));
    ASSERT_EQ(Json::parse(reader.receive()).at("frame"), frame);
  }
  for (const output::SinkStatus& report : streams.finish())
    EXPECT_EQ(report.frames + report.dropped, 2000U);
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~Pipe() {
    closeReader();
    ::close(ends[1]);
  }
  void closeReader() {
    if (ends[0] >= 0) ::close(std::exchange(ends[0], -1));
  }
  /// Returns all that is in the pipe now.
  std::string drain() const {
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string text(1 << 20, '\0');
    const ssize_t size = ::read(ends[0], text.data(), text.size());
    text.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return text;
  }
  int ends[2] = {-1, -1};
};

TEST(PipeStream, AReaderThatNeverReadsNeitherSlowsNorGrowsTheRun) {
  const Pipe pipe;
  output::NewestQueue stream(1, "-", output::makePipeSink(pipe.ends[1]));
  std::vector<std::weak_ptr<const motion::Frame>> pushed;
  for (uint64_t frame = 0; frame < 10000; ++frame) {
    const motion::FramePtr one = frameOf(frame, 20);
    pushed.push_back(one);
    stream.push(one);
  }
  const auto alive =
      std::count_if(pushed.begin(), pushed.end(), [](const auto& one) { return !one.expired(); });
  EXPECT_LE(alive, static_cast<ptrdiff_t>(output::NewestQueue::kCapacity) + 1)
      << "the queue and the one being sent";
  const output::SinkStatus report = stream.finish();
  EXPECT_EQ(report.frames + report.dropped, 10000U);
  EXPECT_GT(report.dropped, 9000U);
  EXPECT_NE(report.problem, "");
  // The reader got whole lines, except perhaps for the last.
  const std::string text = pipe.drain();
  std::istringstream lines(text.substr(0, text.rfind('\n')));
  uint64_t whole = 0;
  for (std::string line; std::getline(lines, line); ++whole)
    EXPECT_EQ(Json::parse(line).at("count"), 20U);
  EXPECT_EQ(whole, report.frames);
}

TEST(PipeStream, AReaderThatHasGoneIsToldAndEndsNothing) {
  Pipe pipe;
  pipe.closeReader();
  output::NewestQueue stream(1, "-", output::makePipeSink(pipe.ends[1]));
  for (uint64_t frame = 0; frame < 10; ++frame) stream.push(frameOf(frame, 3));
  const output::SinkStatus report = stream.finish();
  EXPECT_EQ(report.frames, 0U);
  EXPECT_EQ(report.dropped, 10U);
  EXPECT_EQ(report.problem, "its reader has closed it");
}

TEST(PipeStream, WhatIsQueuedAtTheEndIsStillSent) {
  const Pipe pipe;
  output::NewestQueue stream(1, "-", output::makePipeSink(pipe.ends[1]));
  for (uint64_t frame = 0; frame < output::NewestQueue::kCapacity; ++frame)
    stream.push(frameOf(frame, 1));
  EXPECT_EQ(stream.finish().frames, output::NewestQueue::kCapacity);
  const std::string text = pipe.drain();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            static_cast<ptrdiff_t>(output::NewestQueue::kCapacity));
}

// An exception in a stream's thread ends that stream, and the report names it.
TEST(Streams, OneThatThrowsEndsAloneAndTellsWhy) {
  struct Greedy : output::Sink {
    void accept(const motion::FramePtr& frame) override {
      if (frame->cameras[0].measured.stamp->sequence == 3) throw std::bad_alloc();
    }
  };
  output::NewestQueue greedy(7, "greedy", std::make_unique<Greedy>());
  const UdpReceiver receiver;
  Streams others({"udp:" + std::to_string(receiver.port())});
  for (uint64_t n = 0; n < 10; ++n) {
    const auto frame = frameOf(n, 2);
    greedy.push(frame);
    others.take(frame);
  }
  const output::SinkStatus status = greedy.finish();
  EXPECT_EQ(status.id, 7U);
  EXPECT_EQ(status.frames, 3U);
  EXPECT_EQ(status.dropped, 7U);
  EXPECT_TRUE(status.failed && status.finished);
  EXPECT_NE(status.problem, "");
  EXPECT_EQ(others.finish().at(0).frames, 10U);
}

TEST(Streams, ProvisionalIdsAreMarkedInEachFrame) {
  const auto frame = frameOf(3, 40);
  EXPECT_EQ(output::jsonLines(*frame, 60000).at(0).find("provisional"), std::string::npos);
  output::WallClock clock;
  for (const std::string& bundle : output::oscBundles(*frame, clock, 1452))
    EXPECT_EQ(bundle.find("/glint/provisional"), std::string::npos);
  frame->knowledge = motion::TrackKnowledge::provisional;
  EXPECT_EQ(Json::parse(output::jsonLines(*frame, 60000).at(0)).at("provisional"), true);
  for (const std::string& bundle : output::oscBundles(*frame, clock, 1452)) {
    EXPECT_NE(bundle.find("/glint/provisional"), std::string::npos);
    EXPECT_LE(bundle.size(), 1452U);
  }
}

TEST(Streams, AnEndedCameraIsLeftOut) {
  const UdpReceiver receiver;
  Streams streams({"udp:" + std::to_string(receiver.port())}, false);
  const auto frame = frameOf(4, 2, 2);
  frame->cameras[0].measured.stamp.reset();
  streams.take(frame);
  streams.take(std::make_shared<motion::Frame>());  // This is the last frame of a session.
  EXPECT_EQ(streams.finish().at(0).frames, 1U);
  EXPECT_EQ(Json::parse(receiver.receive()).at("camera"), 1);
}

TEST(Streams, WrongTargetsAreRefusedWithTheReason) {
  const auto refusal = [](const std::string& target) -> std::string {
    try {
      output::makeStream(target, {});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* target : {"", "osc", "tcp:9000", "-x", "OSC:9000"})
    EXPECT_NE(refusal(target).find("osc:[HOST:]PORT"), std::string::npos) << target;
  for (const char* target :
       {"osc:", "osc:0", "udp:65536", "udp:-1", "udp:9000x", "osc:127.0.0.1:", "osc:127.0.0.1"})
    EXPECT_NE(refusal(target).find("1 to 65535"), std::string::npos) << target;
  for (const char* target : {"udp:::1:9000", "udp::9000"})
    EXPECT_NE(refusal(target).find("brackets"), std::string::npos) << target;
  for (const char* target : {"udp:192.0.2.1:9000", "osc:255.255.255.255:9000", "udp:0.0.0.0:9000"})
    EXPECT_NE(refusal(target).find("--stream-remote"), std::string::npos) << target;
  EXPECT_NO_THROW(output::makeStream("udp:192.0.2.1:9000", {.remote = true}));
  for (const char* target : {"osc:localhost:9000", "udp:127.1.2.3:1"})
    EXPECT_NO_THROW(output::makeStream(target, {}));
}

/// Returns the connected UDP sockets of this process: their own addresses and those of their
/// receivers.
std::vector<std::pair<sockaddr_in, sockaddr_in>> connectedSockets() {
  std::vector<std::pair<sockaddr_in, sockaddr_in>> found;
  for (int file = 0; file < 256; ++file) {
    sockaddr_in own{}, peer{};
    socklen_t size = sizeof own, peerSize = sizeof peer;
    if (::getsockname(file, reinterpret_cast<sockaddr*>(&own), &size) != 0) continue;
    if (::getpeername(file, reinterpret_cast<sockaddr*>(&peer), &peerSize) == 0)
      found.emplace_back(own, peer);
  }
  return found;
}

// An unbound socket would be bound to all addresses with its first datagram, and would accept
// datagrams from anybody.
TEST(UdpStream, ItsSocketIsOpenToItsReceiverOnly) {
  const UdpReceiver receiver;
  const auto sender = output::makeUdpSink(
      output::resolveUdp(std::to_string(receiver.port()), false, "--stream"),
      [](const motion::Frame&) { return std::vector<std::string>{"a datagram"}; });
  sender->accept(frameOf(0, 0));
  const auto sockets = connectedSockets();
  ASSERT_EQ(sockets.size(), 1U);
  EXPECT_EQ(ntohl(sockets[0].first.sin_addr.s_addr), INADDR_LOOPBACK);
  EXPECT_EQ(ntohs(sockets[0].second.sin_port), receiver.port());
}

TEST(UdpStream, NamesOfOtherMachinesAreNotLookedUp) {
  for (const char* target : {"no-such-host.invalid:9000", "example.org:9000", "192.0.2.1:9000"}) {
    try {
      output::resolveUdp(target, false, "--stream");
      FAIL() << target;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("--stream-remote"), std::string::npos);
    }
  }
  EXPECT_NO_THROW(output::resolveUdp("localhost:9000", false, "--stream"));
  EXPECT_NO_THROW(output::resolveUdp("[::1]:9000", false, "--stream"));
}

}  // namespace
}  // namespace glint
