// One track: its motion, its gaps, and its rows. Internal to app/motion/track.
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

/// A row with its clock (s).
struct TrackPoint {
  double clock = 0;
  TrackRow row;
};

/// All tracks of one frame. The tracks that are missed from then on share one copy.
using TracksOfFrame = std::shared_ptr<const std::vector<TrackPlace>>;

/// A track, confirmed or not. Functions that take a measurement return the rows that it makes
/// final: those of the gap before it, unless there is none or it is too long, and its own.
struct Track {
  /// Begins with one measurement in the present frame.
  Track(const Observation& seen, const FrameContext& context);

  bool confirmed() const { return id != TrackId(); }

  /// Predicts the place in the present frame, `step` (s) after the last one.
  void predict(double step, const FrameContext& context);

  /// Returns the cost, in nats, of assigning the measurement to this track instead of to a new
  /// marker. It is negative if this track is more likely. Returns nothing if the measurement is
  /// outside the gate.
  std::optional<double> matchCost(const Observation& seen, const FrameContext& context) const;

  /// Takes a measurement within the gate.
  std::vector<TrackPoint> measure(const Observation& seen, const FrameContext& context);

  /// Takes a measurement that the motion did not predict.
  std::vector<TrackPoint> jump(const Observation& seen, const FrameContext& context);

  /// Takes a measurement of two markers at once, of which `share` belongs to this one.
  std::vector<TrackPoint> measureShared(const Observation& seen, const Share& share,
                                        const FrameContext& context);

  /// Takes a frame that repeats the last one, in which the track must have been measured. Such a
  /// frame contains no information about motion and is no further evidence for a marker. Returns
  /// its row.
  TrackPoint repeat(const Observation& seen, const FrameContext& context);

  /// Notes that the track was not measured. `before` are all tracks of the last frame.
  void miss(const TracksOfFrame& before, const FrameContext& context);

  /// Notes that other cameras see the marker in the present frame, so that its gap does not count
  /// against it.
  void hold(const FrameContext& context);

  /// Continues `lost`. Call when this track has just been confirmed.
  void continueFrom(const Track& lost, const FrameContext& context);

  /// Returns the rows of the gap between the last measurement and `next`, with the state
  /// `predicted`, on the most likely path between both ends.
  std::vector<TrackPoint> bridge(const TrackPoint& next, const FrameContext& context) const;

  /// Returns true if the gap that ends in the present frame is longer than track.max_gap plus
  /// `extra` frames, so that it gets no rows.
  bool isLongGap(int extra, const FrameContext& context) const;

  /// Returns true if the track accepts no measurement in the present frame, because it was missed
  /// too often in a row, or more than track.max_gap frames have passed, received or dropped.
  /// `extra` frames are added to both limits.
  bool isOver(int extra, const FrameContext& context) const;

  /// Returns true if the track will accept no measurement in the next frame.
  bool isOverNext(const FrameContext& context) const;

  /// Returns the row of the present frame, in which the track is predicted but not measured.
  TrackRow predictedRow(const FrameContext& context) const;

  /// Returns the place of its last measurement.
  TrackPlace place() const;

  /// Returns all tracks in the frame of its last measurement, or none if it has not been missed
  /// since.
  std::span<const TrackPlace> companionsThen() const {
    return companions ? std::span<const TrackPlace>(*companions) : std::span<const TrackPlace>();
  }

  /// Returns true if the marker is at rest, false if it is not, and nothing before there are enough
  /// measurements.
  std::optional<bool> rests(const MotionOptions& options) const;

  /// Returns the variance (px^2) of the next measurement around its prediction, along the axis
  /// where it is larger.
  double spread(const MatchingOptions& options) const;

  /// 0 if the track is not confirmed.
  TrackId id;
  MarkerMotion motion;
  SinglePixelEvidence pixel;
  /// The last measurement of this marker alone.
  Observation appearance;
  int measurements = 1;
  /// Rows from frames that repeated the previous one.
  int repeats = 0;
  /// Frames for which it may be missed; see ConfirmationOptions.
  int credit;
  /// The last measurement of the track.
  TrackPoint last;
  /// Frames since its last measurement.
  size_t missed = 0;
  /// Frames since its last measurement or the last call of hold().
  size_t missedInVain = 0;
  /// The step that may have led to the first measurement.
  std::optional<FreeStep> arrival;
  /// During a gap, all tracks in the frame of `last`; otherwise null.
  TracksOfFrame companions;
  /// Rows that wait until the track is confirmed.
  std::vector<TrackPoint> early;

 private:
  std::vector<TrackPoint> take(const Observation& seen, const FrameContext& context);
  double framesSinceKnown(const FrameContext& context) const;
  bool isOverAfter(double frames, int extra, const FrameContext& context) const;
  int patience(const FrameContext& context) const;

  // The frame in which the track was last measured or held.
  Stamp known_;
};

}  // namespace glint::motion
