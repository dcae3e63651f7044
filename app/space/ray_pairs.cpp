#include "app/space/ray_pairs.h"

#include "app/geometry/rotation.h"

namespace glint {

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

std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair) {
  constexpr double kParallel = 1e-8;  // squared sine
  const SpaceCamera &a = rig[pair.cameraA], &b = rig[pair.cameraB];
  const Eigen::Vector3d u =
      (a.rotation().transpose() * dots.of(pair.cameraA)[pair.a].plane).normalized();
  const Eigen::Vector3d v =
      (b.rotation().transpose() * dots.of(pair.cameraB)[pair.b].plane).normalized();
  const Eigen::Vector3d base = b.centre() - a.centre();
  const double cosine = u.dot(v), sine2 = 1 - cosine * cosine;
  if (!(sine2 > kParallel)) return std::nullopt;
  const double s = (base.dot(u) - cosine * base.dot(v)) / sine2;
  const double t = (cosine * base.dot(u) - base.dot(v)) / sine2;
  if (!(s > 0 && t > 0)) return std::nullopt;
  return (a.centre() + s * u + b.centre() + t * v) / 2;
}

std::vector<RayPair> rayPairs(const SpaceRig& rig, const PairGeometry& geometry,
                              const DotIndex& dots) {
  constexpr double kGate = 4 * 4;
  std::vector<RayPair> pairs;
  struct Line {
    size_t dot;
    Eigen::Vector3d at;
    double scale;
  };
  std::vector<Line> lines;
  for (size_t a = 0; a < rig.size(); ++a) {
    for (size_t b = a + 1; b < rig.size(); ++b) {
      const Eigen::Matrix3d& matrix = geometry.between(a, b);
      lines.clear();  // of b's dots in a
      for (size_t j = 0; j < dots.of(b).size(); ++j) {
        const DotIndex::Place& place = dots.of(b)[j];
        if (place.used) continue;
        const Eigen::Vector3d line = matrix.transpose() * place.plane;
        lines.push_back({j, place.plane, line.head<2>().squaredNorm()});
      }
      for (size_t i = 0; i < dots.of(a).size(); ++i) {
        const DotIndex::Place& own = dots.of(a)[i];
        if (own.used) continue;
        const Eigen::Vector3d line = matrix * own.plane;
        const double scale = line.head<2>().squaredNorm();
        for (const Line& other : lines) {
          const double off = other.at.dot(line);
          const double variance =
              own.planeVariance * other.scale + dots.of(b)[other.dot].planeVariance * scale;
          if (!(off * off <= kGate * variance)) continue;
          const RayPair pair{a, b, i, other.dot};
          if (meeting(rig, dots, pair)) pairs.push_back(pair);
        }
      }
    }
  }
  return pairs;
}

}  // namespace glint
