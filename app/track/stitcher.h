// Ids that outlast long gaps: joins a track that ended with a later one where nothing else is
// plausible.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "app/track/frame_clock.h"
#include "app/track/observation.h"
#include "app/track/track_ids.h"
#include "config/settings.h"

namespace glint {

/// Gives the tracks of one camera the ids that users see. It reads settled rows only and delays
/// none: a track's id is decided with its first row, from what has been until then. Memory is
/// bounded by the tracks at hand and those that ended within track.stitch_gap.
///
/// A track that begins takes over the id of one that ended at most track.stitch_gap before, if that
/// is kOdds times as likely as all else together: the other ended tracks, the other beginning
/// tracks of that frame, and a marker that was not seen before. How likely a place is follows from
/// the tracks seen both then and now: whether they kept their velocities, or were displaced as
/// those near them, and how well that would have foretold each one's own place.
class Stitcher {
 public:
  Stitcher(const Settings::Track& settings, std::shared_ptr<TrackIds> ids);

  /// Gives settled rows their final ids, and sorts them by frame and id. `settled` holds whole
  /// frames, in order, in each of which every track has a row until it ends.
  void giveIds(std::span<TrackRow> settled);

  /// The rows of tracks whose ids are decided, by id; the others are left out.
  std::vector<TrackRow> known(std::span<const TrackRow> rows) const;

  uint64_t stitches() const { return stitches_; }  ///< joined so far

 private:
  struct Named {
    uint64_t id = 0;
    uint64_t rows = 0;
    TrackRow last;
  };
  struct Place {
    uint64_t id = 0;
    double x = 0, y = 0;    // px
    double vx = 0, vy = 0;  // px/s
  };
  struct Ended {
    Place last;
    double clock = 0;               // s, of its last row
    std::vector<Place> companions;  // tracks near it in that frame
  };
  struct Guess {
    double x = 0, y = 0, variance = 0;  // px, px^2 along each axis
  };

  void endTracks(std::span<const TrackRow> rows);
  void remember(const Named& track);
  void nameNew(std::span<const TrackRow> rows);
  bool joinClear(std::vector<const TrackRow*>& found, std::span<const TrackRow> rows);
  Guess expect(const Ended& lost, std::span<const TrackRow> rows) const;
  double likelihood(const Ended& lost, const Guess& guess, const TrackRow& found) const;
  void name(const TrackRow& row, uint64_t id) { named_[row.track] = {id, 0, row}; }

  Settings::Track settings_;
  std::shared_ptr<TrackIds> ids_;
  FrameClock clock_;
  double lastClock_ = 0;             // of the rows in named_
  std::map<uint64_t, Named> named_;  // by the tracker's own id; all have a row in the last frame
  std::deque<Ended> ended_;          // oldest first
  uint64_t stitches_ = 0;
};

}  // namespace glint
