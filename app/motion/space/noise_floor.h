// The noise of each camera's dots beyond their sigmas.
#pragma once

#include <cstddef>
#include <vector>

#include "app/motion/space/point_options.h"

namespace glint::motion {

/// Learns from residuals how much farther each camera's dots are from where they should be than
/// their sigmas and the rig's covariance say. That is a floor of noise, which is added to them.
class NoiseFloor {
 public:
  explicit NoiseFloor(size_t cameras, const NoiseFloorOptions& options = {})
      : options_(options), cameras_(cameras, {.variance = options.start * options.start}) {}

  /// Returns the variance of each coordinate, px^2.
  double variance(size_t camera) const { return cameras_[camera].variance; }
  bool learned(size_t camera) const { return cameras_[camera].rounds > 0; }

  /// Takes a dot of a point. `chi2` is that of its residual, of which two degrees are free, by the
  /// covariance that is expected of it with the present floor; so what the fit took up does not
  /// count as precision. `known` is its variance without the floor, px^2.
  void add(size_t camera, double chi2, double known);

  /// Learns after each set, once enough dots have come.
  void learn();

 private:
  struct Camera {
    double variance;
    double raw = 0;  // the mean of the rounds; noise makes it negative where there is no floor
    int rounds = 0;
    double known = 0;               // the sum since the last round
    std::vector<double> chi2 = {};  // since the last round
  };
  NoiseFloorOptions options_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
