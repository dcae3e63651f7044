// Ids that outlast long gaps: joins a track that ended with a later one where nothing else is
// plausible.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "config/settings.h"

namespace glint {

/// Where a track is in one frame.
struct TrackPlace {
  uint64_t id = 0;
  double x = 0, y = 0;    ///< px
  double vx = 0, vy = 0;  ///< px/s
};

/// A track that ended, with the tracks seen in the frame of its last measurement.
struct EndedTrack {
  TrackPlace last;
  double clock = 0;  ///< s, of that frame
  std::vector<TrackPlace> companions;
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
/// It does if that is five times as likely as all else together: the other ended tracks, the other
/// new tracks of that frame, and a marker that was not seen before. How likely a place is follows
/// from the tracks seen both then and now: whether they kept their velocities, or were displaced as
/// those near them, and how well that would have foretold each one's own place.
class Stitcher {
 public:
  explicit Stitcher(const Settings::Track& settings) : settings_(settings) {}

  /// From now on; what is remembered stays.
  void apply(const Settings::Track& settings) { settings_ = settings; }

  /// Takes a track that is not measured any more. Of its companions the nearest are kept.
  void remember(EndedTrack track);

  /// The id that each of `found` takes over, or 0. `others` are the tracks with ids in this frame,
  /// `now` its clock and `interval` the usual time between frames, s.
  std::vector<uint64_t> join(std::span<const NewTrack> found, std::vector<TrackPlace> others,
                             double now, double interval);

  uint64_t stitches() const { return stitches_; }  ///< joined so far

 private:
  struct Guess {
    double x = 0, y = 0, variance = 0;  // px, px^2 along each axis
  };
  struct Frame {
    std::vector<TrackPlace> tracks;  // with ids
    double now, interval;
  };

  bool joinClear(std::span<const NewTrack> found, std::vector<uint64_t>& ids, Frame& frame);
  Guess expect(const EndedTrack& lost, const Frame& frame) const;
  double likelihood(const EndedTrack& lost, const Guess& guess, const NewTrack& found,
                    const Frame& frame) const;

  Settings::Track settings_;
  std::deque<EndedTrack> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint
