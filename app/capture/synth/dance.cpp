#include "app/capture/synth/dance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/capture/synth/random.h"

namespace glint::capture {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;

constexpr double kSpeed = 0.6;        // m/s
constexpr double kStrideGoal = 0.95;  // m: length of two steps, roughly
constexpr double stance = 0.6;  // share of a stride in which a foot stands (Perry, Gait Analysis)
constexpr double kPathX = 0.95, kPathY = 0.35;  // m, half axes of the figure of eight
constexpr size_t kPathSteps = 2048;

Matrix3d aboutX(double angle) {
  return AngleAxisd(angle, Vector::UnitX()).toRotationMatrix();
}
Matrix3d aboutY(double angle) {
  return AngleAxisd(angle, Vector::UnitY()).toRotationMatrix();
}
Matrix3d aboutZ(double angle) {
  return AngleAxisd(angle, Vector::UnitZ()).toRotationMatrix();
}

Isometry3d frame(const Matrix3d& rotation, const Vector& origin) {
  Isometry3d result = Isometry3d::Identity();
  result.linear() = rotation;
  result.translation() = origin;
  return result;
}

// Rises from 0 to 1 with slope 0 at both ends.
double ease(double u) {
  const double c = std::clamp(u, 0.0, 1.0);
  return c * c * (3 - 2 * c);
}

// Returns the pitch of the foot at the share `u` of a stride, positive with the toes down: heel
// strike, flat, heel off, swing.
double footPitch(double u) {
  struct Key {
    double at, angle;
  };
  constexpr std::array keys{
      Key{0, -12 * kDegree},    Key{0.1, 0},          Key{0.38, 0}, Key{0.6, 38 * kDegree},
      Key{0.85, -12 * kDegree}, Key{1, -12 * kDegree}};
  size_t i = 1;
  while (i + 1 < keys.size() && u > keys[i].at) ++i;
  const double blend = ease((u - keys[i - 1].at) / (keys[i].at - keys[i - 1].at));
  return keys[i - 1].angle + blend * (keys[i].angle - keys[i - 1].angle);
}

// Returns the knee between hip and ankle, bent towards `forward`. If the ankle is out of reach, it
// is drawn nearer.
Vector bendKnee(const Vector& hip, Vector& ankle, const Vector& forward) {
  const Vector leg = ankle - hip;
  const double reach = std::min(leg.norm(), 0.999 * (joints::kThigh + joints::kShin));
  const Vector axis = leg.normalized();
  ankle = hip + reach * axis;
  const double along =
      (joints::kThigh * joints::kThigh - joints::kShin * joints::kShin + reach * reach) /
      (2 * reach);
  const double out = std::sqrt(std::max(joints::kThigh * joints::kThigh - along * along, 0.0));
  return hip + along * axis + out * (forward - forward.dot(axis) * axis).normalized();
}

// Returns the frame of a limb from joint `from` to joint `to`, with its y axis near `left`.
Isometry3d limb(const Vector& from, const Vector& to, const Vector& left) {
  Matrix3d rotation;
  rotation.col(2) = (from - to).normalized();
  rotation.col(0) = left.cross(rotation.col(2)).normalized();
  rotation.col(1) = rotation.col(2).cross(rotation.col(0));
  return frame(rotation, from);
}

}  // namespace

WalkPath::WalkPath() : lengths_(kPathSteps + 1) {
  const auto at = [](size_t i) {
    const double t = kTurn * static_cast<double>(i) / kPathSteps;
    return Eigen::Vector2d(kPathX * std::sin(t), kPathY * std::sin(2 * t));
  };
  for (size_t i = 1; i <= kPathSteps; ++i)
    lengths_[i] = lengths_[i - 1] + (at(i) - at(i - 1)).norm();
}

double WalkPath::parameter(double travelled) const {
  const double inLap = travelled - length() * std::floor(travelled / length());
  const auto above = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, inLap);
  const auto i = static_cast<double>(above - lengths_.begin() - 1);
  return kTurn * (i + (inLap - above[-1]) / (above[0] - above[-1])) / kPathSteps;
}

Eigen::Vector2d WalkPath::position(double travelled) const {
  const double t = parameter(travelled);
  return {kPathX * std::sin(t), kPathY * std::sin(2 * t)};
}

double WalkPath::heading(double travelled) const {
  const double t = parameter(travelled);
  return std::atan2(2 * kPathY * std::cos(2 * t), kPathX * std::cos(t));
}

Dance::Dance(uint64_t seed)
    : stride_(path_.length() / std::round(path_.length() / kStrideGoal)), start_(0) {
  const uint64_t key = hashKey({seed, 'd'});
  start_ = path_.length() * uniformAt(key, 0);
  constexpr std::array hertz{0.31, 0.23, 0.41, 0.19, 0.16};
  for (size_t i = 0; i < phases_.size(); ++i) {
    phases_[i] = kTurn * uniformAt(key, 1 + 2 * i);
    rates_[i] = kTurn * hertz[i] * (0.9 + 0.2 * uniformAt(key, 2 + 2 * i));
  }
}

