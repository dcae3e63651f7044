// How fast markers are that nothing is known of yet.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "app/motion/space/point_options.h"

namespace glint::motion {

/// A distribution of unknown velocities: a mixture of normal distributions around 0, from markers
/// of people at walking pace to bullets. How much each of them weighs is learnt from tracks. A
/// copy is independent.
class SpeedPrior {
 public:
  /// `limit` (mm/s) is the speed of the fastest marker; 0 if there is no limit.
  SpeedPrior(const SpeedPriorOptions& options, double limit);

  /// One of the normal distributions.
  struct Class {
    double sigma;   ///< mm/s along each axis
    double weight;  ///< share of the markers, 0 to 1
  };
  size_t classes() const { return sigmas_.size(); }
  Class operator[](size_t index) const { return {sigmas_[index], counts_[index] / total_}; }
  /// The standard deviation of the slowest class, mm/s along each axis.
  double slowest() const { return sigmas_.front(); }

  /// Takes the velocity (mm/s) of a marker whose motion has become known.
  void learn(const Eigen::Vector3d& velocity);
  /// Returns true if no marker can move so far (mm) in so long a time (s).
  bool forbids(double distance, double time) const {
    return limit_ > 0 && distance > limit_ * time;
  }

 private:
  double limit_;
  std::vector<double> sigmas_, counts_;  // by class, the slowest first
  double total_ = 0;                     // sum of counts_
};

}  // namespace glint::motion
