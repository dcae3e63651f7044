// Rotations in space as Rodrigues vectors: axis times angle.
#pragma once

#include <Eigen/Core>

namespace glint::motion {

/// Returns the matrix [a]x, for which crossMatrix(a) * b is the cross product of a and b.
Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& a);

/// Returns the rotation by |vector| radians about `vector` (Rodrigues' formula).
Eigen::Matrix3d rotationOf(const Eigen::Vector3d& vector);

/// Returns the vector of a rotation, at most pi long: the inverse of rotationOf(). `rotation` must
/// be orthonormal.
Eigen::Vector3d rodriguesOf(const Eigen::Matrix3d& rotation);

/// Returns the left Jacobian Jl: if `vector` changes by a small d, rotationOf(vector) is turned by
/// the small rotation Jl d on its left (Chirikjian, Stochastic Models, Information Theory, and Lie
/// Groups 2, 10.86).
Eigen::Matrix3d leftJacobian(const Eigen::Vector3d& vector);

/// Returns the derivative of rotationOf(vector) * point by `vector`: -[R point]x Jl.
Eigen::Matrix3d rotatedByVector(const Eigen::Vector3d& vector, const Eigen::Vector3d& point);

}  // namespace glint::motion
