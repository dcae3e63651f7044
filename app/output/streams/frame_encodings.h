// A frame as Open Sound Control 1.0 bundles; docs/formats.md lists their messages.
// Specification: https://opensoundcontrol.stanford.edu/spec-1_0.html
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// Whole lines, each with its line end and of at most `limit` bytes (at least 1000): one for each
/// camera that gave a frame, or several, with the same frame and "count", where one cannot hold all
/// markers. With a rig, one more for the points of the set, and one for the poses where there are
/// any.
std::vector<std::string> jsonLines(const motion::Frame& frame, size_t limit);

/// The wall clock's time of a source's times. The source's clock is laid so that no frame lies in
/// the future when it is sent, since receivers hold such bundles back: the delay from a frame to
/// its tracks is taken to be the smallest one seen so far.
class WallClock {
 public:
  /// s since 1970 of the frame at `time` (s), which was known at `tracked`, s since 1970.
  double at(double time, double tracked);

 private:
  std::optional<double> zero_;  // of the source's clock, s since 1970
};

/// s since 1970 of a time (s) on the host's monotonic clock.
double wallTime(double monotonic);

/// Bundles of at most `limit` bytes (at least 200): one for each camera that gave a frame, or
/// several, each of which begins with the frame's own message, where one cannot hold all markers;
/// with a rig those of the set's points and poses, which begin with the set's message.
std::vector<std::string> oscBundles(const motion::Frame& frame, WallClock& clock, size_t limit);

}  // namespace glint::output
