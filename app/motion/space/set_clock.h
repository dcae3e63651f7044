// The times of the sets of one pass.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/motion/space/space_set.h"
#include "app/motion/track/frame_clock.h"

namespace glint::motion {

/// Knows the newest set in which a camera saw anything, and the time since the one before.
class SetClock {
 public:
  /// Takes the next set in which a camera sees anything.
  void advance(const SpaceSet& set) {
    frame_ = set.frame;
    time_ = set.time();
    step_ = clock_.advance(FrameNumber(frame_), time_);
    worstSpread_ = std::max(worstSpread_, set.spread());
    ++sets_;
  }

  uint64_t sets() const { return sets_; }    ///< taken so far
  uint64_t frame() const { return frame_; }  ///< the newest set
  double time() const { return time_; }      ///< its time, s
  double step() const { return step_; }      ///< s since the set before
  /// The time since the first set, s. It always advances; see FrameClock.
  double now() const { return clock_.now(); }
  /// The usual time between two frames, s.
  double interval() const { return clock_.interval(); }
  /// The greatest difference between the cameras' times in a set, s.
  double worstSpread() const { return worstSpread_; }

 private:
  FrameClock clock_;
  uint64_t sets_ = 0, frame_ = 0;
  double time_ = 0, step_ = 0, worstSpread_ = 0;
};

}  // namespace glint::motion
