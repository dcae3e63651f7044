// Ids that outlast long gaps: joins a track that ended with a later one where nothing else is
// plausible.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "app/track/companions.h"
#include "config/settings.h"

namespace glint {

/// A track that ended, with all tracks seen in the frame of its last measurement.
struct EndedTrack {
  TrackPlace last;
  double clock = 0;  ///< s, of that frame
  std::span<const TrackPlace> companions;
  double restlessness = 1;  ///< Track::restlessness()
};

/// A track that has earned its id in the present frame.
struct NewTrack {
  TrackPlace now;    ///< its id is not used
  double since = 0;  ///< s, of its first measurement
};

/// Decides at once, from what has been until then, whether a new track of one camera takes over the
/// id of one that ended at most track.stitch_gap before it began. Memory is bounded by the tracks
/// that ended within that time.
///
/// It does if that is likelier than all else together by a factor: the other ended tracks, the
/// other new tracks of that frame, and a marker that was not seen before. How likely a place is
/// follows from the tracks seen both then and now: whether they kept their velocities, were
/// displaced as those near them, or are as they were in one of the scenes of the last seconds, as
/// an affine map of that scene goes, or as a combination of two of them; and how well that would
/// have predicted each one's own place.
class Stitcher {
 public:
  explicit Stitcher(const Settings::Track& settings) : settings_(settings) {}

  /// From now on; what is remembered stays.
  void apply(const Settings::Track& settings) { settings_ = settings; }

  /// Takes the tracks with ids that were measured in a frame, and its clock, s: each frame's.
  void watch(std::span<const TrackPlace> tracks, double clock);

  /// Takes a track that is not measured any more. Of its companions the nearest are kept.
  void remember(const EndedTrack& track);

  /// The id that each of `found` takes over, or 0. `others` are the tracks with ids in this frame,
  /// `now` its clock and `interval` the usual time between frames, s.
  std::vector<TrackId> join(std::span<const NewTrack> found, std::vector<TrackPlace> others,
                            double now, double interval);

  uint64_t stitches() const { return stitches_; }  ///< joined so far

 private:
  struct Lost {
    TrackPlace last;
    double clock = 0;
    double restlessness;
    std::vector<Constellation> seen;  // in the frame of its last measurement, then in scenes
  };
  struct Frame {
    std::vector<TrackPlace> tracks;  // with ids, by id
    double now, interval;
  };

  bool joinClear(std::span<const NewTrack> found, std::vector<TrackId>& ids, Frame& frame);
  Guess sinceLast(const Lost& lost, const Frame& frame) const;
  Guess expect(const Lost& lost, const Frame& frame) const;
  bool isWithinReach(const Lost& lost, const NewTrack& found, const Frame& frame) const;

  Settings::Track settings_;
  std::deque<std::vector<TrackPlace>> scenes_;  // of the last seconds
  double watched_ = 0;                          // s, the clock of the last one
  std::deque<Lost> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint
