// Recognises frames that repeat the previous one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// Finds frames of one camera that were duplicated by a conversion or a screen recorder.
class RepeatedFrames {
 public:
  explicit RepeatedFrames(const RepeatOptions& options = {}) : options_(options) {}

  /// Takes the observations of a frame. Returns true if they repeat those of the last frame while
  /// markers were moving. After RepeatOptions::maxRepeats repeats in a row it returns false,
  /// because the markers are at rest then.
  bool repeats(std::span<const Observation> seen);

  /// Returns the number of repeats so far.
  uint64_t count() const { return count_; }

  /// Takes the distances (px) that the markers moved in a frame that is no repeat.
  void learn(std::vector<double> steps);

 private:
  bool isSame(const Observation& a, const Observation& b) const;
  size_t countSame(std::span<const Observation> seen) const;

  RepeatOptions options_;
  // Observations of the last frame, sorted by x and then y.
  std::vector<Observation> last_;
  // Number of repeats in a row up to now.
  int repeated_ = 0;
  // Number of all repeats.
  uint64_t count_ = 0;
  // Upper quartile of the markers' last steps, px/frame.
  double motion_ = 0;
};

}  // namespace glint::motion
