// Follows markers from frame to frame: decides which is which, and predicts where each one will be.
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
  /// Distance beyond which the track accepts no measurement, px.
  double radius = 0;
};

/// The tracks of one camera. The same input gives the same rows in every run, and the order of the
/// observations of a frame does not matter. Used by one thread at a time.
///
/// A new track gets an id after `track.confirm` measurements. Among them it may be missed in one
/// frame, but not right after the first measurement. Its rows then start at its first measurement.
/// Light in a single pixel that never moves comes from a hot pixel and gets no id, unless
/// `track.confirm` is 1. A track continues without measurements for at most `track.max_gap` frames,
/// or fewer while it is young.
///
/// A marker that left its gate by a sharp turn, or was hidden for long, begins a new track. When
/// that is confirmed, it takes over the old id if it is more likely the old marker than another
/// one. After a gap of more than `track.max_gap` frames, a Stitcher decides that
/// (track.stitch_gap).
class Tracker {
 public:
  Tracker(const Settings::Track& settings, std::shared_ptr<TrackIds> ids,
          const TrackerOptions& options = {});

  /// Makes new tracks take their ids from `ids`. Call this for a copy of a tracker that shall not
  /// share the ids of the original.
  void share(std::shared_ptr<TrackIds> ids) { ids_ = std::move(ids); }

  /// Changes the settings for all following frames. Tracks continue.
  void apply(const Settings::Track& settings);

  /// Processes everything that was measured in one frame; an empty span is a frame without markers.
  /// Times may be irregular. Frame numbers may leave gaps. In such frames no track was missed, but
  /// they count towards track.max_gap. Observations whose x or y is not finite are ignored. Throws
  /// Error if the frame's number is not greater than the last one's. `predictedPlaces` has the
  /// places of tracks that were not measured in the last frame, but whose markers other cameras
  /// see. Such a track is not given up. If its gap is longer than track.max_gap, the gap has no
  /// rows, as if the track had been stitched.
  void update(const FrameTime& at, std::span<const Observation> observations,
              std::span<const PredictedPlace> predictedPlaces = {});

  /// Returns each confirmed track in the last frame, sorted by id. Those that were not measured
  /// there are `predicted`. Ids are final.
  std::vector<TrackRow> live() const;

  /// Returns each track that is not confirmed yet and was measured in the last frame and before
  /// that. Its id is 0.
  std::vector<TrackRow> tentative() const;

  /// Returns the prediction of each confirmed track one usual frame interval after the last frame,
  /// sorted by id.
  std::vector<Prediction> predictions() const;

  /// Returns the rows that are final and have waited long enough (RowOptions), sorted by frame and
  /// then id. Rows wait until no row of an earlier frame can follow any more. Over all calls the
  /// frames are in ascending order, except for rows that become final after the longest wait. These
  /// are the rows of a long gap, and the first rows of a track that took long to be confirmed. The
  /// rows of one track are always in ascending order.
  ///
  /// The rows of a gap become final when the track is measured again, and lie on the most likely
  /// path between its ends. Predictions after the last measurement of a track are dropped, and so
  /// is a track that was never confirmed.
  std::vector<TrackRow> takeFinalised();

  /// Ends every track, so that the next takeFinalised() returns all remaining rows.
  void finish();

  /// Returns the number of tracks that took over an id after a gap longer than track.max_gap.
  uint64_t stitches() const { return stitcher_.stitches(); }

  /// Returns the number of frames that repeat the previous one.
  uint64_t repeats() const { return repeatedFrames_.count(); }

  /// Returns the measurements that are in no track. Those of tracks that may still be confirmed are
  /// not included.
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
  // The usual motion in the previous frame.
  UsualMotion usual_;
  // The frames from the first one that a gap or a waiting row needs.
  FrameHistory frames_;
  // Time and number of the last frame.
  Stamp now_;
  Untracked untracked_;
  // Confirmed tracks, sorted by id, then the other tracks, sorted by age.
  std::vector<Track> tracks_;
  // Final rows that were not returned yet, by frame and id.
  std::map<FrameNumber, std::vector<TrackRow>> rows_;
};

}  // namespace glint::motion
