#include "app/motion/calibrate/placing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "app/motion/calibrate/label.h"
#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Gates for calibrated cameras: distance of a dot (px), and error of the wand's length (share of
// it). Raising them accepts more wrong dots.
constexpr Gates kNear{3, 0.03};

/// Returns the transform to the world with this origin, with x along `along`, and with z as near to
/// `up` as is possible at right angles to x.
Pose worldFrom(const Eigen::Vector3d& origin, const Eigen::Vector3d& along,
               const Eigen::Vector3d& up) {
  Eigen::Matrix3d axes;
  const Eigen::Vector3d x = along.normalized();
  const Eigen::Vector3d z = (up - up.dot(x) * x).normalized();
  axes.row(0) = x.transpose();
  axes.row(1) = z.cross(x).transpose();
  axes.row(2) = z.transpose();
  return {rodriguesOf(axes), -axes * origin};
}

/// Returns the mean upward direction of the cameras, not normalised.
Eigen::Vector3d upOfCameras(const Rig& rig) {
  Eigen::Vector3d up = Eigen::Vector3d::Zero();
  for (const RigCamera& c : rig.cameras) up -= c.pose.matrix().row(1).transpose();
  return up;
}

std::vector<bool> allOf(const Rig& rig) {
  return std::vector<bool>(rig.cameras.size(), true);
}

Pose byWand(const Rig& rig, const LightRecording& recording, const Target& target) {
  // Stretch at the end of the recording in which the wand must rest: s, or frames if there are no
  // times. Raising them requires a longer rest.
  constexpr double kLast = 1, kLastFrames = 25;
  // Maximum motion of a resting wand, as a share of its length. Raising it accepts a wand that
  // moves.
  constexpr double kStill = 0.01;
  std::array<Eigen::Vector3d, 2> mean{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  std::vector<std::array<Eigen::Vector3d, 2>> seen;
  const double since = recording.moments.back().time - (recording.timed ? kLast : kLastFrames);
  for (auto m = recording.moments.rbegin(); m != recording.moments.rend() && m->time > since; ++m)
    if (const auto found = labelMoment(rig, allOf(rig), *m, target, kNear))
      seen.push_back({found->ends[0], found->ends[1]});
  if (seen.empty())
    throw Error("--origin wand: the wand is not to be seen in the last second of the recording");
  const double count = static_cast<double>(seen.size());
  for (const auto& ends : seen)
    for (size_t e = 0; e < 2; ++e) mean[e] += ends[e] / count;
  for (const auto& ends : seen)
    for (size_t e = 0; e < 2; ++e)
      if ((ends[e] - mean[e]).norm() > kStill * target.length)
        throw Error(
            "--origin wand: the wand moves in the last second of the recording; lay it down where "
            "the origin shall be, and end the recording a few seconds later");
  // The first end is the one nearer to the middle light: see Target.
  return worldFrom(mean[0], mean[1] - mean[0], upOfCameras(rig));
}

/// Returns the positions of all lights of a moment, without identifying them.
std::vector<Eigen::Vector3d> placesIn(const Rig& rig, Moment moment) {
  // Maximum number of positions to find. Three are wanted, so more are an error anyway.
  constexpr size_t kMost = 8;
  const Target light;
  std::vector<Eigen::Vector3d> places;
  while (places.size() < kMost) {
    const auto found = labelMoment(rig, allOf(rig), moment, light, kNear);
    if (!found) break;
    places.push_back(found->ends[0]);
    for (const LabelledDot& dot : found->dots) {
      auto& dots = moment.views[dot.camera].dots;
      dots.erase(dots.begin() + static_cast<std::ptrdiff_t>(dot.dot));
    }
  }
  return places;
}

Pose byMarkers(const Rig& rig, const Moment& moment, long frame) {
  // Maximum difference between the markers' angle and a right angle, rad. Raising it accepts
  // angles that are less right.
  constexpr double kOff = 20 * std::numbers::pi / 180;
  const auto places = placesIn(rig, moment);
  if (places.size() != 3)
    throw Error(
        fmt::format("--origin markers:{}: {} markers are seen by two cameras or more in "
                    "this frame; it takes three, at a right angle",
                    frame, places.size()));
  size_t corner = 0;
  double best = 2;
  for (size_t i = 0; i < 3; ++i) {
    const Eigen::Vector3d a = places[(i + 1) % 3] - places[i], b = places[(i + 2) % 3] - places[i];
    const double cosine = std::abs(a.normalized().dot(b.normalized()));
    if (cosine < best) best = cosine, corner = i;
  }
  if (best > std::sin(kOff))
    throw Error(fmt::format(
        "--origin markers:{}: the three markers of this frame form no right angle", frame));
  Eigen::Vector3d x = places[(corner + 1) % 3] - places[corner],
                  y = places[(corner + 2) % 3] - places[corner];
  if (y.norm() > x.norm()) std::swap(x, y);
  Eigen::Vector3d above = Eigen::Vector3d::Zero();
  for (const RigCamera& c : rig.cameras) above += c.pose.centre() - places[corner];
  Eigen::Vector3d up = x.cross(y);
  if (up.dot(above) < 0) up = -up;
  return worldFrom(places[corner], x, up);
}

}  // namespace

