// Computes the points in space for frames.
#pragma once

#include <memory>
#include <optional>

#include "app/motion/frame/frame.h"
#include "app/motion/space/point_tracker.h"
#include "app/motion/space/space_counts.h"
#include "app/motion/space/track_links.h"

namespace glint::session {

/// Computes points from the markers of each frame, with the digits of detections.csv. Therefore
/// `glint reconstruct` computes the same points from that file. Does nothing without a rig. Used by
/// one thread.
class SpacePoints {
 public:
  /// Camera N of `rig` is camera N of the session; if it is null, no points are computed. `bodies`
  /// are searched for among the points; may be null. `refused` says that rays that meet without
  /// being a point are reported, too.
  SpacePoints(std::shared_ptr<const motion::SpaceRig> rig,
              std::shared_ptr<const std::vector<motion::Body>> bodies, const Settings& settings,
              bool stills, bool refused);

  /// Begins a new pass with new points. Their ids start again.
  void begin();
  /// Uses these settings from the next set on.
  void apply(const Settings& settings);
  /// Sets CameraFrame::predictedPlaces: the places where lost tracks should be according to the
  /// points of the previous set. Must run before the tracks are made.
  void predictLostTracks(motion::Frame& frame) const;
  /// Puts a SpaceFrame into the frame's results, and logs what the user should know.
  void process(motion::Frame& frame);

  /// Ends all points. Returns the rows that were not final yet, or nothing without a rig.
  std::optional<motion::SpaceFrame> finish();
  /// Returns the rows that are not final yet. The points continue.
  std::optional<motion::SpaceFrame> openRows() const;

  /// Returns the counts of all passes so far.
  motion::SpaceCounts counts() const;

 private:
  std::shared_ptr<const motion::SpaceRig> rig_;
  std::shared_ptr<const std::vector<motion::Body>> bodies_;
  Settings::Track settings_;
  bool stills_, refused_;
  std::optional<motion::PointTracker> tracker_;
  // Present if tracker_ is.
  std::optional<motion::TrackLinks> links_;
  // Counts of all passes, without those that the tracker itself counts in the present pass.
  motion::SpaceCounts counts_;
};

}  // namespace glint::session
