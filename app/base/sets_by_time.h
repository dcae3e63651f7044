// Finds the frames of several cameras that were taken at the same moment, if their numbers do not
// show it.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::base {

struct TimedFrame {
  uint64_t number;  ///< number of the frame in its camera; rises from frame to frame
  double time;      ///< s, on the clock of all cameras
};

/// Returns the number of the set to which each frame belongs, for each camera. Returns nothing if
/// the frames' own numbers are to be used. This is so if frames with the same number are always at
/// most half an interval of the fastest camera apart, if a camera's times do not rise, or if no
/// camera has two frames.
///
/// The fastest camera leads: each of its frames begins a set. A frame of another camera joins the
/// nearest set, if that is at most half an interval away and has no frame of its camera yet. The
/// frames that join none, because the leader misses frames there or has not begun, make sets of
/// their own. Set numbers count mean intervals of the leader from the earliest frame 0 of any
/// camera on, so missing frames leave gaps in the numbers.
std::vector<std::vector<uint64_t>> setsByTime(const std::vector<std::vector<TimedFrame>>& cameras);

}  // namespace glint::base
