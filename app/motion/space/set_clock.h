// The times of the sets of one pass.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/motion/space/space_set.h"
#include "app/motion/track/frame_clock.h"

namespace glint::motion {

/// Stores which set is the newest in which a camera saw anything, and the time since the one
/// before.
class SetClock {
 public:
  /// Advances to the next set in which a camera sees anything.
  void advance(const SpaceSet& set) {
    frame_ = set.frame;
    time_ = set.time();
    step_ = clock_.advance(FrameNumber(frame_), time_);
    worstSpread_ = std::max(worstSpread_, set.spread());
    ++sets_;
  }

  /// Returns the number of sets so far.
  uint64_t sets() const { return sets_; }
  /// Returns the frame number of the newest set.
  uint64_t frame() const { return frame_; }
  /// Returns the time of the newest set, s.
  double time() const { return time_; }
  /// Returns the time since the set before, s.
  double step() const { return step_; }
  /// Returns the time since the first set, s. It always increases; see FrameClock.
  double now() const { return clock_.now(); }
  /// Returns the usual time between two frames, s.
  double interval() const { return clock_.interval(); }
  /// Returns the largest difference between the times of the cameras in one set, s.
  double worstSpread() const { return worstSpread_; }

 private:
  FrameClock clock_;
  uint64_t sets_ = 0, frame_ = 0;
  double time_ = 0, step_ = 0, worstSpread_ = 0;
};

}  // namespace glint::motion
