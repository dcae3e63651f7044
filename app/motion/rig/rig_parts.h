// The parts of rigs that the readers of several formats check. Internal to rig/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/motion/geometry/camera.h"

namespace glint::motion {

/// The largest number of cameras in a file.
constexpr size_t kMostRigCameras = 64;

/// Sets the size of the camera's images. Throws Error that begins with `place` unless both sides
/// are whole numbers of pixels from 1 to 2^20.
void setSize(RigCamera& camera, double width, double height, const std::string& place);

/// Sets the camera's focal lengths and principal point from a camera matrix, row after row. Throws
/// Error that begins with `place` unless it is [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy
/// above 0.
void setMatrix(RigCamera& camera, std::span<const double, 9> matrix, const std::string& place);

/// Sets the camera's distortion from OpenCV's coefficients k1, k2, p1, p2, k3, or k1 to k4 if
/// camera.lens.fisheye is true; the last ones may be missing. Throws Error that begins with `place`
/// if there are others than 0 behind them.
void setDistortion(RigCamera& camera, std::span<const double> coefficients,
                   const std::string& place);

/// Returns the coefficients of a lens, in OpenCV's order: k1, k2, p1, p2, k3, or k1 to k4 of a
/// fisheye.
std::vector<double> coefficientsOf(const Lens& lens);

/// Returns the Rodrigues vector of a rotation matrix that a file has with few digits. Throws Error
/// that begins with `place` if an element is more than 0.001 off a rotation.
Eigen::Vector3d rotationVector(const Eigen::Matrix3d& matrix, const std::string& place);

}  // namespace glint::motion
