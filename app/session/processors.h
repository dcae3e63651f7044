// The list of steps that process each frame, in order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::session {

class SpacePoints;
class SessionTracker;

/// A step that completes a frame, which contains the measurements of all cameras. It can use
/// everything that the steps before it added. Results about the whole set go into Frame::results.
struct Processor {
  /// Name for the wall times. Neighbours with the same stage are timed together.
  std::string stage;
  /// True if the measurement of the next set needs the result, and therefore waits for it.
  bool feedsBack;
  std::function<void(motion::Frame&)> process;
};

/// Returns the steps in the order in which they run.
std::vector<Processor> makeProcessors(SessionTracker& tracking, SpacePoints& space);

}  // namespace glint::session
