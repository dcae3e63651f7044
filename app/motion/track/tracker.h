// Follows markers from frame to frame: decides which is which, and where each one will be next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/motion/track/frame_clock.h"
#include "app/motion/track/frame_history.h"
#include "app/motion/track/hot_pixels.h"
#include "app/motion/track/observation.h"
#include "app/motion/track/repeated_frames.h"
#include "app/motion/track/scene_statistics.h"
#include "app/motion/track/stitcher.h"
#include "app/motion/track/track.h"
#include "app/motion/track/track_ids.h"
#include "app/motion/track/tracker_options.h"
#include "app/motion/track/untracked.h"
#include "config/settings.h"

namespace glint::motion {

/// The predicted place of a track in the next frame.
struct Prediction {
  TrackId track;
  double x = 0, y = 0;  ///< px
  double radius = 0;    ///< px, beyond which the track accepts no measurement
};

/// The tracks of one camera. The same input gives the same rows on every run, and the order of the
/// observations of a frame does not matter. Used by one thread at a time.
///
/// A new track gets an id after `track.confirm` measurements with at most one missed frame among
/// them, and none right after the first; its rows then start at its first measurement. Light in a
/// single pixel that never moves comes from a hot pixel and gets no id, unless `track.confirm`
/// is 1. A track continues without measurements for at most `track.max_gap` frames, fewer while it
/// is young.
///
/// A marker that left its gate by a sharp turn, or was hidden for long, begins a new track. If that
/// is confirmed, and more likely the old marker than another one, it takes over the old id. After a
/// gap of more than `track.max_gap` frames a Stitcher decides that (track.stitch_gap).
class Tracker {
 public:
  Tracker(const Settings::Track& settings, std::shared_ptr<TrackIds> ids,
          const TrackerOptions& options = {});

  /// Makes new tracks take their ids from `ids`. A copy of a tracker needs that.
  void share(std::shared_ptr<TrackIds> ids) { ids_ = std::move(ids); }

  /// Changes the settings from the next frame on; tracks continue.
  void apply(const Settings::Track& settings);

  /// Takes everything that was measured in one frame; an empty span is a frame without markers.
  /// Times may be irregular. Frame numbers may leave gaps, which are frames in which no track was
  /// missed, but which count towards track.max_gap.
  /// Observations whose x or y is no finite number are ignored.
  /// Throws Error if the frame's number is not greater than the last one's.
  /// `foretold` has the places of tracks that were not measured in the last frame, but whose
  /// markers other cameras see. Such a track is not given up. If its gap is longer than
  /// track.max_gap, it has no rows, as if the track had been stitched.
  void update(const FrameTime& at, std::span<const Observation> observations,
              std::span<const Foretold> foretold = {});

  /// Returns each confirmed track in the last frame, by id. Those not measured there are
  /// `predicted`. Ids are final.
  std::vector<TrackRow> live() const;

  /// Returns each track that is not confirmed yet and was measured in the last frame and before.
  /// Its id is 0.
  std::vector<TrackRow> tentative() const;

  /// Returns each confirmed track one usual frame interval after the last frame, by id.
  std::vector<Prediction> predictions() const;

  /// Returns the rows that are final and have waited long enough (RowOptions), by frame and then
  /// id. Rows wait until no row of an earlier frame can come any more. Over all calls the frames go
  /// forward, except for rows that become final after the longest wait: those of a long gap, and
  /// the first ones of a track that took long to be confirmed. The rows of one track always go
  /// forward.
  ///
  /// The rows of a gap become final when the track is measured again, and lie on the likeliest path
  /// between its ends. The predicted end of a track is dropped, and so is a track that was never
  /// confirmed.
  std::vector<TrackRow> takeFinalised();

  /// Ends every track, so that the next takeFinalised() returns all remaining rows.
  void finish();

  /// Tracks that took over an id after a gap longer than track.max_gap.
  uint64_t stitches() const { return stitcher_.stitches(); }

  /// Frames that repeat the one before.
  uint64_t repeats() const { return repeatedFrames_.count(); }

  /// Measurements in no track so far. Those of tracks that may still be confirmed are not included.
  const Untracked& untracked() const { return untracked_; }

 private:
  FrameContext context() const {
    return {settings_, options_, now_, frames_, clock_.interval(), usual_};
  }
  Track* lostTrack(TrackId id);
  void endTracks();
  void countUntracked(const Track& ended);
  std::vector<TrackPlace> measuredPlaces() const;

  std::vector<int> match(std::span<const Observation> seen) const;
  std::vector<size_t> joinLost(std::span<const Observation> seen, std::vector<int>& matches) const;
  std::vector<bool> ableToShare(const std::vector<bool>& jumped) const;
  void take(std::span<const Observation> seen, const TracksOfFrame& before);
  void repeat(std::span<const Observation> seen);

  bool isHotPixel(const Track& track) const;
  bool isKnownHotPixel(const Track& track) const;
  bool isOfHotPixel(const Observation& seen) const;

  void confirm();
  std::vector<TrackId> stitch(const std::vector<size_t>& found);
  void promote(Track& track, const Track* lost, TrackId id);

  void keepRowsOf(Track& track, const std::vector<TrackPoint>& points);
  void keep(const std::vector<TrackPoint>& points);
  bool isWithoutRows(const Track& track) const;
  FrameNumber heldFrom() const;
  FrameNumber firstUnfinished() const;
  void forgetFrames();

  Settings::Track settings_;
  TrackerOptions options_;
  std::shared_ptr<TrackIds> ids_;
  Stitcher stitcher_;
  FrameClock clock_;
  RepeatedFrames repeatedFrames_;
  SceneStatistics scene_;
  HotPixels hotPixels_;
  UsualMotion usual_;    // in the frame before
  FrameHistory frames_;  // from the first one that a gap or a waiting row needs
  Stamp now_;            // the last of them
  Untracked untracked_;
  std::vector<Track> tracks_;                          // confirmed by id, then the others by age
  std::map<FrameNumber, std::vector<TrackRow>> rows_;  // final and not yet taken, by frame and id
};

}  // namespace glint::motion
