// Follows identical markers through space.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/space/body_tracker.h"
#include "app/space/camera_doubts.h"
#include "app/space/camera_move_detector.h"
#include "app/space/point_stitcher.h"
#include "app/space/point_track.h"
#include "app/space/space_set.h"
#include "app/track/frame_clock.h"
#include "config/settings.h"

namespace glint {

/// Takes the sets of one pass in order. Tracks of the set before claim their dots first: where they
/// are predicted, as far as chi squared allows; each dot once, so that the sum is least. Of what is
/// left correspond() makes points. These go on with young tracks and with those that found nothing,
/// or begin new ones. What is final depends on sets with dots alone. Used by one thread; a copy
/// goes on by itself.
class PointTracker {
 public:
  /// Of `settings` it uses maxGap, confirm and stitchGap. `stills`: sets share nothing, and each
  /// point is a track of its own. `bodies`: those that are sought among the points; or null.
  PointTracker(std::shared_ptr<const SpaceRig> rig, const Settings::Track& settings,
               bool stills = false, bool refused = false,
               std::shared_ptr<const std::vector<Body>> bodies = nullptr);

  /// Needs a camera's view for each of the rig, and a frame beyond the last one's.
  void update(const SpaceSet& set);

  /// Confirmed points of the newest set, by id.
  std::vector<SpaceRow> now() const;
  /// Rows that will not change any more, by frame and id. A gap's rows are final once the point is
  /// measured again; those of an end that was only predicted never come.
  std::vector<SpaceRow> takeFinalised();
  /// What was refused, where that is kept.
  std::vector<RefusedRow> takeRefused();

  /// All three, and the poses of the newest set.
  SpaceFrame takeFrame();

  /// Ends all tracks: takeFinalised() gives all that is left.
  void finish();

  uint64_t points() const { return given_; }
  uint64_t sets() const { return sets_; }  ///< in which cameras saw anything
  /// That are sought.
  std::span<const Body> bodies() const {
    return bodies_ ? std::span<const Body>(bodies_->bodies()) : std::span<const Body>();
  }
  uint64_t stitches() const { return stitcher_.stitches(); }
  const NoiseFloor& floor() const { return floor_; }
  /// s, the longest between the cameras' times of a set.
  double worstSpread() const { return worstSpread_; }
  const SpaceRig& rig() const { return *rig_; }
  /// Of the newest set: all tracks, confirmed or not, and the time that they are at, s.
  std::span<const PointTrack> tracks() const { return tracks_; }
  double time() const { return time_; }
  /// What of the rig was corrected, a few words each: see SpaceRig::corrects().
  const std::vector<std::string>& corrections() const { return corrections_; }
  /// Cameras that stand elsewhere than the rig says since the first set, a sentence each.
  std::vector<std::string> cameraDoubts() const {
    return doubts_.sentences(*rig_, moveDetector_, floor_);
  }
  /// From the next set on.
  void apply(const Settings::Track& settings);
  /// How often a camera sees a marker in its image.
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
  bool stills_, keepRefused_;
  NoiseFloor floor_;
  FrameClock clock_;
  PointStitcher stitcher_;
  std::vector<PointTrack> tracks_;
  /// Where points with ids were, in the sets that a track may have been measured in last.
  std::deque<std::pair<uint64_t, std::vector<PointPlace>>> scenes_;
  std::vector<char> measured_;            // of each track, in this set
  std::vector<std::vector<Sight>> rays_;  // of each track, in this set
  uint64_t frame_ = 0, given_ = 0, sets_ = 0;
  std::optional<uint64_t> fresh_;  // the newest set, if it is not handed on
  double time_ = 0, step_ = 0, worstSpread_ = 0;
  unsigned flags_ = 0;
  double claimed_ = 35, expected_ = 50;             // the start counts like so many dots
  std::map<uint64_t, std::vector<SpaceRow>> rows_;  // by frame, not handed on
  uint64_t open_ = 0;                               // the first frame of which a row is not final
  std::vector<RefusedRow> refused_;
  CameraMoveDetector moveDetector_;
  CameraDoubts doubts_;
  std::vector<std::string> notes_;  // not handed on
  std::vector<std::string> corrections_;
  std::optional<BodyTracker> bodies_;
  std::vector<PoseRow> poses_, finalPoses_;  // not handed on
};

}  // namespace glint
