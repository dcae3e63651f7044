// Feeds made-up points and a body to a NatNet server, as a session does.
// natnet_feed PORT POINTS RATE
//
// It says "ready", and then reads lines from standard input: "go N" sends N frames, RATE a second,
// and says "sent" once all have left. At the end of the input it says how many frames were sent and
// dropped, and what the server says about its clients.
//
// Frame n has the points i = 1 ... POINTS at (10 i + n / 4, -5 i, 1000 + n / 2) mm. Every seventh
// point is predicted. The body "tool" is at (n, 2 n, 500) mm and turned by 90 degrees about z; its
// marker "c" is hidden.

#include <chrono>
#include <cstdio>
#include <iostream>
#include <numbers>
#include <sstream>
#include <string>
#include <thread>

#include "app/motion/space/space_row.h"
#include "app/output/sinks/newest_queue.h"
#include "app/output/streams/stream.h"

namespace {

using namespace glint;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns three cameras at z = 0 that look along z, 500 mm apart, with a focal length of 1000 px.
motion::Rig makeRig() {
  motion::Rig rig;
  rig.exact = true;
  for (int i = 0; i < 3; ++i) {
    motion::RigCamera camera;
    camera.name = "cam " + std::to_string(i);
    camera.width = 1280;
    camera.height = 720;
    camera.lens.fx = camera.lens.fy = 1000;
    camera.lens.cx = 640;
    camera.lens.cy = 360;
    camera.pose.translation = {-500.0 * i, 0, 0};
    rig.cameras.push_back(camera);
  }
  return rig;
}

motion::Body makeBody() {
  return {.name = "tool", .markers = {{"a", {0, 0, 0}}, {"b", {100, 0, 0}}, {"c", {0, 50, 0}}}};
}

motion::FramePtr makeFrame(uint64_t n, double rate, size_t points) {
  const auto number = static_cast<double>(n);
  motion::SpaceFrame space;
  space.frame = n;
  space.time = number / rate;
  motion::PoseRow& pose = space.poses.emplace_back();
  pose.body = "tool";
  pose.at = {number, 2 * number, 500};
  pose.attitude = Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ());
  pose.residual = 0.25;
  for (size_t i = 1; i <= points; ++i) {
    motion::SpaceRow& row = space.now.emplace_back();
    const auto place = static_cast<double>(i);
    row.point = i;
    row.at = {10 * place + number / 4, -5 * place, 1000 + number / 2};
    row.state = i % 7 == 0 ? motion::TrackState::predicted : motion::TrackState::measured;
    row.cameras = 3;
    row.residual = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.5;
  }
  const motion::Body body = makeBody();
  for (size_t i = 0; i < 2; ++i) {
    motion::SpaceRow& row = space.now.emplace_back();
    row.point = points + 1 + i;
    row.at = pose.at + pose.attitude * body.markers[i].at;
    row.body = body.name;
    row.label = body.markers[i].label;
  }
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(n);
  frame->cameras.emplace_back().measured.stamp = gpu::FrameStamp{};
  frame->cameras[0].measured.stamp->sequence = FrameNumber(n);
  frame->results.put(std::move(space));
  frame->tracked = now();
  return frame;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: natnet_feed PORT POINTS RATE\n");
    return 2;
  }
  const size_t points = std::stoul(arguments[2]);
  const double rate = std::stod(arguments[3]);
  const std::string target = std::string("natnet:127.0.0.1:") + arguments[1];
  output::StreamedSpace space{
      std::make_shared<const motion::SpaceRig>(makeRig()),
      std::make_shared<const std::vector<motion::Body>>(std::vector{makeBody()})};
  output::NewestQueue stream(1, target, output::makeStream(target, {.space = space}));
  std::cout << "ready" << std::endl;
  uint64_t n = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    uint64_t frames = 0;
    words >> word >> frames;
    auto due = std::chrono::steady_clock::now();
    const auto interval = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(1 / rate));
    for (uint64_t i = 0; i < frames; ++i) {
      std::this_thread::sleep_until(due);
      stream.push(makeFrame(n++, rate, points));
      due += interval;
    }
    while (stream.status().frames + stream.status().dropped < n)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::cout << "sent" << std::endl;
  }
  const output::SinkStatus status = stream.finish();
  std::cout << status.frames << ' ' << status.dropped << ' ' << status.state << '|'
            << status.problem << std::endl;
}
