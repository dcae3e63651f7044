#include "app/output/streams/stream_space.h"

namespace glint::output {
namespace {

Eigen::Matrix3d turnFor(UpAxis up) {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (up == UpAxis::y) turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return turn;
}

Eigen::Quaterniond withPositiveW(Eigen::Quaterniond attitude) {
  attitude.normalize();
  if (attitude.w() < 0) attitude.coeffs() *= -1;
  return attitude;
}

}  // namespace

StreamAxes::StreamAxes(UpAxis up) : up_(up), turn_(turnFor(up)) {}

Eigen::Quaterniond StreamAxes::attitude(const Eigen::Quaterniond& from) const {
  const Eigen::Quaterniond turn(turn_);
  return withPositiveW(turn * from * turn.conjugate());
}

Eigen::Quaterniond StreamAxes::attitude(const motion::SpaceCamera& camera) const {
  // The rig's cameras have x right, y down and z forward.
  const Eigen::Matrix3d upright = Eigen::Vector3d(1, -1, -1).asDiagonal();
  const Eigen::Matrix3d toWorld = turn_ * camera.rotation().transpose() * upright;
  return withPositiveW(Eigen::Quaterniond(toWorld));
}

}  // namespace glint::output
