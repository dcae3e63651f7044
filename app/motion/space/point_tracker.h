// Follows identical markers through space.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/motion/space/body_poses.h"
#include "app/motion/space/dot_assignment.h"
#include "app/motion/space/final_rows.h"
#include "app/motion/space/point_ids.h"
#include "app/motion/space/rig_check.h"
#include "config/settings.h"

namespace glint::motion {

/// Processes the sets of one pass in order. In each set, DotAssignment measures the tracks and
/// begins new ones. RigCheck then compares the rig with them, PointIds gives them ids, BodyPoses
/// finds bodies among them, and FinalRows collects their rows. Final rows depend only on sets with
/// dots. Used by one thread. A copy is independent.
class PointTracker {
 public:
  /// Uses maxGap, confirm and stitchGap of `settings`. With `stills`, the sets are unrelated, and
  /// each point of a set is a track of its own. `refused` says that refused groups are kept for
  /// takeRefused(). `bodies` are the bodies to find among the points, or null.
  PointTracker(std::shared_ptr<const SpaceRig> rig, const Settings::Track& settings,
               bool stills = false, bool refused = false,
               const std::shared_ptr<const std::vector<Body>>& bodies = nullptr,
               const PointTrackerOptions& options = {});

  /// Processes a set. It needs a view for each camera of the rig, and a higher frame number than
  /// the previous set.
  void update(const SpaceSet& set);

  /// Returns the confirmed points of the newest set, sorted by id.
  std::vector<SpaceRow> now() const;
  /// Returns the rows that will not change any more, sorted by frame and id, each once. The rows of
  /// a gap become final when the point is measured again. Predictions after the last measurement of
  /// a track are dropped.
  std::vector<SpaceRow> takeFinalised() { return rows_.take(); }
  /// Returns the groups of rays and the tracks that were refused since the last call, if they are
  /// kept.
  std::vector<RefusedRow> takeRefused() { return dotAssignment_.takeRefused(); }

  /// Returns now(), takeFinalised(), takeRefused(), the poses of the newest set and new notes.
  SpaceFrame takeFrame();

  /// Ends all tracks, so that takeFinalised() returns all remaining rows. If hasFewSets(), the
  /// tracks that were measured in all sets become points.
  void finish();
  /// Returns true if there were sets with dots, but fewer than track.confirm.
  bool hasFewSets() const {
    return clock_.sets() > 0 && clock_.sets() < static_cast<uint64_t>(settings_.confirm);
  }

  /// Changes the settings for all following sets.
  void apply(const Settings::Track& settings);

  /// The measurements that a point needs: track.confirm.
  int confirm() const { return settings_.confirm; }
  uint64_t points() const { return ids_.given(); }  ///< ids so far
  uint64_t stitches() const { return ids_.stitches(); }
  /// Returns the times of the sets in which cameras saw anything.
  const SetClock& clock() const { return clock_; }
  /// Returns the bodies that are searched for.
  std::span<const KnownBody> bodies() const {
    return bodies_ ? bodies_->bodies() : std::span<const KnownBody>();
  }
  const NoiseFloor& floor() const { return floor_; }
  const SpaceRig& rig() const { return *rigCheck_.rig(); }
  /// Returns all tracks in the newest set, confirmed or not.
  std::span<const PointTrack> tracks() const { return tracks_; }
  /// Returns the corrections of the rig so far, a few words each: see SpaceRig::corrects().
  const std::vector<std::string>& corrections() const { return rigCheck_.corrections(); }
  /// Returns a sentence for each camera that has been in another place than the rig says since the
  /// first set.
  std::vector<std::string> cameraDoubts() const { return rigCheck_.doubts(floor_); }

 private:
  void checkRig(const SpaceSet& set, const DotIndex& dots);
  void endTracks();

  Settings::Track settings_;
  PointTrackerOptions options_;
  bool stills_;
  NoiseFloor floor_;
  SetClock clock_;
  std::vector<PointTrack> tracks_;
  DotAssignment dotAssignment_;
  PointIds ids_;
  FinalRows rows_;
  RigCheck rigCheck_;
  std::optional<BodyPoses> bodies_;
  // The newest set, until takeFrame() has returned it.
  std::optional<uint64_t> fresh_;
};

}  // namespace glint::motion
