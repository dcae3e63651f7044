// Follows markers from frame to frame: who is who, and where each one will be next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/track/frame_clock.h"
#include "app/track/frame_history.h"
#include "app/track/observation.h"
#include "app/track/scene_motion.h"
#include "app/track/stitcher.h"
#include "app/track/track.h"
#include "app/track/track_ids.h"
#include "config/settings.h"

namespace glint {

/// Where a track is expected in the next frame.
struct Prediction {
  TrackId track;
  double x = 0, y = 0;  ///< px
  double radius = 0;    ///< px, beyond which the track accepts no measurement
};

/// What was measured, but is in no track: each piece of it ended before it was confirmed.
struct Untracked {
  uint64_t observations = 0;
  uint64_t ofHotPixels = 0;  ///< not among these: of single pixels that never moved
  uint64_t flashes = 0;      ///< among these: of single pixels that were seen too seldom for that
  uint64_t steps = 0;        ///< between these: several running, alike, that no others could be
  double farthest = 0;       ///< px, the longest of these steps

  void add(const Untracked& other);
};

/// The tracks of one camera. The same input gives the same rows on every run, and the order of the
/// observations of a frame does not matter. Used by one thread at a time.
///
/// A new track gets an id after `track.confirm` measurements with at most one missed frame among
/// them, and none right after the first; its rows then start at its first measurement. Light in a
/// single pixel that never moves is a hot pixel, and gets none unless `track.confirm` is 1; nor
/// does such light where it was seen before. A track coasts without measurements for at most
/// `track.max_gap` frames, fewer while it is young. A marker that left its gate by a sharp turn, or
/// stayed away for long, begins a new track; if that is confirmed and likelier the old marker than
/// another one, it takes the old id over; after a longer gap a Stitcher decides that
/// (track.stitch_gap).
class Tracker {
 public:
  Tracker(const Settings::Track& settings, std::shared_ptr<TrackIds> ids);

  /// Of a copy: new tracks take their numbers from these.
  void share(std::shared_ptr<TrackIds> ids) { ids_ = std::move(ids); }

  /// From the next frame on; tracks go on.
  void apply(const Settings::Track& settings);

  /// Takes all that was measured in one frame; an empty span is a frame without markers.
  /// Times may be irregular; frame numbers may leave gaps, frames in which no track was missed, but
  /// which count towards track.max_gap.
  /// Observations whose x or y is no finite number are ignored.
  /// Throws Error when the frame's number is not greater than the last one's.
  /// `foretold`: of tracks that were not measured in the frame before, where they should be. Such a
  /// track is not given up. A gap of more than track.max_gap has no rows then, as if it had been
  /// stitched.
  void update(const FrameTime& at, std::span<const Observation> observations,
              std::span<const Foretold> foretold = {});

  /// Each confirmed track in the last frame, by id; those not measured there are `predicted`. Ids
  /// are final.
  std::vector<TrackRow> live() const;

  /// Each track that is not confirmed yet, measured in the last frame and before; its id is 0.
  std::vector<TrackRow> tentative() const;

  /// Each confirmed track one usual frame interval after the last frame, by id.
  std::vector<Prediction> predictions() const;

  /// Rows that are final wait, for the sake of their order, until no row of an earlier frame can
  /// come any more, but for no more frames and seconds (of the source) than these. With the default
  /// settings, at 29 frames a second or more, a track that is away is given up before.
  static constexpr uint64_t kMostHeldFrames = 24;
  static constexpr double kMostHeldSeconds = 0.7;

  /// The rows that are final and have waited long enough, by frame and then id. Over all calls the
  /// frames go forward, but for rows that became final later than others could wait: those of a
  /// long gap, and the first ones of a track that took long to be confirmed. The rows of one track
  /// always go forward. A gap's rows are final once the track is measured again, interpolated
  /// between its ends; a coasting end is dropped, and so is a track that was never confirmed.
  std::vector<TrackRow> takeFinalised();

  /// Ends every track: the next takeFinalised() gives all that is left.
  void finish();

  /// Tracks that took over an id after a gap longer than track.max_gap.
  uint64_t stitches() const { return stitcher_.stitches(); }

  /// Frames that repeat the one before.
  uint64_t repeats() const { return repeats_; }

  /// So far; what a track at hand may still be confirmed with does not count.
  const Untracked& untracked() const { return untracked_; }

 private:
  /// A marker of one frame alone: its place, px.
  struct Flash {
    double x, y;
    std::optional<TrackStep> arrival;
  };
  MotionScale scale() const { return {settings_, clock_.interval(), usual_}; }
  Track* lostTrack(TrackId id);
  void forget();
  void leave(const Track& track);
  void repeat(std::span<const Observation> seen);
  void take(std::span<const Observation> seen, const TracksThen& before);
  void addFreeSteps(std::span<const Flash> flashes, std::span<Track> strangers);
  std::vector<bool> ableToShare(const std::vector<bool>& jumped) const;
  std::vector<size_t> joinLost(std::span<const Observation> seen, std::vector<int>& matches) const;
  std::vector<int> match(std::span<const Observation> seen) const;
  std::vector<TrackPlace> measuredPlaces() const;
  bool isHotPixel(const Track& track) const;
  bool isKnownHotPixel(const Track& track) const;
  bool isOfHotPixel(const Observation& seen) const;
  void confirm();
  std::vector<int> adoptions(std::span<const size_t> lost, std::span<const size_t> found) const;
  double unrelated(const Track& found) const;
  std::vector<TrackId> stitch(const std::vector<size_t>& found);
  void promote(Track& track, const Track* lost, TrackId id);
  void keepOf(Track& track, const std::vector<TrackPoint>& points);
  void keep(const std::vector<TrackPoint>& points);
  bool isWithoutRows(const Track& track) const;
  void forgetFrames();
  FrameNumber heldFrom() const;
  FrameNumber horizon() const;

  Settings::Track settings_;
  std::shared_ptr<TrackIds> ids_;
  Stitcher stitcher_;
  FrameClock clock_;
  SceneMotion motion_;
  HotPixels hotPixels_;
  UsualMotion usual_;    // in the frame before
  FrameHistory frames_;  // from the first one that a gap or a row that waits needs
  Stamp now_;
  bool started_ = false;
  uint64_t repeats_ = 0;
  Untracked untracked_;
  std::vector<Track> tracks_;                          // confirmed by id, then the others by age
  std::map<FrameNumber, std::vector<TrackRow>> rows_;  // by frame and id, not yet taken
};

}  // namespace glint
