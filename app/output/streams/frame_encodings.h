// A frame as Open Sound Control 1.0 bundles; docs/streams.md lists their messages.
// Specification: https://opensoundcontrol.stanford.edu/spec-1_0.html
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"
#include "app/output/streams/stream_space.h"

namespace glint::output {

/// Returns a frame as whole lines, each with its line end and of at most `limit` bytes (at least
/// 1000). There is one line for each camera that gave a frame. If it cannot hold all markers, there
/// are several with the same frame and "count". With a rig, there is another line for the points of
/// the set, and one for its poses if there are any.
std::vector<std::string> jsonLines(const motion::Frame& frame, size_t limit);

/// A converter from the times of a source to those of the wall clock. The source's clock is placed
/// so that no frame appears to lie in the future when it is sent, since receivers would hold back
/// such bundles. The delay from a frame to its tracks is taken to be the smallest one seen so far.
class WallClock {
 public:
  /// Returns the time of a frame in s since 1970. `time` (s) is its time by the source's clock, and
  /// `tracked` the time in s since 1970 at which its tracks were known.
  double at(double time, double tracked);

 private:
  std::optional<double> zero_;  // zero of the source's clock, s since 1970
};

/// Returns the time in s since 1970 of a time (s) on the host's monotonic clock.
double wallTime(double monotonic);

/// Returns a frame as bundles of at most `limit` bytes (at least 200). There is one for each camera
/// that gave a frame. If it cannot hold all markers, there are several, each of which begins with
/// the frame's own message. With a rig, there are also those of the set's points and poses, which
/// begin with the set's message.
std::vector<std::string> oscBundles(const motion::Frame& frame, WallClock& clock, size_t limit);

/// Returns the points and bodies of a frame as bundles of at most `limit` bytes (at least 400), in
/// m: a message for each, whose address names it, and whose arguments are numbers alone.
std::vector<std::string> oscSpaceBundles(const motion::Frame& frame, WallClock& clock,
                                         const StreamAxes& axes, size_t limit);

}  // namespace glint::output
