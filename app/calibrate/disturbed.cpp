#include "app/calibrate/disturbed.h"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "app/calibrate/equation.h"

namespace glint {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Normal equations of a camera's pose over a stretch of time.
struct PoseNormal {
  Eigen::Matrix<double, 6, 6> matrix = Eigen::Matrix<double, 6, 6>::Zero();
  Vector6 right = Vector6::Zero();
  double chi2 = 0;
  size_t sights = 0;

  PoseNormal& operator+=(const PoseNormal& other) {
    matrix += other.matrix;
    right += other.right;
    chi2 += other.chi2;
    sights += other.sights;
    return *this;
  }
  Vector6 change() const { return matrix.ldlt().solve(right); }
  double gain() const { return right.dot(change()); }
};

constexpr size_t kParts = 16;  // of the recording

/// By camera, then part.
std::vector<std::vector<PoseNormal>> normalsOf(const Bundle& bundle,
                                               const LightRecording& recording) {
  std::vector<std::vector<PoseNormal>> normals(bundle.cameras.size(),
                                               std::vector<PoseNormal>(kParts));
  for (const BundleSight& s : bundle.sights) {
    const BundleItem& item = bundle.items[s.item];
    const BundleCamera& camera = bundle.cameras[s.camera];
    const auto ends = endsOf(item);
    Equation e;
    if (!equationOf(s, item, camera.lens, camera.pose, camera.timeOffset, ends.data(), e, true))
      continue;
    PoseNormal one;
    one.matrix = e.pose.transpose() * e.pose;
    one.right = -e.pose.transpose() * e.residual;
    one.chi2 = e.residual.squaredNorm();
    one.sights = 1;
    normals[s.camera][item.moment * kParts / recording.moments.size()] += one;
  }
  return normals;
}

}  // namespace

std::optional<MovedCamera> findMoved(const Bundle& bundle, const LightRecording& recording) {
  constexpr size_t kLeast = 20;    // sights on either side
  constexpr double kShare = 0.04;  // of a camera's squares: chance explains 3 / sights
  constexpr double kSure = 60;     // mean squares, for six numbers
  std::optional<MovedCamera> found;
  double most = 0;
  const auto normals = normalsOf(bundle, recording);
  for (size_t c = 0; c < normals.size(); ++c) {
    PoseNormal all;
    for (const PoseNormal& part : normals[c]) all += part;
    PoseNormal before;
    for (size_t part = 0; part + 1 < kParts; ++part) {
      before += normals[c][part];
      PoseNormal after;
      for (size_t later = part + 1; later < kParts; ++later) after += normals[c][later];
      if (before.sights < kLeast || after.sights < kLeast) continue;
      const double gain = before.gain() + after.gain() - all.gain();
      const double mean = all.chi2 / (2 * static_cast<double>(all.sights));
      if (!(gain > kSure * mean && gain > kShare * all.chi2 && gain > most)) continue;
      most = gain;
      const Vector6 move = after.change() - before.change();
      double sigma = 0;
      for (const BundleSight& s : bundle.sights)
        if (s.camera == c) sigma += s.sigma.mean() / static_cast<double>(all.sights);
      found = MovedCamera{
          c, recording.moments[(part + 1) * recording.moments.size() / kParts].time,
          sigma * std::sqrt(move.dot(all.matrix * move) / static_cast<double>(all.sights))};
    }
  }
  return found;
}

}  // namespace glint
