// Simulates markers that single cameras lose for a while, and counts how many of their 2D tracks
// keep their ids.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::test {

/// A scene in which each marker is hidden from one camera now and then.
struct Hiding {
  size_t cameras = 4, markers = 20;
  uint64_t frames = 600;  ///< The number of sets, at 100 Hz.
  uint64_t hidden = 40;   ///< The length of a gap in frames; the cameras take turns.
  /// True if the 3D points tell the cameras' trackers where lost tracks are now.
  bool predictedPlaces = true;
  double stitchGap = 0;  ///< The longest gap that stitching closes, s.
  unsigned seed = 1;
};

/// The number of gaps of 2D tracks, and how many of them ended with which id.
struct KeptIds {
  size_t gaps = 0;
  size_t kept = 0;     ///< The gaps after which the marker has the same id as before.
  size_t swapped = 0;  ///< The gaps after which it has an id of another marker.
};

/// Runs a 2D tracker for each camera of a ring that sees a Swarm, and counts the gaps and the ids
/// after them.
KeptIds keptIds(const Hiding& hiding);

}  // namespace glint::test
