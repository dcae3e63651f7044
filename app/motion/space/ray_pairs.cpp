#include "app/motion/space/ray_pairs.h"

#include <array>

#include "app/motion/geometry/triangulate.h"

namespace glint::motion {

namespace {

// Returns the direction of a dot's ray in the world.
Eigen::Vector3d directionOf(const SpaceCamera& camera, const DotIndex::Place& place) {
  return (camera.rotation().transpose() * place.plane).normalized();
}

// Squared sine between two rays up to which they count as parallel. Raising it rejects more pairs
// of rays.
constexpr double kParallelRays = 1e-8;

// Number of dots that are tested together. Most dots are far from a line, so whole blocks can be
// skipped.
constexpr size_t kBlock = 8;

}  // namespace

std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair) {
  const SpaceCamera &a = rig[pair.cameraA], &b = rig[pair.cameraB];
  const Eigen::Vector3d u = directionOf(a, dots.of(pair.cameraA)[pair.a]);
  const Eigen::Vector3d v = directionOf(b, dots.of(pair.cameraB)[pair.b]);
  const auto depths = nearestDepths(b.centre() - a.centre(), u, v, kParallelRays);
  if (!depths) return std::nullopt;
  return (a.centre() + depths->x() * u + b.centre() + depths->y() * v) / 2;
}

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
  // Fills up the last block with dots that are in no gate.
  while (a.size() % kBlock != 0) add({0, 0, 1}, -1, -1);
}

// Calls take(dot) for each dot within the gate of an epipolar line. `own` is the other camera's dot
// that the line belongs to.
void RayPairs::Lines::near(const Eigen::Vector3d& line, const DotIndex::Place& own, double gate,
                           const auto& take) const {
  const double x = line.x(), y = line.y(), z = line.z();
  const double square = line.head<2>().squaredNorm(), ownVariance = own.planeVariance;
  for (size_t first = 0; first < a.size(); first += kBlock) {
    const double *as = &a[first], *bs = &b[first], *scales = &scale[first],
                 *others = &variance[first];
    std::array<double, kBlock> margin;
    double most = -1;
    for (size_t k = 0; k < kBlock; ++k) {
      const double off = as[k] * x + bs[k] * y + z;
      margin[k] = gate * gate * (ownVariance * scales[k] + others[k] * square) - off * off;
      most = margin[k] > most ? margin[k] : most;
    }
    if (most < 0) continue;
    for (size_t k = 0; k < kBlock; ++k)
      if (margin[k] >= 0) take(dot[first + k]);
  }
}

RayPairs::RayPairs(const SpaceRig& rig, const DotIndex& dots, double gate)
    : rig_(rig), dots_(dots), gate_(gate), directions_(rig.size()) {
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
  const Eigen::Matrix3d& matrix = rig_.epipolar(a, b);
  const Eigen::Vector3d base = rig_[b].centre() - rig_[a].centre();
  lines_.fill(dots_, b, matrix);
  for (size_t i = 0; i < dots_.of(a).size(); ++i) {
    const DotIndex::Place& own = dots_.of(a)[i];
    if (own.used) continue;
    tested_ += lines_.dot.size();
    lines_.near(matrix * own.plane, own, gate_, [&](size_t j) {
      if (nearestDepths(base, directions_[a][i], directions_[b][j], kParallelRays))
        pairs.push_back({a, b, i, j});
    });
  }
  found_ += pairs.size() - before;
}

double RayPairs::expected() const {
  if (tested_ == 0) return 0;
  return static_cast<double>(found_) * (static_cast<double>(all_) / static_cast<double>(tested_));
}

}  // namespace glint::motion
