// Tests points and poses in streams: JSON Lines and OSC of one set.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include <gtest/gtest.h>
#include <lo/lo.h>
#include <nlohmann/json.hpp>

#include "app/motion/space/space_row.h"
#include "app/output/streams/frame_encodings.h"
#include "app/output/streams/opentrack.h"
#include "tests/app/osc_arguments.h"

namespace glint {
namespace {

/// Returns set 12 of a session, with points and one pose, but without cameras.
motion::Frame spaceFrame(size_t points) {
  motion::SpaceFrame space;
  space.frame = 12;
  space.time = 0.25;
  for (size_t i = 0; i < points; ++i) {
    motion::SpaceRow& row = space.now.emplace_back();
    row.frame = 12;
    row.point = i + 1;
    row.at = {1.5 * double(i), -2, 3};
    row.state = i % 2 ? motion::TrackState::predicted : motion::TrackState::measured;
    row.body = i == 0 ? "tool" : "";
  }
  motion::PoseRow& pose = space.poses.emplace_back();
  pose.frame = 12;
  pose.body = "tool";
  pose.at = {10, 20, -30};
  pose.attitude = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  pose.markers = 2;
  pose.state = motion::PoseState::partial;
  pose.flags = motion::kFitsAnotherPose;
  motion::Frame frame;
  frame.set = SetIndex(12);
  frame.results.put(std::move(space));
  return frame;
}

TEST(SpaceStream, JsonLinesHavePointsThenPoses) {
  const auto lines = output::jsonLines(spaceFrame(400), 20000);
  ASSERT_GT(lines.size(), 3U);
  size_t next = 1;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_LE(lines[i].size(), 20000U);
    const auto line = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(line.at("frame"), 12);
    EXPECT_EQ(line.at("time_s"), 0.25);
    EXPECT_EQ(line.at("count"), 400);
    for (const auto& point : line.at("points")) {
      EXPECT_EQ(point.at("point"), next);
      EXPECT_EQ(point.at("x_mm"), 1.5 * double(next - 1));
      EXPECT_EQ(point.at("body"), next == 1 ? "tool" : "");
      EXPECT_FALSE(point.contains("frame"));
      ++next;
    }
  }
  EXPECT_EQ(next, 401U);
  const auto line = nlohmann::json::parse(lines.back());
  EXPECT_EQ(line.at("count"), 1);
  const auto& pose = line.at("poses").at(0);
  EXPECT_EQ(pose.at("body"), "tool");
  EXPECT_EQ(pose.at("z_mm"), -30);
  EXPECT_EQ(pose.at("qy"), -0.5);
  EXPECT_EQ(pose.at("state"), "partial");
  EXPECT_EQ(pose.at("flags"), 1);
  motion::Frame nothingSeen = spaceFrame(1);
  nothingSeen.results.put(motion::SpaceFrame());
  EXPECT_TRUE(output::jsonLines(nothingSeen, 20000).empty());
}

TEST(SpaceStream, AForetoldPoseComesAlone) {
  motion::Frame frame = spaceFrame(3);
  motion::SpaceFrame space = *frame.results.get<motion::SpaceFrame>();
  space.frame.reset();  // No camera sees anything in this set.
  frame.results.put(std::move(space));
  const auto lines = output::jsonLines(frame, 20000);
  ASSERT_EQ(lines.size(), 1U);
  const auto line = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(line.at("frame"), 12);
  EXPECT_EQ(line.at("time_s"), 0.25);
  EXPECT_EQ(line.at("poses").size(), 1U);
  output::WallClock clock;
  EXPECT_EQ(output::oscBundles(frame, clock, 1452).size(), 1U);
}

struct OscMessage {
  std::string path, types;
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

std::vector<OscMessage> messagesOf(const std::string& bundle) {
  std::vector<OscMessage> all;
  for (size_t at = 16; at < bundle.size();) {
    uint32_t size = 0;
    for (size_t k = 0; k < 4; ++k) size = size << 8 | static_cast<uint8_t>(bundle[at + k]);
    std::string bytes = bundle.substr(at + 4, size);
    at += 4 + size;
    int result = 0;
    const lo_message message = lo_message_deserialise(bytes.data(), bytes.size(), &result);
    EXPECT_EQ(result, 0);
    OscMessage& one = all.emplace_back();
    one.path = lo_get_path(bytes.data(), static_cast<ssize_t>(bytes.size()));
    one.types = lo_message_get_types(message);
    for (size_t k = 0; k < one.types.size(); ++k) {
      const lo_arg* argument = lo_message_get_argv(message)[k];
      if (one.types[k] == LO_STRING)
        one.texts.push_back(test::textOf(argument));
      else if (one.types[k] == LO_INT32)
        one.numbers.push_back(test::valueOf<int32_t>(argument));
      else if (one.types[k] == LO_FLOAT)
        one.numbers.push_back(static_cast<double>(test::valueOf<float>(argument)));
      else
        ADD_FAILURE() << "an argument of type " << one.types[k];
    }
    lo_message_free(message);
  }
  return all;
}

TEST(SpaceStream, OscBundlesHavePointsThenPoses) {
  output::WallClock clock;
  size_t points = 0, poses = 0;
  for (const std::string& bundle : output::oscBundles(spaceFrame(100), clock, 1452)) {
    EXPECT_LE(bundle.size(), 1452U);
    const auto messages = messagesOf(bundle);
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages[0].path, "/glint/set");
    EXPECT_EQ(messages[0].types, "ifii");
    EXPECT_EQ(messages[0].numbers, (std::vector<double>{12, 0.25, 100, 1}));
    for (size_t i = 1; i < messages.size(); ++i) {
      const OscMessage& one = messages[i];
      if (one.path == "/glint/pose") {
        ++poses;
        EXPECT_EQ(one.types, "sfffffffsi");
        EXPECT_EQ(one.numbers, (std::vector<double>{10, 20, -30, 0.5, -0.5, 0.5, 0.5, 1}));
        EXPECT_EQ(one.texts, (std::vector<std::string>{"tool", "partial"}));
        continue;
      }
      EXPECT_EQ(one.path, "/glint/point");
      EXPECT_EQ(one.types, "ifffs");
      EXPECT_EQ(one.numbers[0], double(++points));
      EXPECT_EQ(one.numbers[1], 1.5 * double(points - 1));
      EXPECT_EQ(one.texts[0], points % 2 ? "measured" : "predicted");
    }
  }
  EXPECT_EQ(points, 100U);
  EXPECT_EQ(poses, 1U);
}

/// Returns the numbers of each address in all bundles. The address must not come twice, except for
/// the one that all bundles begin with.
std::map<std::string, std::vector<double>> numbersByAddress(const motion::Frame& frame,
                                                            output::UpAxis up) {
  std::map<std::string, std::vector<double>> numbers;
  output::WallClock clock;
  for (const std::string& bundle :
       output::oscSpaceBundles(frame, clock, output::StreamAxes(up), 1452)) {
    EXPECT_LE(bundle.size(), 1452U);
    for (const OscMessage& one : messagesOf(bundle)) {
      EXPECT_TRUE(one.texts.empty()) << one.path;
      const bool isNew = numbers.emplace(one.path, one.numbers).second;
      EXPECT_TRUE(isNew || one.path == "/glint/number") << one.path;
    }
  }
  return numbers;
}

TEST(SpaceStream, EachBodyAndPointHasAnAddressOfItsOwn) {
  motion::Frame frame = spaceFrame(100);
  motion::SpaceFrame space = *frame.results.get<motion::SpaceFrame>();
  space.now[0].label = "left tip/1";
  space.poses[0].attitude = Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ());
  space.poses[0].state = motion::PoseState::measured;
  frame.results.put(std::move(space));
  for (const bool yUp : {false, true}) {
    const auto numbers = numbersByAddress(frame, yUp ? output::UpAxis::y : output::UpAxis::z);
    EXPECT_EQ(numbers.size(), 1U + 100U + 5U);
    const auto expectAt = [&](const std::string& address, const std::vector<double>& expected) {
      ASSERT_TRUE(numbers.contains(address)) << address;
      ASSERT_EQ(numbers.at(address).size(), expected.size()) << address;
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(numbers.at(address)[i], expected[i], 1e-5) << address;
    };
    const auto place = [&](double x, double y, double z) {
      return yUp ? std::vector{x, z, -y} : std::vector{x, y, z};
    };
    expectAt("/glint/number", {12});
    expectAt("/glint/body/tool/position", place(0.01, 0.02, -0.03));
    expectAt("/glint/body/tool/tracked", {1});
    const double half = std::sqrt(0.5);
    expectAt("/glint/body/tool/quaternion",
             yUp ? std::vector<double>{0, half, 0, half} : std::vector<double>{0, 0, half, half});
    expectAt("/glint/body/tool/quaternion_wxyz",
             yUp ? std::vector<double>{half, 0, half, 0} : std::vector<double>{half, 0, 0, half});
    if (!yUp) expectAt("/glint/body/tool/euler", {0, 0, 90});
    expectAt("/glint/marker/tool/left_tip_1", place(0, -0.002, 0.003));
    expectAt("/glint/point/2", place(0.0015, -0.002, 0.003));
  }
}

