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
  TrackPlace last;                         ///< its last measurement
  double clock = 0;                        ///< s, the time of that frame
  std::span<const TrackPlace> companions;  ///< all tracks that were measured in that frame
  double restlessness = 1;                 ///< see MarkerMotion::restlessness()
};

/// A track that was confirmed in the present frame.
struct NewTrack {
  TrackPlace now;    ///< its id is not used
  double since = 0;  ///< s, the time of its first measurement
};

/// Decides whether a new track of one camera takes over the id of one that ended at most
/// track.stitch_gap before it began. It decides at once, from the past alone. Its memory is bounded
/// by the tracks that ended within that time.
///
/// A new track takes over the id if that is likelier, by a factor, than everything else together:
/// the other ended tracks, the other new tracks of that frame, and a marker that was not seen
/// before. How likely a place is follows from the tracks that were visible both then and now. The
/// ended track may have kept its velocity, or was displaced as those near it. Or the markers may be
/// as they were in one of the scenes of the last seconds, related by an affine map, or in a
/// combination of two scenes. The assumption that would have predicted the other tracks best
/// counts.
class Stitcher {
 public:
  explicit Stitcher(const Settings::Track& settings, const StitcherOptions& options = {})
      : settings_(settings), options_(options) {}

  /// Changes the settings from now on. Ended tracks stay remembered.
  void apply(const Settings::Track& settings) { settings_ = settings; }

  /// Takes the tracks with ids that were measured in a frame, and its clock (s). Must be called for
  /// every frame.
  void watch(std::span<const TrackPlace> tracks, double clock);

  /// Takes a track that is not measured any more, and keeps the nearest of its companions.
  void remember(const EndedTrack& track);

  /// Returns the id that each of `found` takes over, or 0. `others` are the tracks with ids in this
  /// frame, `now` is its clock (s), and `interval` the usual time between frames (s).
  std::vector<TrackId> join(std::span<const NewTrack> found, std::vector<TrackPlace> others,
                            double now, double interval);

  uint64_t stitches() const { return stitches_; }  ///< joins so far

 private:
  struct Lost {
    TrackPlace last;
    double clock = 0;
    double restlessness;
    std::vector<Constellation> seen;  // in the frame of its last measurement, then in the scenes
  };
  struct Frame {
    std::vector<TrackPlace> tracks;  // those with ids, by id
    double now, interval;            // s
  };

  bool joinClear(std::span<const NewTrack> found, std::vector<TrackId>& ids, Frame& frame);
  Guess predictFromLastFrame(const Lost& lost, const Frame& frame) const;
  Guess predict(const Lost& lost, const Frame& frame) const;
  bool isWithinReach(const Lost& lost, const NewTrack& found, const Frame& frame) const;

  Settings::Track settings_;
  StitcherOptions options_;
  std::deque<std::vector<TrackPlace>> scenes_;  // of the last seconds, the newest at the end
  double lastSceneClock_ = 0;                   // s, of the newest scene
  std::deque<Lost> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint::motion
