// Keeps ids over long gaps: joins a track that ended with a later one if nothing else is plausible.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "app/motion/track/companions.h"
#include "app/motion/track/tracker_options.h"
#include "config/settings.h"

namespace glint::motion {

/// A track that ended.
struct EndedTrack {
  /// The last measurement of the track.
  TrackPlace last;
  /// Time of that frame, s.
  double clock = 0;
  /// All tracks that were measured in that frame.
  std::span<const TrackPlace> companions;
  /// See MarkerMotion::restlessness().
  double restlessness = 1;
};

/// A track that was confirmed in the present frame.
struct NewTrack {
  /// The present place of the track. The id in it is not used.
  TrackPlace now;
  /// Time of its first measurement, s.
  double since = 0;
};

/// Decides whether a new track of one camera takes over the id of one that ended at most
/// track.stitch_gap before it began. It decides at once, from the past alone. Its memory is bounded
/// by the tracks that ended within that time.
///
/// A new track takes over the id if that is more likely than everything else together, by a factor.
/// The alternatives are the other ended tracks, the other new tracks of that frame, and a marker
/// that was not seen before. The probable place of an ended track follows from the tracks that were
/// visible both then and now. The track may have kept its velocity, or was displaced like those
/// near it. Or the markers may be arranged as in one of the scenes of the last seconds, related by
/// an affine map, or in a combination of two scenes. The assumption that would have predicted the
/// other tracks best is used.
class Stitcher {
 public:
  explicit Stitcher(const Settings::Track& settings, const StitcherOptions& options = {})
      : settings_(settings), options_(options) {}

  /// Changes the settings from now on. Ended tracks are kept.
  void apply(const Settings::Track& settings) { settings_ = settings; }

  /// Takes the tracks with ids that were measured in a frame, and its clock (s). Must be called for
  /// every frame.
  void watch(std::span<const TrackPlace> tracks, double clock);

  /// Stores a track that has ended, with the nearest of its companions.
  void remember(const EndedTrack& track);

  /// Returns for each of `found` the id that it takes over, or 0. `others` are the tracks with ids
  /// in this frame, `now` is its clock (s), and `interval` the usual time between frames (s).
  std::vector<TrackId> join(std::span<const NewTrack> found, std::vector<TrackPlace> others,
                            double now, double interval);

  /// Returns the number of joins so far.
  uint64_t stitches() const { return stitches_; }

 private:
  struct Lost {
    TrackPlace last;
    double clock = 0;
    double restlessness;
    // First in the frame of its last measurement, then in the scenes.
    std::vector<Constellation> seen;
  };
  struct Frame {
    // Tracks with ids, sorted by id.
    std::vector<TrackPlace> tracks;
    double now, interval;  // s
  };

  bool joinClear(std::span<const NewTrack> found, std::vector<TrackId>& ids, Frame& frame);
  Guess predictFromLastFrame(const Lost& lost, const Frame& frame) const;
  Guess predict(const Lost& lost, const Frame& frame) const;
  bool isWithinReach(const Lost& lost, const NewTrack& found, const Frame& frame) const;

  Settings::Track settings_;
  StitcherOptions options_;
  // Scenes of the last seconds, the newest at the end.
  std::deque<std::vector<TrackPlace>> scenes_;
  // Time of the newest scene, s.
  double lastSceneClock_ = 0;
  std::deque<Lost> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint::motion
