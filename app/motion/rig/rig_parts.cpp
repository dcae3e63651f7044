#include "app/motion/rig/rig_parts.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::motion {

void setSize(RigCamera& camera, double width, double height, const std::string& place) {
  constexpr double kMostSide = 1 << 20;  // px; larger values are mistakes
  for (const double side : {width, height})
    if (!(side >= 1 && side <= kMostSide) || side != std::floor(side))
      throw Error(fmt::format("{} has a size that is not two whole numbers of pixels", place));
  camera.width = static_cast<int>(width);
  camera.height = static_cast<int>(height);
}

void setMatrix(RigCamera& camera, std::span<const double, 9> matrix, const std::string& place) {
  const auto& m = matrix;
  const bool finite = std::ranges::all_of(m, [](double value) { return std::isfinite(value); });
  if (!finite || !(m[0] > 0 && m[4] > 0) || m[1] != 0 || m[3] != 0 || m[6] != 0 || m[7] != 0 ||
      m[8] != 1)
    throw Error(
        fmt::format("{} has a matrix that is not [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]", place));
  camera.lens.fx = m[0];
  camera.lens.fy = m[4];
  camera.lens.cx = m[2];
  camera.lens.cy = m[5];
}

void setDistortion(RigCamera& camera, std::span<const double> coefficients,
                   const std::string& place) {
  Lens& lens = camera.lens;
  const std::array<double*, 5> terms{&lens.k1, &lens.k2, &lens.p1, &lens.p2, &lens.k3};
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (!std::isfinite(coefficients[i]))
      throw Error(fmt::format("{} has a distortion that is not finite", place));
    if (i < (lens.fisheye ? 4 : terms.size()))
      *terms[i] = coefficients[i];
    else if (coefficients[i] != 0)
      throw Error(fmt::format("{} has {} distortion coefficients, but {}", place,
                              coefficients.size(),
                              lens.fisheye ? "a fisheye has four: k1 to k4"
                                           : "Glint's lens has five: k1, k2, p1, p2 and k3"));
  }
}

std::vector<double> coefficientsOf(const Lens& lens) {
  if (lens.fisheye) return {lens.k1, lens.k2, lens.p1, lens.p2};
  return {lens.k1, lens.k2, lens.p1, lens.p2, lens.k3};
}

Eigen::Vector3d rotationVector(const Eigen::Matrix3d& matrix, const std::string& place) {
  constexpr double kMostOff = 1e-3;
  if (matrix.allFinite() && matrix.cwiseAbs().maxCoeff() < 2) {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d nearest = svd.matrixU() * svd.matrixV().transpose();
    if (nearest.determinant() > 0 && (nearest - matrix).cwiseAbs().maxCoeff() < kMostOff)
      return rodriguesOf(nearest);
  }
  throw Error(fmt::format("{} has a rotation that is no rotation matrix", place));
}

}  // namespace glint::motion
