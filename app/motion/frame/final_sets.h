// The sets of a session whose tracks cannot change any more.
#pragma once

#include <deque>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::motion {

/// Returns the number of frames after which no rows of a frame can follow: by then a missing track
/// has been given up, and a new one confirmed. See Tracker::takeFinalised().
uint64_t framesUntilFinal(const Settings::Track& settings);

/// A count of the sets, from the first one on, whose rows cannot change any more. A camera's rows
/// may change for framesUntilFinal() of its frames, whatever sets these belong to.
class FinalSets {
 public:
  /// Takes the next measured set of a session, with the settings that it was tracked with.
  void see(const Frame& frame, const Settings::Track& settings);
  /// Returns the set before which all sets that were seen are final.
  SetIndex end() const { return end_; }

 private:
  std::vector<std::deque<SetIndex>> open_;  // sets of each camera's latest frames
  SetIndex end_;
};

}  // namespace glint::motion
