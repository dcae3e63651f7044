// Gives frames their points in space.
#pragma once

#include <memory>
#include <optional>

#include "app/motion/frame/frame.h"
#include "app/motion/space/point_tracker.h"
#include "app/motion/space/space_counts.h"
#include "app/motion/space/track_links.h"

namespace glint::session {

/// Computes points from the markers of each frame, as detections.csv has them: what is printed
/// there gives the same points again (`glint reconstruct`). Does nothing without a rig. Used by one
/// thread.
class SpacePoints {
 public:
  /// `rig`: its camera N is the session's; null: no points are made. `bodies` are sought among the
  /// points; may be null. `refused`: rays that meet and are no point are reported, too.
  SpacePoints(std::shared_ptr<const motion::SpaceRig> rig,
              std::shared_ptr<const std::vector<motion::Body>> bodies, const Settings& settings,
              bool stills, bool refused);

  /// Begins a new pass: points begin anew, and so do their ids.
  void begin();
  /// Uses these settings from the next set on.
  void apply(const Settings& settings);
  /// Sets CameraFrame::foretold: where lost tracks should be, by the points of the set before. Runs
  /// before tracks are made.
  void predictLostTracks(motion::Frame& frame) const;
  /// Puts a SpaceFrame into the frame's results, and logs what the user should know.
  void process(motion::Frame& frame);

  /// Ends all points. Returns the rows that were still open; empty without a rig.
  std::optional<motion::SpaceFrame> finish();
  /// The same, but points go on.
  std::optional<motion::SpaceFrame> openRows() const;

  /// Returns the counts of all passes so far.
  motion::SpaceCounts counts() const;

 private:
  std::shared_ptr<const motion::SpaceRig> rig_;
  std::shared_ptr<const std::vector<motion::Body>> bodies_;
  Settings::Track settings_;
  bool stills_, refused_;
  std::optional<motion::PointTracker> tracker_;
  std::optional<motion::TrackLinks> links_;  // with it
  motion::SpaceCounts counts_;  // of all passes; without what the tracker itself counts in its pass
};

}  // namespace glint::session
