#include "app/motion/space/space_rig.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// Returns the point that is nearest to all optical axes, or a point far ahead of the cameras if
/// the axes are parallel.
Eigen::Vector3d middleOf(const std::vector<SpaceCamera>& cameras) {
  // Limit below which the axes count as parallel. Raising it takes more axes to be parallel.
  constexpr double kParallel = 1e-6;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero(), centre = right, ahead = right;
  for (const SpaceCamera& camera : cameras) {
    const Eigen::Vector3d axis = camera.rotation().row(2);
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - axis * axis.transpose();
    sum += across;
    right += across * camera.centre();
    centre += camera.centre();
    ahead += axis;
  }
  const auto n = static_cast<double>(cameras.size());
  if (sum.determinant() > kParallel * n) return sum.inverse() * right;
  double apart = 1;
  for (const SpaceCamera& camera : cameras)
    apart = std::max(apart, (camera.centre() - centre / n).norm());
  return centre / n + 5 * apart * ahead / n;
}

}  // namespace

SpaceCamera::SpaceCamera(RigCamera camera)
    : camera_(std::move(camera)),
      rotation_(camera_.pose.matrix()),
      centre_(camera_.pose.centre()),
      farthest_(0) {
  // Factor of the squared distance of the corners from the centre, within which points are seen. It
  // is a little above 1, because points may be seen a little beyond the corners. Corners that have
  // no ray are ignored.
  constexpr double kBeyond = 1.1;
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector2d pixel(corner & 1 ? camera_.width - 1 : 0,
                                corner & 2 ? camera_.height - 1 : 0);
    if (const auto at = undistort(camera_.lens, pixel))
      farthest_ = std::max(farthest_, kBeyond * at->squaredNorm());
  }
  if (farthest_ == 0) farthest_ = std::numeric_limits<double>::infinity();
}

std::optional<PointImage> SpaceCamera::see(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d own = rotation_ * point + camera_.pose.translation;
  if (!(own.z() > 0) || own.head<2>().squaredNorm() > farthest_ * own.z() * own.z())
    return std::nullopt;
  Eigen::Matrix<double, 2, 3> bySeen;
  const Projection p = projectSeen(camera_.lens, own, bySeen);
  return PointImage{p.pixel, p.depth, bySeen * rotation_};
}

bool SpaceCamera::holds(const Eigen::Vector2d& pixel, double margin) const {
  return pixel.x() >= margin && pixel.y() >= margin && pixel.x() <= camera_.width - 1 - margin &&
         pixel.y() <= camera_.height - 1 - margin;
}

Eigen::Vector2d SpaceCamera::rigVariance(const Eigen::Vector2d& pixel) const {
  if (variances_.empty()) return Eigen::Vector2d::Zero();
  const auto cell = [](double at, int side) {
    return std::clamp(static_cast<int>(at / side * kCells), 0, kCells - 1);
  };
  const int index = cell(pixel.y(), camera_.height) * kCells + cell(pixel.x(), camera_.width);
  return variances_[static_cast<size_t>(index)];
}

SpaceRig::SpaceRig(Rig rig, bool corrects) : rig_(std::move(rig)), corrects_(corrects) {
  for (const RigCamera& camera : rig_.cameras) cameras_.emplace_back(camera);
  if (cameras_.empty()) return;
  epipolar_.resize(size() * size());
  for (size_t a = 0; a < size(); ++a) {
    for (size_t b = a + 1; b < size(); ++b) {
      const SpaceCamera &from = cameras_[a], &to = cameras_[b];
      const Eigen::Matrix3d turn = to.rotation() * from.rotation().transpose();
      const Eigen::Vector3d step = to.rotation() * (from.centre() - to.centre());
      epipolar_[a * size() + b] = crossMatrix(step.normalized()) * turn;
    }
  }
  const Eigen::Vector3d middle = middleOf(cameras_);
  for (const SpaceCamera& camera : cameras_)
    distance_ += (camera.centre() - middle).norm() / static_cast<double>(cameras_.size());
  const Eigen::MatrixXd full = fullCovariance(rig_);
  for (Eigen::Index i = 0; i < full.rows(); ++i)
    if (full(i, i) > 0) places_.push_back(i);
  covariance_ = full(places_, places_);
  if (!places_.empty())
    for (size_t c = 0; c < size(); ++c) fillVariances(c, full);
}

