// The noise of each camera's dots in addition to their stated sigmas.
#pragma once

#include <cstddef>
#include <vector>

#include "app/motion/space/point_options.h"

namespace glint::motion {

/// Learns from residuals how much noisier each camera's dots are than their sigmas and the rig's
/// covariance state. This additional variance is the noise floor. It is added to that of each dot.
class NoiseFloor {
 public:
  explicit NoiseFloor(size_t cameras, const NoiseFloorOptions& options = {})
      : options_(options), cameras_(cameras, {.variance = options.start * options.start}) {}

  /// Returns the additional variance of each coordinate, px^2.
  double variance(size_t camera) const { return cameras_[camera].variance; }
  /// Returns true once the camera has learned from at least one round of dots.
  bool learned(size_t camera) const { return cameras_[camera].rounds > 0; }

  /// Adds a dot of a point. `chi2` is that of its residual with two degrees of freedom. It must be
  /// computed with the covariance that is expected of a residual with the present floor, because
  /// the fit reduces residuals. `known` is the variance of the dot without the floor, px^2.
  void add(size_t camera, double chi2, double known);

  /// Updates the floor of each camera that has collected enough dots. Call after each set.
  void learn();

 private:
  struct Camera {
    double variance;
    // Mean of the rounds, px^2; noise makes it negative if there is no floor.
    double raw = 0;
    int rounds = 0;
    // Sum of known variances since the last round, px^2.
    double known = 0;
    // Values since the last round.
    std::vector<double> chi2 = {};
  };
  NoiseFloorOptions options_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
