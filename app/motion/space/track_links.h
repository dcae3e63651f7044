// Predicts lost tracks of single cameras from points in space.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "app/motion/space/point_tracker.h"
#include "app/motion/track/foretold.h"
#include "app/motion/track/observation.h"

namespace glint::motion {

/// Learns from sets in which a camera sees a point which of its tracks is that point. While others
/// see the point and that one does not, it says where the track should be. Nothing of this comes
/// back to the points, which depend on dots alone. Used by one thread.
class TrackLinks {
 public:
  explicit TrackLinks(size_t cameras, const TrackLinkOptions& options = {})
      : options_(options), cameras_(cameras) {}

  /// Takes the newest set of `points`, and the rows of a camera's tracks in it.
  void learn(const PointTracker& points, size_t camera, std::span<const TrackRow> rows);

  /// Returns where this camera's lost tracks should be at a time (s), if that is in the image and
  /// known well enough.
  std::vector<Foretold> foretell(const PointTracker& points, size_t camera, double time) const;

 private:
  struct Link {
    TrackId track;
    bool lost;  // in the newest set
  };
  TrackLinkOptions options_;
  std::vector<std::map<uint64_t, Link>> cameras_;  // by point
};

}  // namespace glint::motion
