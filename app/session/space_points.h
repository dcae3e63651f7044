// Gives frames their points in space.
#pragma once

#include <memory>
#include <optional>

#include "app/frame/frame.h"
#include "app/space/point_tracker.h"
#include "app/space/space_counts.h"
#include "app/space/track_links.h"

namespace glint {

/// Computes points from the markers of each frame, as detections.csv has them: what is printed
/// there gives the same points again (`glint reconstruct`). Does nothing without a rig. Used by one
/// thread.
class SpacePoints {
 public:
  /// `rig`: its camera N is the session's; or null. `bodies` are sought among the points; or null.
  /// `refused`: what is no point is kept, too.
  SpacePoints(std::shared_ptr<const SpaceRig> rig, std::shared_ptr<const std::vector<Body>> bodies,
              const Settings& settings, bool stills, bool refused);

  /// A new pass: points begin anew, and so do their ids.
  void begin();
  /// From the next set on.
  void apply(const Settings& settings);
  /// Says, before tracks are made, where those that are lost should be: by the points of the set
  /// before.
  void foretell(Frame& frame) const;
  /// Puts a SpaceFrame into the frame's results, and says what the user should know.
  void process(Frame& frame);

  /// Ends all points: the rows that are still open. Empty without a rig.
  std::optional<SpaceFrame> finish();
  /// The same, but points go on.
  std::optional<SpaceFrame> openRows() const;

  /// Of all passes so far.
  SpaceCounts counts() const;

 private:
  std::shared_ptr<const SpaceRig> rig_;
  std::shared_ptr<const std::vector<Body>> bodies_;
  Settings::Track settings_;
  bool stills_, refused_;
  std::optional<PointTracker> tracker_;
  std::optional<TrackLinks> links_;  // with it
  SpaceCounts counts_;  // without what the tracker knows of its pass
};

}  // namespace glint
