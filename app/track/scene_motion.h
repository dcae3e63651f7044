// What the recording itself says about how its markers move.
#pragma once

#include <span>
#include <vector>

#include "app/track/observation.h"

namespace glint {

/// Learns from each frame, and recognises frames that are shown again. One camera.
class SceneMotion {
 public:
  /// Whether `seen` repeats the last frame's observations while markers were moving: a frame that
  /// was duplicated by a conversion or a screen recorder. More than five in a row are markers that
  /// rest.
  bool repeats(std::span<const Observation> seen);

  /// Takes the steps (px) of the markers that were measured in this frame and in the last one as
  /// their motion predicted, how far those jumped that did not, how many observations nobody took,
  /// and how many of the last frame's that nobody took are not there any more.
  void learn(std::span<const double> steps, std::span<const double> jumps, size_t strangers,
             size_t flashes);

  /// px, the farthest jump lately; forgotten over some seconds.
  double farthestJump() const { return farthestJump_; }

  /// Observations lately, and how many of them were jumps; at first a guess.
  double sightings() const { return kGuessedSightings + sightings_; }
  double jumps() const { return kGuessedJumps + jumps_; }

  /// Observations a frame that were no track's, and began none.
  double strangers() const { return strangers_; }

  /// px^2, of where anything was ever seen.
  double area() const;

 private:
  static constexpr double kGuessedSightings = 2.5, kGuessedJumps = 0.5;
  void widen(std::span<const Observation> seen);

  std::vector<Observation> last_;
  int repeated_ = 0;
  double step_ = 0;  // px, of the faster markers, lately
  double farthestJump_ = 0;
  double jumps_ = 0, sightings_ = 0;  // in the last frames
  double strangers_ = 0;
  int learnt_ = 0;  // frames, up to as many as strangers are averaged over
  bool started_ = false;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // px, of all that was ever seen
};

}  // namespace glint