Placing parsePlacing(const std::string& origin, const std::string& up) {
  constexpr std::string_view kMarkers = "markers:";
  Placing placing;
  if (!up.empty()) placing.up = up.front();
  if (up.size() > 1 || (placing.up && *placing.up != 'z' && *placing.up != 'y'))
    throw UsageError(fmt::format("--up {}: it is z or y", up));
  if (origin == "wand") {
    placing.origin = Placing::Origin::wand;
  } else if (origin == "board") {
    placing.origin = Placing::Origin::board;
  } else if (origin.starts_with(kMarkers)) {
    placing.origin = Placing::Origin::markers;
    const char *const from = origin.data() + kMarkers.size(), *const end =
                                                                  origin.data() + origin.size();
    const auto [next, status] = std::from_chars(from, end, placing.frame);
    if (status != std::errc{} || next != end || placing.frame < 0)
      throw UsageError(fmt::format("--origin {}: write markers:FRAME, such as markers:0", origin));
  } else if (!origin.empty() && origin != "camera") {
    throw UsageError(
        fmt::format("--origin {} is unknown; it is camera, wand, board or markers:FRAME", origin));
  }
  return placing;
}

void checkPlacing(const Placing& placing, const Target& target) {
  using Origin = Placing::Origin;
  if (placing.origin == Origin::wand && target.lights.size() != 3)
    throw UsageError("--origin wand needs a wand of three lights (--wand A,B), whose ends differ");
  if (placing.origin == Origin::board && !target.isBoard)
    throw UsageError(fmt::format("--origin board is not for {}", target.name()));
  if (placing.origin == Origin::markers && target.isBoard)
    throw UsageError(
        fmt::format("--origin markers:{} is not for {}", placing.frame, target.name()));
}

Pose worldOf(const Calibration& calibration, const LightRecording& recording, const Target& target,
             const Placing& placing, std::optional<size_t> moment) {
  const Rig& rig = calibration.rig;
  Pose world;
  if (placing.origin == Placing::Origin::wand) {
    world = byWand(rig, recording, target);
  } else if (placing.origin == Placing::Origin::board) {
    world = *calibration.board;
    double above = 0;
    for (const RigCamera& c : rig.cameras) above += world.apply(c.pose.centre()).z();
    if (above < 0) world = then(world, {{std::numbers::pi, 0, 0}, {0, 0, 0}});
  } else if (placing.origin == Placing::Origin::markers) {
    if (!moment)
      throw Error(
          fmt::format("--origin markers:{}: no camera has points in this frame", placing.frame));
    world = byMarkers(rig, recording.moments[*moment], placing.frame);
  } else if (!placing.up) {
    return world;
  } else {
    world = worldFrom({0, 0, 0}, {1, 0, 0}, {0, -1, 0});
  }
  if (placing.up == 'y') world = then(world, {{-std::numbers::pi / 2, 0, 0}, {0, 0, 0}});
  return world;
}

}  // namespace glint::motion