TEST(SpaceStream, AnglesTurnAboutXThenYThenZ) {
  motion::Frame frame = spaceFrame(0);
  const double x = 0.3, y = -0.7, z = 2.1;  // rad
  motion::SpaceFrame space = *frame.results.get<motion::SpaceFrame>();
  space.poses[0].attitude = Eigen::AngleAxisd(z, Eigen::Vector3d::UnitZ()) *
                            Eigen::AngleAxisd(y, Eigen::Vector3d::UnitY()) *
                            Eigen::AngleAxisd(x, Eigen::Vector3d::UnitX());
  frame.results.put(std::move(space));
  const auto angles = numbersByAddress(frame, output::UpAxis::z).at("/glint/body/tool/euler");
  const double degrees = 180 / std::numbers::pi;
  EXPECT_NEAR(angles.at(0), x * degrees, 1e-4);
  EXPECT_NEAR(angles.at(1), y * degrees, 1e-4);
  EXPECT_NEAR(angles.at(2), z * degrees, 1e-4);
}

/// Returns the six numbers of a datagram for opentrack.
std::array<double, 6> opentrackNumbers(const std::string& datagram) {
  std::array<double, 6> numbers{};
  EXPECT_EQ(datagram.size(), sizeof numbers);
  std::memcpy(numbers.data(), datagram.data(), std::min(datagram.size(), sizeof numbers));
  return numbers;
}

