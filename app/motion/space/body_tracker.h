// Follows rigid bodies among the points of each set.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/motion/space/body_finder.h"

namespace glint::motion {

/// Follows bodies from set to set. For a body that was found before, the pose is predicted; its
/// markers keep their points, or take points near their predicted places. BodyFinder searches for
/// lost bodies. Takes the sets of one pass in order, in one thread. A copy is independent.
class BodyTracker {
 public:
  explicit BodyTracker(const std::vector<Body>& bodies, const BodyTrackerOptions& options = {});

  /// Processes a set. Returns the rows of the bodies that were found, in the order of the bodies,
  /// and sets BodyPoint::body and marker.
  std::vector<PoseRow> update(const BodySet& set, std::span<BodyPoint> points);
  /// Returns the predicted rows of a set after the newest one in which no camera sees anything.
  std::vector<PoseRow> predict(const BodySet& set) const;
  /// Forgets all bodies, because the next set has no connection with the last one.
  void forget();

  std::span<const KnownBody> bodies() const { return *bodies_; }
  /// Returns new sentences for the user, each once.
  std::vector<std::string> takeNotes() { return finder_.takeNotes(); }

 private:
  std::optional<PoseRow> follow(size_t body, const BodySet& set, std::span<BodyPoint> points);
  MarkerPoints claim(size_t body, const CentredBody& about, const BodyPlace& place,
                     std::span<const BodyPoint> points) const;
  bool complete(size_t body, BodyMatch& match, std::span<const BodyPoint> points) const;
  PoseRow begin(size_t body, const BodySet& set, const BodyMatch& match,
                std::span<BodyPoint> points);
  void take(size_t body, const BodyMatch& match, std::span<BodyPoint> points);

  std::shared_ptr<const std::vector<KnownBody>> bodies_;
  BodyTrackerOptions options_;
  BodyFinder finder_;
  std::vector<BodyState> states_;
};

}  // namespace glint::motion
