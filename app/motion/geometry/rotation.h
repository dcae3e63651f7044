// Rotations in space by their Rodrigues vectors.
#pragma once

#include <Eigen/Core>

namespace glint::motion {

/// [a]x: crossMatrix(a) * b is a x b.
Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& a);

/// The rotation by |vector| radians about `vector` (Rodrigues' formula).
Eigen::Matrix3d rotationOf(const Eigen::Vector3d& vector);

/// The inverse of rotationOf(): the vector's length is at most pi. `rotation` is orthonormal.
Eigen::Vector3d rodriguesOf(const Eigen::Matrix3d& rotation);

/// Jl: a change d of `vector` turns rotationOf(vector) by the small rotation Jl d on its left
/// (Chirikjian, Stochastic Models, Information Theory, and Lie Groups 2, 10.86).
Eigen::Matrix3d leftJacobian(const Eigen::Vector3d& vector);

/// The derivative of rotationOf(vector) * point by `vector`: -[R point]x Jl.
Eigen::Matrix3d rotatedByVector(const Eigen::Vector3d& vector, const Eigen::Vector3d& point);

}  // namespace glint::motion
