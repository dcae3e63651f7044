// Predicts lost tracks of single cameras from points in space.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "app/motion/space/point_tracker.h"
#include "app/motion/track/observation.h"
#include "app/motion/track/predicted_place.h"

namespace glint::motion {

/// Learns which track of a camera shows which point, from sets in which the camera sees the point.
/// While only other cameras see the point, it predicts where the camera's track should be. This
/// does not influence the points, which depend on dots alone. Used by one thread.
class TrackLinks {
 public:
  explicit TrackLinks(size_t cameras, const TrackLinkOptions& options = {})
      : options_(options), cameras_(cameras) {}

  /// Learns from the newest set of `points` and from the rows of a camera's tracks in it.
  void learn(const PointTracker& points, size_t camera, std::span<const TrackRow> rows);

  /// Returns where a camera's lost tracks should be at a time (s). Leaves out places that are
  /// outside the image or too uncertain.
  std::vector<PredictedPlace> predict(const PointTracker& points, size_t camera, double time) const;

 private:
  struct Link {
    TrackId track;
    // True if the camera does not see the point in the newest set.
    bool lost;
  };
  TrackLinkOptions options_;
  // The links of each camera, one for each point.
  std::vector<std::map<uint64_t, Link>> cameras_;
};

}  // namespace glint::motion
