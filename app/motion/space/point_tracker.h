// Follows identical markers through space.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/body_tracker.h"
#include "app/motion/space/camera_doubts.h"
#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/point_stitcher.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/space_set.h"
#include "app/motion/track/frame_clock.h"
#include "config/settings.h"

namespace glint::motion {

/// Takes the sets of one pass in order. First, the tracks of the set before claim dots where they
/// are predicted, as far as chi squared allows; each dot belongs to one track, so that the sum is
/// least. correspond() makes points of the remaining dots. These points continue young tracks and
/// tracks that found nothing, or begin new ones. Final rows depend only on sets with dots. Used by
/// one thread. A copy is independent.
class PointTracker {
 public:
  /// Uses maxGap, confirm and stitchGap of `settings`. `stills`: sets have nothing to do with
  /// each other, and each point is a track of its own. `refused`: keeps what takeRefused() returns.
  /// `bodies`: the bodies that are sought among the points, or null.
  PointTracker(std::shared_ptr<const SpaceRig> rig, const Settings::Track& settings,
               bool stills = false, bool refused = false,
               std::shared_ptr<const std::vector<Body>> bodies = nullptr,
               const PointTrackerOptions& options = {});

  /// Takes a set. It needs a view for each camera of the rig, and a frame beyond the last one's.
  void update(const SpaceSet& set);

  /// Returns the confirmed points of the newest set, by id.
  std::vector<SpaceRow> now() const;
  /// Returns the rows that will not change any more, by frame and id. The rows of a gap are final
  /// once the point is measured again. The predicted end of a track is dropped.
  std::vector<SpaceRow> takeFinalised();
  /// Returns the groups of rays and the tracks that were refused, if they are kept.
  std::vector<RefusedRow> takeRefused();

  /// Returns all three, and the poses of the newest set.
  SpaceFrame takeFrame();

  /// Ends all tracks, so that takeFinalised() returns all remaining rows.
  void finish();

  uint64_t points() const { return given_; }  ///< ids so far
  uint64_t sets() const { return sets_; }     ///< sets in which cameras saw anything
  /// The bodies that are sought.
  std::span<const Body> bodies() const {
    return bodies_ ? std::span<const Body>(bodies_->bodies()) : std::span<const Body>();
  }
  uint64_t stitches() const { return stitcher_.stitches(); }
  const NoiseFloor& floor() const { return floor_; }
  /// The greatest difference between the cameras' times in a set, s.
  double worstSpread() const { return worstSpread_; }
  const SpaceRig& rig() const { return *rig_; }
  /// All tracks in the newest set, confirmed or not.
  std::span<const PointTrack> tracks() const { return tracks_; }
  /// The time of the newest set, s.
  double time() const { return time_; }
  /// The corrections of the rig so far, a few words each: see SpaceRig::corrects().
  const std::vector<std::string>& corrections() const { return corrections_; }
  /// A sentence for each camera that has stood elsewhere than the rig says since the first set.
  std::vector<std::string> cameraDoubts() const {
    return doubts_.sentences(*rig_, moveDetector_, floor_);
  }
  /// Changes the settings from the next set on.
  void apply(const Settings::Track& settings);
  /// How often a camera sees a marker that is in its image, 0 to 1.
  double seenRate() const { return claimed_ / expected_; }

 private:
  void claim(const SpaceSet& set, DotIndex& dots);
  void fuse(PointTrack& track, std::vector<Sight> sights, DotIndex& dots);
  void takeGroups(DotIndex& dots);
  bool doubles(const RayGroup& group) const;
  void refuse(const RayGroup& group, GroupRefusal reason);
  TakenRays takenOf(PointTrack* track, const RayGroup& group);
  void confirm();
  void end();
  void drop(PointTrack& track);
  void watch(const SpaceSet& set, const DotIndex& dots);
  bool correct(const CameraMove& move);
  void foretellBodies(uint64_t frame);
  void fillPoses(uint64_t frame, double time);
  void followBodies();
  void release();
  std::vector<PointPlace> places() const;
  double usualJerk() const;

  std::shared_ptr<const SpaceRig> rig_;
  PairGeometry geometry_;
  Settings::Track settings_;
  PointTrackerOptions options_;
  bool stills_, keepRefused_;
  NoiseFloor floor_;
  FrameClock clock_;
  PointStitcher stitcher_;
  std::vector<PointTrack> tracks_;
  /// The places of points with ids, by frame, in the sets that a track may have been measured in
  /// last.
  std::deque<std::pair<uint64_t, std::vector<PointPlace>>> scenes_;
  std::vector<char> measured_;            // true for tracks that were measured in this set
  std::vector<std::vector<Sight>> rays_;  // the rays of each track in this set
  uint64_t frame_ = 0, given_ = 0, sets_ = 0;
  std::optional<uint64_t> fresh_;  // the newest set, until takeFrame() returns it
  double time_ = 0, step_ = 0, worstSpread_ = 0;
  unsigned flags_ = 0;
  double claimed_, expected_;                       // dots, for seenRate()
  std::map<uint64_t, std::vector<SpaceRow>> rows_;  // not taken yet, by frame
  uint64_t open_ = 0;                               // the first frame with a row that is not final
  std::vector<RefusedRow> refused_;
  CameraMoveDetector moveDetector_;
  CameraDoubts doubts_;
  std::vector<std::string> notes_;  // not taken yet
  std::vector<std::string> corrections_;
  std::optional<BodyTracker> bodies_;
  std::vector<PoseRow> poses_, finalPoses_;  // not taken yet
};

}  // namespace glint::motion