Dance::Gesture Dance::gesture(double time) const {
  const auto wave = [&](size_t i) { return std::sin(rates_[i] * time + phases_[i]); };
  const auto raise = [&](size_t i) { return ease(0.5 + 0.7 * wave(i)); };
  return {9 * kDegree * wave(0), 16 * kDegree * wave(1), 10 * kDegree * wave(2), raise(3),
          raise(4)};
}

Skeleton Dance::pose(double time) const {
  const double travelled = start_ + kSpeed * time;
  const double swing = std::cos(kTurn * travelled / stride_);  // 1 with the left leg in front
  const Gesture dance = gesture(time);
  Skeleton body;
  poseTrunk(body, travelled, dance);
  poseArm(body, true, -swing, dance.leftRaise);
  poseArm(body, false, swing, dance.rightRaise);
  poseLeg(body, true, travelled);
  poseLeg(body, false, travelled);
  return body;
}

void Dance::poseTrunk(Skeleton& body, double travelled, const Gesture& dance) const {
  const double u = travelled / stride_;
  const double middle =
      kTurn * (u - stance / 2 + 0.5);  // 0.5 turns: the left foot is in mid stance
  const double height = 0.882 - 0.016 * std::cos(kTurn * 2 * (u - 0.05));  // lowest on both feet
  const double side = -0.025 * std::cos(middle);                           // over the standing foot
  const double yaw = 6 * kDegree * std::cos(kTurn * u);

  const Matrix3d walk = aboutZ(path_.heading(travelled));
  const Eigen::Vector2d ground = path_.position(travelled);
  const Vector origin = Vector(ground.x(), ground.y(), height) + walk * Vector(0, side, 0);
  const Matrix3d hips = walk * aboutZ(-yaw) * aboutX(0.3 * dance.sway);
  body[pelvis] = frame(hips, origin);

  const Matrix3d ribs =
      walk * aboutZ(1.3 * yaw + dance.twist) * aboutY(4 * kDegree) * aboutX(dance.sway);
  body[chest] = frame(ribs, body[pelvis] * Vector(0, 0, joints::kWaist));
  const Matrix3d skull = walk * aboutZ(0.6 * dance.twist) * aboutY(dance.nod);
  body[head] = frame(skull, body[chest] * Vector(0, 0, joints::kNeck));
}

void Dance::poseArm(Skeleton& body, bool left, double swing, double raise) const {
  const double side = left ? 1 : -1;
  const Segment upper = left ? leftUpperArm : rightUpperArm;
  const Segment fore = left ? leftForearm : rightForearm;
  const Segment hand = left ? leftHand : rightHand;
  const double flexion = 28 * kDegree * swing * (1 - 0.7 * raise) + 12 * kDegree * raise;
  const double abduction = (14 + 80 * raise) * kDegree;
  const double elbow = (22 + 40 * raise) * kDegree + 12 * kDegree * swing * (1 - raise);

  const Matrix3d shoulder = body[chest].linear() * aboutX(side * abduction) * aboutY(-flexion) *
                            aboutZ(side * 25 * kDegree * raise);
  body[upper] = frame(
      shoulder, body[chest] * Vector(0, side * joints::kShoulderSide, joints::kShoulderHeight));
  const Matrix3d bent = shoulder * aboutY(-elbow);
  body[fore] = frame(bent, body[upper] * Vector(0, 0, -joints::kUpperArm));
  body[hand] = frame(bent * aboutY(-8 * kDegree), body[fore] * Vector(0, 0, -joints::kForearm));
}

void Dance::poseLeg(Skeleton& body, bool left, double travelled) const {
  const double side = left ? 1 : -1;
  const Segment thigh = left ? leftThigh : rightThigh;
  const Segment shin = left ? leftShin : rightShin;
  const Segment foot = left ? leftFoot : rightFoot;

  // A foot stands on its print, over which the pelvis passes at mid stance, and then swings to the
  // next print.
  const double strides = travelled / stride_ + (left ? 0 : 0.5);
  const double count = std::floor(strides), u = strides - count;
  const double swing = (u - stance) / (1 - stance);  // below 0 while the foot stands
  const double print = (count + stance / 2 - (left ? 0 : 0.5) + ease(swing)) * stride_;
  const double lift = swing > 0 ? 0.07 * std::pow(std::sin(std::numbers::pi * swing), 2) : 0;
  const double pitch = footPitch(u);

  const Matrix3d facing = aboutZ(path_.heading(print));
  const Eigen::Vector2d ground = path_.position(print);
  // The foot rolls about its heel while the toes are up and about its ball while they are down.
  const Vector pivot(pitch > 0 ? 0.12 : -0.04, 0, -joints::kAnkleHeight);
  const Vector rolled = pivot - aboutY(pitch) * pivot;
  Vector ankle = Vector(ground.x(), ground.y(), joints::kAnkleHeight + lift) +
                 facing * (Vector(0, side * joints::kHipSide, 0) + rolled);

  const Vector hip = body[pelvis] * Vector(0, side * joints::kHipSide, 0);
  const Vector leftward = body[pelvis].linear().col(1) + facing.col(1);
  const Vector forward = body[pelvis].linear().col(0) + facing.col(0);
  const Vector knee = bendKnee(hip, ankle, forward);
  body[thigh] = limb(hip, knee, leftward);
  body[shin] = limb(knee, ankle, leftward);
  body[foot] = frame(facing * aboutY(pitch), ankle);
}

}  // namespace glint::capture
