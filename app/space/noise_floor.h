// How much farther from where they should be dots are than their sigmas and the rig's covariance
// say: a floor of noise, a camera each, learned from residuals.
#pragma once

#include <cstddef>
#include <vector>

namespace glint {

class NoiseFloor {
 public:
  static constexpr double kUnknown = 0.6;  ///< px, until residuals have taught it

  explicit NoiseFloor(size_t cameras) : cameras_(cameras) {}

  /// px^2, of each coordinate.
  double variance(size_t camera) const { return cameras_[camera].variance; }
  bool learned(size_t camera) const { return cameras_[camera].rounds > 0; }

  /// One coordinate of a point of three rays or more: the residual and its expected square, both as
  /// the present floor has them (px, px^2), and the variance without the floor.
  void add(size_t camera, double residual, double expected, double known);

  /// After each set: learns once enough residuals have come, from the 90 % quantile of their squares
  /// over those expected, which markers that touch or hide leave alone. Expected squares are those
  /// of restricted maximum likelihood, so that what the fit took up does not count as precision.
  void learn();

 private:
  struct Camera {
    double variance = kUnknown * kUnknown;
    double raw = 0;  // its mean; noise makes it negative where there is no floor
    int rounds = 0;
    size_t count = 0;  // since the last round
    double expected = 0, known = 0;
    std::vector<double> ratios;  // of squares against what is expected
  };
  std::vector<Camera> cameras_;
};

}  // namespace glint