/// Returns what opentrack gets for a body at (10, 20, -30) mm with this attitude.
std::array<double, 6> opentrackOf(const Eigen::Quaterniond& attitude) {
  motion::Frame frame = spaceFrame(0);
  motion::SpaceFrame space = *frame.results.get<motion::SpaceFrame>();
  space.poses[0].attitude = attitude;
  frame.results.put(std::move(space));
  const auto datagrams = output::opentrackPoses(frame, "tool");
  EXPECT_EQ(datagrams.size(), 1U);
  return opentrackNumbers(datagrams.at(0));
}

TEST(Opentrack, GetsCentimetresAndDegrees) {
  const auto still = opentrackOf(Eigen::Quaterniond::Identity());
  const std::array expected{1.0, -3.0, -2.0, 0.0, 0.0, 0.0};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(still[i], expected[i], 1e-12) << i;
  EXPECT_TRUE(output::opentrackPoses(spaceFrame(0), "another").empty());
}

// A head that looks along y turns to the left about z, up about x, and leans to the right about y.
TEST(Opentrack, YawIsLeftPitchIsUpAndRollIsRight) {
  const double radians = std::numbers::pi / 180;
  const double yaw = 40, pitch = -25, roll = 65;
  const Eigen::AngleAxisd left(yaw * radians, Eigen::Vector3d::UnitZ());
  const Eigen::AngleAxisd upwards(pitch * radians, Eigen::Vector3d::UnitX());
  const Eigen::AngleAxisd rightwards(roll * radians, Eigen::Vector3d::UnitY());
  EXPECT_NEAR(opentrackOf(Eigen::Quaterniond(left))[3], yaw, 1e-9);
  EXPECT_NEAR(opentrackOf(Eigen::Quaterniond(upwards))[4], pitch, 1e-9);
  EXPECT_NEAR(opentrackOf(Eigen::Quaterniond(rightwards))[5], roll, 1e-9);
  const auto all = opentrackOf(left * upwards * rightwards);
  EXPECT_NEAR(all[3], yaw, 1e-9);
  EXPECT_NEAR(all[4], pitch, 1e-9);
  EXPECT_NEAR(all[5], roll, 1e-9);
}

}  // namespace
}  // namespace glint
