// The list of steps that process each frame, in order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::session {

class SpacePoints;
class Tracking;

/// Completes a frame that holds what was measured of all its cameras. What comes later in the list
/// finds what earlier ones added; a result of the whole set goes to Frame::results.
struct Processor {
  std::string stage;  ///< of the wall times; neighbours of one stage are timed together
  /// True if the next set's measurement needs its result, and so waits for it.
  bool feedsBack;
  std::function<void(motion::Frame&)> process;
};

std::vector<Processor> makeProcessors(Tracking& tracking, SpacePoints& space);

}  // namespace glint::session
