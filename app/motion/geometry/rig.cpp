#include "app/motion/geometry/rig.h"

#include <array>
#include <string_view>

#include <Eigen/LU>

#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::motion {
namespace {

constexpr std::array<std::string_view, kCameraNumbers> kNames{"fx",
                                                              "fy",
                                                              "cx",
                                                              "cy",
                                                              "k1",
                                                              "k2",
                                                              "p1",
                                                              "p2",
                                                              "k3",
                                                              "rotation_x",
                                                              "rotation_y",
                                                              "rotation_z",
                                                              "translation_x",
                                                              "translation_y",
                                                              "translation_z"};

/// Returns the pose of a camera in the moved world. With the pose (R, t) and the motion (M, m), it
/// is (R M^T, scale (t - R M^T m)).
Pose movedPose(const Pose& pose, const Pose& motion, double scale) {
  Pose result = then(motion.inverse(), pose);
  result.translation *= scale;
  return result;
}

/// Returns the derivative of the moved pose by the pose. A small rotation on the left of R is also
/// one on the left of R M^T.
Eigen::Matrix<double, 6, 6> movedByPose(const Pose& pose, const Pose& motion, double scale) {
  const Pose result = movedPose(pose, motion, scale);
  Eigen::Matrix<double, 6, 6> by = Eigen::Matrix<double, 6, 6>::Zero();
  by.topLeftCorner<3, 3>() = leftJacobian(result.rotation).inverse() * leftJacobian(pose.rotation);
  by.bottomLeftCorner<3, 3>() =
      scale * rotatedByVector(pose.rotation, motion.inverse().translation);
  by.bottomRightCorner<3, 3>() = scale * Eigen::Matrix3d::Identity();
  return by;
}

}  // namespace

std::string numberName(size_t camera, int number) {
  return "cam_" + std::to_string(camera) + "." + std::string(kNames[static_cast<size_t>(number)]);
}

Eigen::MatrixXd fullCovariance(const Rig& rig) {
  const auto size = static_cast<Eigen::Index>(rig.cameras.size()) * kCameraNumbers;
  std::vector<Eigen::Index> places;
  for (const std::string& name : rig.covariance.names) {
    Eigen::Index place = 0;
    while (place < size && name != numberName(static_cast<size_t>(place / kCameraNumbers),
                                              static_cast<int>(place % kCameraNumbers)))
      ++place;
    if (place == size) throw Error("the covariance names \"" + name + "\", which no camera has");
    places.push_back(place);
  }
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(size, size);
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = 0; j < places.size(); ++j)
      full(places[i], places[j]) =
          rig.covariance.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  return full;
}

void setCovariance(Rig& rig, const Eigen::MatrixXd& full) {
  std::vector<Eigen::Index> places;
  rig.covariance = {};
  rig.exact = false;
  for (Eigen::Index i = 0; i < full.rows(); ++i) {
    if (!(full(i, i) > 0)) continue;
    places.push_back(i);
    rig.covariance.names.push_back(
        numberName(static_cast<size_t>(i / kCameraNumbers), static_cast<int>(i % kCameraNumbers)));
  }
  rig.covariance.matrix = full(places, places);
}

Rig chosen(const Rig& rig, std::span<const size_t> cameras) {
  Rig result;
  result.exact = rig.exact;
  std::vector<Eigen::Index> places;
  for (const size_t camera : cameras) {
    result.cameras.push_back(rig.cameras[camera]);
    for (int number = 0; number < kCameraNumbers; ++number)
      places.push_back(static_cast<Eigen::Index>(camera) * kCameraNumbers + number);
  }
  if (!rig.covariance.names.empty())
    setCovariance(result, Eigen::MatrixXd(fullCovariance(rig)(places, places)));
  return result;
}

Rig moved(const Rig& rig, const Pose& motion, double scale) {
  Rig result = rig;
  const auto size = static_cast<Eigen::Index>(rig.cameras.size()) * kCameraNumbers;
  Eigen::MatrixXd by = Eigen::MatrixXd::Identity(size, size);
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    result.cameras[c].pose = movedPose(rig.cameras[c].pose, motion, scale);
    const auto at = static_cast<Eigen::Index>(c) * kCameraNumbers + Lens::kNumbers;
    by.block<6, 6>(at, at) = movedByPose(rig.cameras[c].pose, motion, scale);
  }
  if (!rig.covariance.names.empty())
    setCovariance(result, by * fullCovariance(rig) * by.transpose());
  return result;
}

}  // namespace glint::motion
