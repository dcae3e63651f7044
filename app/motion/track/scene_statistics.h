// How often and how far the markers of a recording jump, and how much light belongs to no track.
#pragma once

#include <cstddef>
#include <span>

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// Averages over the last frames of one camera. The search for jumps uses them to tell jumps from
/// other light.
class SceneStatistics {
 public:
  explicit SceneStatistics(const SceneOptions& options = {}) : options_(options) {}

  /// Extends the area in which anything was ever seen.
  void widen(std::span<const Observation> seen);

  /// Takes one frame. `jumps` has the distance (px) of each jump. `steps` is the number of markers
  /// that moved as predicted, `strangers` the number of observations that begin a track, and
  /// `flashes` the number of those in the last frame that began a track and are not there any more.
  void learn(size_t steps, std::span<const double> jumps, size_t strangers, size_t flashes);

  /// The farthest recent jump, px. It is forgotten within seconds.
  double farthestJump() const { return farthestJump_; }

  /// Recent sightings of markers and strangers, and how many of them were jumps. Both start with
  /// the prior of the options.
  double sightings() const { return options_.priorSightings + sightings_; }
  double jumps() const { return options_.priorJumps + jumps_; }

  /// Observations per frame that belonged to no track and began none.
  double strangers() const { return strangers_; }

  /// The area in which anything was ever seen, px^2.
  double area() const;

 private:
  SceneOptions options_;
  double farthestJump_ = 0;           // px
  double jumps_ = 0, sightings_ = 0;  // in the last frames
  double strangers_ = 0;              // per frame
  int learnt_ = 0;                    // frames, up to those that strangers are averaged over
  bool started_ = false;              // anything was seen
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // px
};

}  // namespace glint::motion
