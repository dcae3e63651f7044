#include "app/motion/space/ray_pairs.h"

#include <array>

#include "app/motion/geometry/rotation.h"

namespace glint::motion {

PairGeometry::PairGeometry(const SpaceRig& rig)
    : cameras_(rig.size()), matrices_(rig.size() * rig.size()) {
  for (size_t a = 0; a < cameras_; ++a) {
    for (size_t b = a + 1; b < cameras_; ++b) {
      const Eigen::Matrix3d turn = rig[b].rotation() * rig[a].rotation().transpose();
      const Eigen::Vector3d step = rig[b].rotation() * (rig[a].centre() - rig[b].centre());
      matrices_[a * cameras_ + b] = crossMatrix(step.normalized()) * turn;
    }
  }
}

namespace {

/// From a camera along the ray of a dot, in the world.
Eigen::Vector3d directionOf(const SpaceCamera& camera, const DotIndex::Place& place) {
  return (camera.rotation().transpose() * place.plane).normalized();
}

/// How far along rays from two cameras the places are where these are nearest to each other; empty
/// where they are parallel or meet behind a camera.
std::optional<Eigen::Vector2d> depthsOf(const Eigen::Vector3d& base, const Eigen::Vector3d& u,
                                        const Eigen::Vector3d& v) {
  constexpr double kParallel = 1e-8;  // squared sine
  const double cosine = u.dot(v), sine2 = 1 - cosine * cosine;
  if (!(sine2 > kParallel)) return std::nullopt;
  const double s = (base.dot(u) - cosine * base.dot(v)) / sine2;
  const double t = (cosine * base.dot(u) - base.dot(v)) / sine2;
  if (!(s > 0 && t > 0)) return std::nullopt;
  return Eigen::Vector2d(s, t);
}

}  // namespace

std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair) {
  const SpaceCamera &a = rig[pair.cameraA], &b = rig[pair.cameraB];
  const Eigen::Vector3d u = directionOf(a, dots.of(pair.cameraA)[pair.a]);
  const Eigen::Vector3d v = directionOf(b, dots.of(pair.cameraB)[pair.b]);
  const auto depths = depthsOf(b.centre() - a.centre(), u, v);
  if (!depths) return std::nullopt;
  return (a.centre() + depths->x() * u + b.centre() + depths->y() * v) / 2;
}

namespace {

constexpr size_t kBlock = 8;  // most pairs are none: that is found for so many at once

}  // namespace

void RayPairs::Lines::add(const Eigen::Vector3d& plane, double ofLine, double ofDot) {
  a.push_back(plane.x());
  b.push_back(plane.y());
  scale.push_back(ofLine);
  variance.push_back(ofDot);
}

void RayPairs::Lines::fill(const DotIndex& dots, size_t camera, const Eigen::Matrix3d& matrix) {
  for (auto* column : {&a, &b, &scale, &variance}) column->clear();
  dot.clear();
  for (size_t j = 0; j < dots.of(camera).size(); ++j) {
    const DotIndex::Place& place = dots.of(camera)[j];
    if (place.used) continue;
    dot.push_back(j);
    add(place.plane, (matrix.transpose() * place.plane).head<2>().squaredNorm(),
        place.planeVariance);
  }
  while (a.size() % kBlock != 0) add({0, 0, 1}, -1, -1);  // in no gate
}

/// Calls take(dot) for those in the gate of a line, of the other camera's dot `own`.
void RayPairs::Lines::near(const Eigen::Vector3d& line, const DotIndex::Place& own,
                           const auto& take) const {
  constexpr double kGate = 4 * 4;
  const double x = line.x(), y = line.y(), z = line.z();
  const double square = line.head<2>().squaredNorm(), ownVariance = own.planeVariance;
  for (size_t first = 0; first < a.size(); first += kBlock) {
    const double *as = &a[first], *bs = &b[first], *scales = &scale[first],
                 *others = &variance[first];
    std::array<double, kBlock> margin;
    double most = -1;
    for (size_t k = 0; k < kBlock; ++k) {
      const double off = as[k] * x + bs[k] * y + z;
      margin[k] = kGate * (ownVariance * scales[k] + others[k] * square) - off * off;
      most = margin[k] > most ? margin[k] : most;
    }
    if (most < 0) continue;
    for (size_t k = 0; k < kBlock; ++k)
      if (margin[k] >= 0) take(dot[first + k]);
  }
}

RayPairs::RayPairs(const SpaceRig& rig, const PairGeometry& geometry, const DotIndex& dots)
    : rig_(rig), geometry_(geometry), dots_(dots), directions_(rig.size()) {
  size_t before = 0;
  for (size_t c = 0; c < rig.size(); ++c) {
    size_t free = 0;
    for (const DotIndex::Place& place : dots.of(c)) {
      directions_[c].push_back(place.used ? Eigen::Vector3d::Zero() : directionOf(rig[c], place));
      free += !place.used;
    }
    all_ += before * free;
    before += free;
  }
}

void RayPairs::find(size_t a, size_t b, std::vector<RayPair>& pairs) {
  const size_t before = pairs.size();
  const Eigen::Matrix3d& matrix = geometry_.between(a, b);
  const Eigen::Vector3d base = rig_[b].centre() - rig_[a].centre();
  lines_.fill(dots_, b, matrix);
  for (size_t i = 0; i < dots_.of(a).size(); ++i) {
    const DotIndex::Place& own = dots_.of(a)[i];
    if (own.used) continue;
    tested_ += lines_.dot.size();
    lines_.near(matrix * own.plane, own, [&](size_t j) {
      if (depthsOf(base, directions_[a][i], directions_[b][j])) pairs.push_back({a, b, i, j});
    });
  }
  found_ += pairs.size() - before;
}

double RayPairs::expected() const {
  if (tested_ == 0) return 0;
  return static_cast<double>(found_) * (static_cast<double>(all_) / static_cast<double>(tested_));
}

}  // namespace glint::motion
