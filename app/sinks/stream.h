// Streams: every frame's tracks at once, to other programs. docs/formats.md describes what is sent.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/sinks/sink.h"

namespace glint {

/// `target` is "osc:[HOST:]PORT", "udp:[HOST:]PORT" (JSON Lines) or "-", JSON Lines to standard
/// output. Other machines are refused unless `remote`. Throws UsageError or Error naming the
/// target.
std::unique_ptr<Sink> makeStream(const std::string& target, bool remote);

/// Whole lines of a frame, each with its line end and of at most `limit` bytes (at least 1000): one
/// for each camera that gave a frame, or several, with the same frame and "count", where one cannot
/// hold all markers.
std::vector<std::string> jsonLines(const Frame& frame, size_t limit);

/// The wall clock's time of a source's times. The source's clock is laid so that no frame lies in
/// the future when it is sent, since receivers hold such bundles back: the delay from a frame to
/// its tracks is taken to be the smallest one seen so far.
class WallClock {
 public:
  /// s since 1970 of the frame at `time` (s), which was known at `tracked` (s since 1970).
  double at(double time, double tracked);

 private:
  std::optional<double> zero_;  // of the source's clock, s since 1970
};

/// Open Sound Control 1.0 bundles (https://opensoundcontrol.stanford.edu/spec-1_0.html) of at most
/// `limit` bytes (at least 200): one for each camera that gave a frame, or several, each of which
/// begins with the frame's own message, where one cannot hold all markers. `tracked`: s since 1970.
std::vector<std::string> oscBundles(const Frame& frame, double tracked, WallClock& clock,
                                    size_t limit);

}  // namespace glint
