// Which frames of several cameras are of one moment, where their numbers do not tell.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::base {

struct TimedFrame {
  uint64_t number;  ///< of its camera; rises
  double time;      ///< s, on the clock of all cameras
};

/// The set of each frame, by camera; empty where frames of one number belong together: where they
/// are nowhere further apart than half an interval of the fastest camera, where a camera's times do
/// not rise, or where no camera has two frames.
///
/// The fastest camera leads: each of its frames is a set. A frame of another camera joins the
/// nearest set, if that is at most half an interval away and has none of its camera. Frames beyond
/// that, where the leader has a hole or has not begun, make sets of their own. Sets count the mean
/// intervals of the leader, from the earliest frame 0 on, so that missing frames leave their
/// numbers out.
std::vector<std::vector<uint64_t>> setsByTime(const std::vector<std::vector<TimedFrame>>& cameras);

}  // namespace glint::base
