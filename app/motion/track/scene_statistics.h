// Statistics of a recording: how often and how far its markers jump, and how much light belongs to
// no track.
#pragma once

#include <cstddef>
#include <span>

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// Averages over the last frames of one camera. With them, the search for jumps distinguishes jumps
/// from other light.
class SceneStatistics {
 public:
  explicit SceneStatistics(const SceneOptions& options = {}) : options_(options) {}

  /// Extends the area in which anything was ever seen.
  void widen(std::span<const Observation> seen);

  /// Takes one frame. `jumps` has the distance (px) of each jump. `steps` is the number of markers
  /// that moved as predicted, and `strangers` the number of observations that begin a track.
  /// `flashes` is the number of observations in the last frame that began a track but have
  /// disappeared again.
  void learn(size_t steps, std::span<const double> jumps, size_t strangers, size_t flashes);

  /// Returns the longest recent jump, px. It is forgotten within seconds.
  double farthestJump() const { return farthestJump_; }

  /// Returns the number of recent sightings of markers and strangers. jumps() returns how many of
  /// them were jumps. Both start with the prior of the options.
  double sightings() const { return options_.priorSightings + sightings_; }
  double jumps() const { return options_.priorJumps + jumps_; }

  /// Returns the number of observations per frame that belonged to no track and began none.
  double strangers() const { return strangers_; }

  /// Returns the area in which anything was ever seen, px^2.
  double area() const;

 private:
  SceneOptions options_;
  // The farthest of the recent jumps, px.
  double farthestJump_ = 0;
  // Numbers of jumps and of sightings in the last frames.
  double jumps_ = 0, sightings_ = 0;
  // See strangers().
  double strangers_ = 0;
  // Number of frames, up to that over which strangers are averaged.
  int learnt_ = 0;
  // True once anything was seen.
  bool started_ = false;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // px
};

}  // namespace glint::motion