void SpaceRig::fillVariances(size_t camera, const Eigen::MatrixXd& full) {
  SpaceCamera& own = cameras_[camera];
  const auto first = static_cast<Eigen::Index>(camera) * kCameraNumbers;
  const Eigen::MatrixXd block = full.block(first, first, kCameraNumbers, kCameraNumbers);
  for (int y = 0; y < SpaceCamera::kCells; ++y) {
    for (int x = 0; x < SpaceCamera::kCells; ++x) {
      const Eigen::Vector2d pixel((x + 0.5) * own.camera_.width / SpaceCamera::kCells,
                                  (y + 0.5) * own.camera_.height / SpaceCamera::kCells);
      Eigen::Vector2d& variance = own.variances_.emplace_back(0, 0);
      const auto ray = rayOf(own.camera_, pixel);
      if (!ray) continue;
      ProjectionDerivatives d;
      project(own.camera_.lens, own.camera_.pose, ray->origin + distance_ * ray->direction, &d);
      Eigen::Matrix<double, 2, kCameraNumbers> slope;
      slope << d.lens, d.pose;
      variance = (slope * block * slope.transpose()).diagonal();
    }
  }
}

template <int N>
Eigen::Matrix<double, N, N> SpaceRig::covarianceByRig(std::span<const PixelSlope<N>> slopes) const {
  if (places_.empty()) return Eigen::Matrix<double, N, N>::Zero();
  using Slope = Eigen::Matrix<double, N, Eigen::Dynamic>;
  Slope byNumber = Slope::Zero(N, static_cast<Eigen::Index>(size()) * kCameraNumbers);
  for (const auto& [camera, at, byPixel] : slopes) {
    ProjectionDerivatives d;
    project(rig_.cameras[camera].lens, rig_.cameras[camera].pose, at, &d);
    const auto first = static_cast<Eigen::Index>(camera) * kCameraNumbers;
    byNumber.template middleCols<Lens::kNumbers>(first) += byPixel * d.lens;
    byNumber.template middleCols<6>(first + Lens::kNumbers) += byPixel * d.pose;
  }
  const Slope own = byNumber(Eigen::all, places_);
  return own * covariance_ * own.transpose();
}

template Eigen::Matrix<double, 3, 3> SpaceRig::covarianceByRig<3>(
    std::span<const PixelSlope<3>> slopes) const;
template Eigen::Matrix<double, 6, 6> SpaceRig::covarianceByRig<6>(
    std::span<const PixelSlope<6>> slopes) const;

void checkRigImages(const SpaceRig& rig, const std::vector<ImageShape>& images,
                    const std::string& name, const std::string& choose) {
  // The lens of a rig may be that of a recording whose pixels are not square.
  constexpr double kMostAspectError = 0.02;
  if (images.size() != rig.size())
    throw UsageError(fmt::format("{} has {} cameras for {} source{}; {}", name, rig.size(),
                                 images.size(), images.size() == 1 ? "" : "s", choose));
  for (size_t c = 0; c < rig.size(); ++c) {
    const RigCamera& camera = rig[c].camera();
    const auto width = static_cast<int>(images[c].width);
    const auto height = static_cast<int>(images[c].height);
    if (width != camera.width || height != camera.height) {
      const bool isTurned = width == camera.height && height == camera.width;
      throw UsageError(fmt::format(
          "camera {} has {}x{} pixels in {}, but source {} has {}x{}{}", c, camera.width,
          camera.height, name, c, width, height,
          isTurned ? ": the rig was made of pictures that lay on their side; give the source with "
                     "?rotate=0, or calibrate again"
                   : ""));
    }
    const double aspect = camera.lens.fy / camera.lens.fx;
    if (std::abs(images[c].pixelAspect / aspect - 1) > kMostAspectError)
      throw UsageError(fmt::format(
          "source {} has pixels {:.4g} times as wide as high, but those of camera {} in {} are "
          "{:.4g} times as wide: scale the recording to square pixels "
          "(ffmpeg -i IN -vf scale=iw*sar:ih,setsar=1 OUT) and calibrate with such recordings",
          c, images[c].pixelAspect, c, name, aspect));
  }
}

}  // namespace glint::motion
