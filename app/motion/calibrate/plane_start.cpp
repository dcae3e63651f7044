#include "app/motion/calibrate/plane_start.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>
#include <opencv2/calib3d.hpp>

#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

using Points = std::vector<cv::Point2d>;

/// Returns the undistorted places of pixels. There are fewer of them if the lens has no ray for
/// some.
Points undistorted(const Lens& lens, const std::vector<Eigen::Vector2d>& pixels) {
  Points points;
  for (const Eigen::Vector2d& pixel : pixels)
    if (const auto at = undistort(lens, pixel)) points.emplace_back(at->x(), at->y());
  return points;
}

/// Returns the sum over the ends of the squared error of the homography.
double offBy(const cv::Matx33d& homography, const Points& first, const Points& second) {
  double sum = 0;
  for (size_t e = 0; e < first.size(); ++e) {
    const cv::Vec3d to = homography * cv::Vec3d(first[e].x, first[e].y, 1);
    const cv::Point2d off = cv::Point2d(to[0] / to[2], to[1] / to[2]) - second[e];
    sum += off.dot(off);
  }
  return sum;
}

}  // namespace

std::vector<Pose> posesByPlane(std::vector<PairSighting>& sightings, const Lens& first,
                               const Lens& second) {
  // Maximum error of a dot, px. A known lens leaves little more than noise.
  constexpr double kPixels = 4;
  // Minimum number of sightings, so that the homography is not a product of chance. Raising it
  // refuses more pairs of cameras.
  constexpr size_t kLeast = 8;
  const double limit = kPixels / second.fx;
  std::vector<std::pair<Points, Points>> seen;
  Points from, to;
  std::erase_if(sightings, [&](const PairSighting& s) {
    Points a = undistorted(first, s.first), b = undistorted(second, s.second);
    if (a.size() != s.first.size() || b.size() != a.size()) return true;
    from.insert(from.end(), a.begin(), a.end());
    to.insert(to.end(), b.begin(), b.end());
    seen.emplace_back(std::move(a), std::move(b));
    return false;
  });
  if (sightings.size() < kLeast) return {};
  cv::Mat found = cv::findHomography(from, to, cv::RANSAC, limit);
  if (found.empty()) return {};
  // The epipolar geometry may have swapped the ends of a wand.
  const cv::Matx33d homography = found;
  std::vector<PairSighting> kept;
  from.clear(), to.clear();
  for (size_t i = 0; i < sightings.size(); ++i) {
    auto& [a, b] = seen[i];
    Points turned(b.rbegin(), b.rend());
    const bool swapped = offBy(homography, a, turned) < offBy(homography, a, b);
    if (swapped) b = turned;
    if (offBy(homography, a, b) > static_cast<double>(a.size()) * limit * limit) continue;
    from.insert(from.end(), a.begin(), a.end());
    to.insert(to.end(), b.begin(), b.end());
    kept.push_back(std::move(sightings[i]));
    if (swapped) std::reverse(kept.back().second.begin(), kept.back().second.end());
  }
  sightings = std::move(kept);
  if (sightings.size() < kLeast) return {};
  found = cv::findHomography(from, to, 0);
  if (found.empty()) return {};
  std::vector<cv::Mat> rotations, translations, normals;
  cv::decomposeHomographyMat(found, cv::Matx33d::eye(), rotations, translations, normals);
  std::vector<Pose> poses;
  for (size_t i = 0; i < rotations.size(); ++i) {
    Eigen::Matrix3d rotation;
    Eigen::Vector3d translation;
    for (int row = 0; row < 3; ++row) {
      translation[row] = translations[i].at<double>(row);
      for (int column = 0; column < 3; ++column)
        rotation(row, column) = rotations[i].at<double>(row, column);
    }
    if (translation.norm() > 0) poses.push_back({rodriguesOf(rotation), translation.normalized()});
  }
  return poses;
}

Pose mirroredByPlane(const Pose& pose, const Eigen::Vector3d& middle,
                     const Eigen::Vector3d& normal) {
  const Eigen::Matrix3d rotation = pose.matrix();
  const Eigen::Vector3d at = pose.apply(middle), view = at.normalized(),
                        upright = rotation * normal;
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  // The product of two mirrorings is a rotation: one along the view, and one at the plane, which
  // leaves points of the plane where they are.
  const Eigen::Matrix3d turn =
      (one - 2 * view * view.transpose()) * (one - 2 * upright * upright.transpose());
  return {rodriguesOf(turn * rotation), at + turn * (pose.translation - at)};
}

}  // namespace glint::motion
