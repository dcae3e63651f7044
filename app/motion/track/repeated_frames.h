// Recognises frames that show the one before again.
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

  /// Takes the observations of a frame. Returns true if they repeat the last frame's while markers
  /// were moving. After RepeatOptions::maxRepeats in a row it returns false, since the markers then
  /// rest.
  bool repeats(std::span<const Observation> seen);

  /// The repeats so far.
  uint64_t count() const { return count_; }

  /// Takes the distances (px) that the markers moved in a frame that is no repeat.
  void learn(std::vector<double> steps);

 private:
  bool isSame(const Observation& a, const Observation& b) const;
  size_t countSame(std::span<const Observation> seen) const;

  RepeatOptions options_;
  std::vector<Observation> last_;  // of the last frame, by x and then y
  int repeated_ = 0;               // repeats in a row so far
  uint64_t count_ = 0;             // repeats in all
  double motion_ = 0;              // px/frame, the upper quartile of the markers' last steps
};

}  // namespace glint::motion
