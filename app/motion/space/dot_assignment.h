// Assigns the dots of a set to tracks of points.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/motion/space/correspond.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/set_clock.h"
#include "app/motion/space/speed_prior.h"

namespace glint::motion {

/// Assigns each dot of a set to at most one track. First, tracks with a known motion claim dots
/// near their predictions. A chi-squared test limits the distance, and the sum of all chi squared
/// values is minimal. correspond() then finds points among the remaining dots. These points
/// continue young tracks and tracks that have no dots, or begin new tracks. A copy is independent.
class DotAssignment {
 public:
  /// `maxSpeed` (mm/s): the speed of the fastest marker; 0 if there is no limit. `keepRefused`:
  /// keeps what takeRefused() returns.
  DotAssignment(const PointTrackerOptions& options, double maxSpeed, bool keepRefused);
  /// Changes the speed of the fastest marker, and forgets what was learnt of speeds.
  void setMaxSpeed(double maxSpeed) { speeds_ = SpeedPrior(options_.speeds, maxSpeed); }

  /// A set with everything that assign() needs. The references must stay valid during the call.
  struct Set {
    const SpaceRig& rig;
    /// The noise floor, which learns from the points.
    NoiseFloor& floor;
    const SpaceSet& views;
    /// Dots that become part of a point are marked as used.
    DotIndex& dots;
    const SetClock& clock;
    /// Flags for all rows of the set, see SpaceFlags.
    unsigned flags;
  };
  /// Measures the tracks, which must be predicted for this set, and adds new ones. Of two tracks
  /// that turn out to be of one marker, removes the younger one. Returns the confirmed ones among
  /// these, without their rows.
  std::vector<PointTrack> assign(const Set& set, std::vector<PointTrack>& tracks);

  /// Returns how often a camera sees a marker that is within its image, 0 to 1: the share of the
  /// expected dots that were claimed.
  double seenRate() const { return claimed_ / expected_; }

  /// Refuses the measurements of a track that was never confirmed.
  void refuse(PointTrack& track, GroupRefusal reason = GroupRefusal::unconfirmed);
  /// Returns the groups of rays and the tracks that were refused, if they are kept.
  std::vector<RefusedRow> takeRefused();

 private:
  /// The dots that a track claims, and where it is predicted.
  struct Claim {
    std::vector<Sight> sights;
    size_t expected = 0;                                     // cameras that should see it
    std::vector<std::pair<size_t, Eigen::Vector2d>> images;  // cameras and px
  };
  std::vector<Claim> claim(const Set& set, std::span<const PointTrack> tracks);
  bool fuse(const Set& set, PointTrack& track, std::span<const Sight> sights, size_t leastRays);
  void takeRest(const Set& set, PointTrack& track, const Claim& claim);
  void takeGroups(const Set& set, std::vector<PointTrack>& tracks, std::span<const Claim> claims);
  bool isOfKnown(const RayGroup& group, std::span<const PointTrack> tracks,
                 std::span<const Claim> claims) const;
  void continueTracks(const Set& set, std::span<PointTrack> tracks,
                      std::span<const RayGroup> groups, std::vector<bool>& taken);
  void continueReleased(const Set& set, std::span<PointTrack> tracks,
                        std::span<const RayGroup> groups, std::vector<bool>& taken);
  std::vector<PointTrack> removeDoubles(const Set& set, std::vector<PointTrack>& tracks);
  bool areOneMarker(const Set& set, const PointTrack& a, const PointTrack& b) const;
  double densityOfNew(const Set& set) const;
  void measure(const Set& set, PointTrack& track, const RayGroup& group);
  TakenRays takenOf(const Set& set, PointTrack* track, const RayGroup& group) const;
  void refuse(const Set& set, const RayGroup& group, GroupRefusal reason);

  PointTrackerOptions options_;
  SpeedPrior speeds_;
  double claimed_, expected_;                       // dots
  double newPoints_;                                // points that begin in a set, on average
  std::optional<std::vector<RefusedRow>> refused_;  // not taken yet; empty if they are not kept
};

}  // namespace glint::motion
