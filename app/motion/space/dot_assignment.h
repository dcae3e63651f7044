// Gives the dots of a set to the tracks of points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/correspond.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/set_clock.h"

namespace glint::motion {

/// Gives each dot of a set to one track at most. First, the tracks whose motion is known claim dots
/// where they are predicted, as far as chi squared allows, so that the sum is least. correspond()
/// makes points of the remaining dots. These points continue young tracks and tracks that found
/// nothing, or begin new ones. A copy is independent.
class DotAssignment {
 public:
  /// `keepRefused`: keeps what takeRefused() returns.
  DotAssignment(const PointTrackerOptions& options, bool keepRefused);

  /// A set, and what its dots are compared with.
  struct Set {
    const SpaceRig& rig;
    NoiseFloor& floor;  ///< learns from the points
    const SpaceSet& views;
    DotIndex& dots;  ///< dots that belong to a point become used
    const SetClock& clock;
    unsigned flags;  ///< of every row of the set, see SpaceFlags
  };
  /// Measures the tracks, which must be predicted for this set, and adds new ones.
  void assign(const Set& set, std::vector<PointTrack>& tracks);

  /// How often a camera sees a marker that is in its image, 0 to 1: the share of the expected dots
  /// that were claimed.
  double seenRate() const { return claimed_ / expected_; }

  /// Refuses the measurements of a track that was never confirmed.
  void refuse(PointTrack& track);
  /// Returns the groups of rays and the tracks that were refused, if they are kept.
  std::vector<RefusedRow> takeRefused();

 private:
  void claim(const Set& set, std::span<PointTrack> tracks);
  void fuse(const Set& set, PointTrack& track, const std::vector<Sight>& sights);
  void takeGroups(const Set& set, std::vector<PointTrack>& tracks);
  std::vector<int> continuations(const Set& set, std::span<PointTrack> tracks,
                                 std::span<const RayGroup> groups) const;
  void measure(const Set& set, PointTrack& track, const RayGroup& group) const;
  TakenRays takenOf(const Set& set, PointTrack* track, const RayGroup& group) const;
  void refuse(const Set& set, const RayGroup& group, GroupRefusal reason);

  PointTrackerOptions options_;
  double claimed_, expected_;                       // dots
  std::optional<std::vector<RefusedRow>> refused_;  // not taken yet; empty if they are not kept
};

}  // namespace glint::motion
