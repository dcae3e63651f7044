// How much farther from where they should be dots are than their sigmas and the rig's covariance
// say: a floor of noise, a camera each, learned from residuals.
#pragma once

#include <cstddef>
#include <vector>

namespace glint::motion {

class NoiseFloor {
 public:
  static constexpr double kUnknown = 0.6;  ///< px, until residuals have taught it

  explicit NoiseFloor(size_t cameras) : cameras_(cameras) {}

  /// px^2, of each coordinate.
  double variance(size_t camera) const { return cameras_[camera].variance; }
  bool learned(size_t camera) const { return cameras_[camera].rounds > 0; }

  /// A dot of a point: chi squared of its residual by the covariance that is
  /// expected of it with the present floor, so that what the fit took up does not count as
  /// precision (two are free), and its variance without the floor, px^2.
  void add(size_t camera, double chi2, double known);

  /// After each set: learns once enough dots have come; at first few are, since wide gates make
  /// ghosts.
  void learn();

 private:
  struct Camera {
    double variance = kUnknown * kUnknown;
    double raw = 0;  // its mean; noise makes it negative where there is no floor
    int rounds = 0;
    double known = 0;          // since the last round
    std::vector<double> chi2;  // the same
  };
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
