#include "app/capture/synth/body.h"

#include <algorithm>

namespace glint::capture {
namespace {

using Vector = Eigen::Vector3d;

// A capsule in the frame of its segment.
struct CapsuleSpec {
  Segment segment;
  std::array<double, 3> a, b;
  double radius;
};

constexpr double kBase = 0.008;  // m: height of the stand between the surface and a ball

// A ball that stands on the surface `surface` metres from `axis`, in the direction `normal`.
struct MarkerSpec {
  Segment segment;
  std::array<double, 3> axis, normal;
  double surface;
};

// The parts of one side; the other side is their mirror image.
struct Side {
  Segment upperArm, forearm, hand, thigh, shin, foot;
  double left;  // 1 for the left side, -1 for the right one
};

constexpr std::array kSides{
    Side{leftUpperArm, leftForearm, leftHand, leftThigh, leftShin, leftFoot, 1},
    Side{rightUpperArm, rightForearm, rightHand, rightThigh, rightShin, rightFoot, -1}};

Vector vector(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

std::vector<CapsuleSpec> makeCapsules() {
  std::vector<CapsuleSpec> list{{pelvis, {0, 0.06, 0.02}, {0, -0.06, 0.02}, 0.105},
                                {pelvis, {0, 0, 0.05}, {0, 0, 0.18}, 0.105},
                                {chest, {0.01, 0.05, 0.03}, {0.01, 0.065, 0.17}, 0.10},
                                {chest, {0.01, -0.05, 0.03}, {0.01, -0.065, 0.17}, 0.10},
                                {chest, {0, 0.14, 0.235}, {0, -0.14, 0.235}, 0.05},
                                {head, {0, 0, -0.02}, {0, 0, 0.08}, 0.05},
                                {head, {0, 0, 0.13}, {0.01, 0, 0.16}, 0.09}};
  for (const Side& s : kSides) {
    list.push_back({s.upperArm, {0, 0, 0}, {0, 0, -joints::kUpperArm}, 0.042});
    list.push_back({s.forearm, {0, 0, 0}, {0, 0, -joints::kForearm}, 0.032});
    list.push_back({s.hand, {0, 0, -0.03}, {0.01, 0, -0.12}, 0.028});
    list.push_back({s.thigh, {0, 0, 0}, {0, 0, -joints::kThigh}, 0.062});
    list.push_back({s.shin, {0, 0, 0}, {0, 0, -joints::kShin}, 0.045});
    list.push_back({s.foot, {-0.03, 0, -0.05}, {0.13, 0, -0.055}, 0.028});
  }
  return list;
}

std::vector<MarkerSpec> makeMarkers() {
  std::vector<MarkerSpec> list;
  for (const Side& s : kSides) {
    const double y = s.left;
    list.insert(
        list.end(),
        {{head, {0.005, 0, 0.15}, {0.8, 0.75 * y, 0.25}, 0.09},                  // temple
         {head, {0.005, 0, 0.15}, {-0.8, 0.6 * y, 0.1}, 0.09},                   // back of the head
         {chest, {0, 0.14 * y, 0.235}, {0, 0.6 * y, 1}, 0.05},                   // shoulder
         {chest, {0.01, 0.058 * y, 0.10}, {0.9, 0.5 * y, 0}, 0.10},              // breast
         {chest, {0.01, 0.055 * y, 0.07}, {-0.9, 0.4 * y, 0}, 0.10},             // shoulder blade
         {pelvis, {0, 0.06 * y, 0.02}, {1, 0.7 * y, 0.5}, 0.105},                // hip, in front
         {pelvis, {0, 0.06 * y, 0.02}, {-1, 0.1 * y, 0.4}, 0.105},               // hip, behind
         {s.upperArm, {0, 0, -0.14}, {-0.35, y, 0}, 0.042},                      // upper arm
         {s.upperArm, {0, 0, -joints::kUpperArm + 0.02}, {-0.3, y, 0}, 0.042},   // elbow
         {s.forearm, {0, 0, -0.13}, {0.5, y, 0}, 0.032},                         // forearm
         {s.forearm, {0, 0, -joints::kForearm + 0.02}, {1, 0.2 * y, 0}, 0.032},  // wrist, thumb
         {s.forearm, {0, 0, -joints::kForearm + 0.02}, {-1, 0.3 * y, 0}, 0.032},  // wrist, outer
         {s.hand, {0.005, 0, -0.10}, {0.1, y, -0.3}, 0.028},                      // hand
         {s.thigh, {0, 0, -0.22}, {0.6, y, 0}, 0.062},                            // thigh
         {s.thigh, {0, 0, -joints::kThigh + 0.02}, {0.1, y, 0}, 0.062},           // knee
         {s.shin, {0, 0, -0.20}, {0.7, y, 0}, 0.045},                             // shin
         {s.shin, {0, 0, -joints::kShin + 0.02}, {-0.1, y, 0}, 0.045},            // ankle
         {s.foot, {-0.03, 0, -0.05}, {-1, 0.1 * y, 0.2}, 0.028},                  // heel
         {s.foot, {0.12, 0, -0.055}, {0.3, 0.4 * y, 1}, 0.028}});                 // toe
  }
  list.push_back({head, {0.01, 0, 0.16}, {0, 0, 1}, 0.09});    // crown
  list.push_back({chest, {0.01, 0, 0.19}, {1, 0, 0}, 0.075});  // breastbone
  list.push_back({chest, {0, 0, 0.24}, {-1, 0, 0.2}, 0.055});  // nape
  return list;
}

// Returns the squared distance between the line segments from p to q and from a to b, neither of
// which is a point; after Ericson, Real-Time Collision Detection (2005), 5.1.9.
double squaredDistance(const Vector& p, const Vector& q, const Vector& a, const Vector& b) {
  const Vector d1 = q - p, d2 = b - a, r = p - a;
  const double l1 = d1.squaredNorm(), l2 = d2.squaredNorm(), c = d1.dot(r), f = d2.dot(r);
  const double cross = d1.dot(d2), denominator = l1 * l2 - cross * cross;
  double s = denominator > 0 ? std::clamp((cross * f - c * l2) / denominator, 0.0, 1.0) : 0.0;
  double t = (cross * s + f) / l2;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((t * cross - c) / l1, 0.0, 1.0);
  }
  return (p + s * d1 - a - t * d2).squaredNorm();
}

}  // namespace

std::vector<Capsule> placeCapsules(const Skeleton& skeleton) {
  static const std::vector<CapsuleSpec> specs = makeCapsules();
  std::vector<Capsule> placed;
  for (const CapsuleSpec& spec : specs) {
    const Eigen::Isometry3d& at = skeleton[spec.segment];
    placed.push_back({spec.segment, at * vector(spec.a), at * vector(spec.b), spec.radius});
  }
  return placed;
}

std::vector<BodyMarker> placeMarkers(const Skeleton& skeleton, double diameter) {
  static const std::vector<MarkerSpec> specs = makeMarkers();
  std::vector<BodyMarker> placed;
  for (const MarkerSpec& spec : specs) {
    const Eigen::Isometry3d& at = skeleton[spec.segment];
    const Vector normal = vector(spec.normal).normalized();
    const Vector centre = vector(spec.axis) + (spec.surface + kBase + diameter / 2) * normal;
    placed.push_back({spec.segment, at * centre, at.linear() * normal});
  }
  return placed;
}

bool isHidden(const BodyMarker& marker, const std::vector<Capsule>& capsules,
              const Eigen::Vector3d& eye) {
  constexpr double cosFacing = -0.64;  // cosine of 130 degrees
  const Vector toEye = (eye - marker.position).normalized();
  if (marker.normal.dot(toEye) < cosFacing) return true;
  return std::ranges::any_of(capsules, [&](const Capsule& capsule) {
    return squaredDistance(marker.position, eye, capsule.a, capsule.b) <
           capsule.radius * capsule.radius;
  });
}

}  // namespace glint::capture
