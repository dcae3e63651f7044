// One track: its motion, its gaps, and its rows. Internal to app/track.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/motion/track/frame_context.h"
#include "app/motion/track/hot_pixels.h"
#include "app/motion/track/marker_motion.h"
#include "app/motion/track/observation.h"
#include "app/motion/track/stitcher.h"
#include "app/motion/track/untracked.h"

namespace glint::motion {

/// A row and its clock (s).
struct TrackPoint {
  double clock = 0;
  TrackRow row;
};

/// All tracks of one frame. The tracks that are missed from then on share one copy.
using TracksOfFrame = std::shared_ptr<const std::vector<TrackPlace>>;

/// A track, confirmed or not. The functions that take a measurement return the rows that it makes
/// final: those of the gap before it, if there was one that is not too long, and its own.
struct Track {
  /// Begins with one measurement in the present frame.
  Track(const Observation& seen, const FrameContext& context);

  bool confirmed() const { return id != TrackId(); }

  /// Predicts the place in the present frame, `step` (s) after the last one.
  void predict(double step, const FrameContext& context);

  /// Returns the cost, in nats, of the measurement being this track's rather than a new marker's.
  /// It is negative if this track is likelier. Returns nothing outside the gate.
  std::optional<double> matchCost(const Observation& seen, const FrameContext& context) const;

  /// Takes a measurement within the gate.
  std::vector<TrackPoint> measure(const Observation& seen, const FrameContext& context);

  /// Takes a measurement that the motion did not predict.
  std::vector<TrackPoint> jump(const Observation& seen, const FrameContext& context);

  /// Takes a measurement of two markers at once, of which `share` is this one's.
  std::vector<TrackPoint> measureShared(const Observation& seen, const Share& share,
                                        const FrameContext& context);

  /// Takes a frame that repeats the last one, in which the track must have been measured. It says
  /// nothing about motion and is no further evidence of a marker. Returns its row.
  TrackPoint repeat(const Observation& seen, const FrameContext& context);

  /// Takes note that the track was not measured. `before` are all tracks of the last frame.
  void miss(const TracksOfFrame& before, const FrameContext& context);

  /// Takes note that other cameras see the marker in the present frame, so that its gap does not
  /// count against it.
  void hold(const FrameContext& context);

  /// Becomes the continuation of `lost`, when it has just been confirmed.
  void continueFrom(const Track& lost, const FrameContext& context);

  /// Returns the rows of the gap between the last measurement and `next`, with the state
  /// `predicted`, on the likeliest path between both ends.
  std::vector<TrackPoint> bridge(const TrackPoint& next, const FrameContext& context) const;

  /// Returns true if the gap that ends in the present frame is longer than track.max_gap and
  /// `extra` frames, so that it has no rows.
  bool isLongGap(int extra, const FrameContext& context) const;

  /// Returns true if the track accepts no measurement in the present frame: it was missed too often
  /// in a row, or more than track.max_gap frames passed, seen or dropped. `extra` frames are added
  /// to both limits.
  bool isOver(int extra, const FrameContext& context) const;

  /// Returns true if it will accept none in the next frame.
  bool isOverNext(const FrameContext& context) const;

  /// Returns the row of the present frame, in which the track is predicted but not measured.
  TrackRow predictedRow(const FrameContext& context) const;

  /// Returns the place of its last measurement.
  TrackPlace place() const;

  /// Returns all tracks in the frame of its last measurement, if it was missed since.
  std::span<const TrackPlace> companionsThen() const {
    return companions ? std::span<const TrackPlace>(*companions) : std::span<const TrackPlace>();
  }

  /// Returns true if the marker rests and false if it does not, or nothing before there are enough
  /// measurements.
  std::optional<bool> rests(const MotionOptions& options) const;

  /// Returns the variance (px^2) of the next measurement around its prediction, along the larger
  /// axis.
  double spread(const MatchingOptions& options) const;

  TrackId id;  ///< 0: not confirmed
  MarkerMotion motion;
  SinglePixelEvidence pixel;
  Observation appearance;  ///< the last measurement of this marker alone
  int measurements = 1;
  int repeats = 0;                  ///< rows from frames that repeated the one before
  int credit;                       ///< frames that it may be missed; see ConfirmationOptions
  TrackPoint last;                  ///< its last measurement
  size_t missed = 0;                ///< frames since then
  size_t missedInVain = 0;          ///< of these, those since hold()
  std::optional<FreeStep> arrival;  ///< the step that may have led to the first measurement
  TracksOfFrame companions;         ///< in a gap: all tracks in the frame of `last`; or null
  std::vector<TrackPoint> early;    ///< rows that wait for the confirmation

 private:
  std::vector<TrackPoint> take(const Observation& seen, const FrameContext& context);
  double framesSinceKnown(const FrameContext& context) const;
  bool isOverAfter(double frames, int extra, const FrameContext& context) const;
  int patience(const FrameContext& context) const;

  Stamp known_;  // the frame in which it was last measured or held
};

}  // namespace glint::motion
