// One track: its motion, what it may match, and its rows. Internal to app/track.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/track/foretold.h"
#include "app/track/frame_history.h"
#include "app/track/hot_pixels.h"
#include "app/track/kalman.h"
#include "app/track/observation.h"
#include "app/track/stitcher.h"
#include "config/settings.h"

namespace glint {

/// What most markers of a frame do; a new one may do the same.
struct UsualMotion {
  double moving = 1;      ///< share of them that does not rest, more or less
  double vx = 0, vy = 0;  ///< px/s, median
};

/// What a track is judged by; settings in frames and px per frame, `interval` in s per frame.
struct MotionScale {
  const Settings::Track& settings;
  double interval;
  UsualMotion usual;
};

/// A row and its clock, s.
struct TrackPoint {
  double clock = 0;
  TrackRow row;
};

/// One marker's share of an observation of two.
struct Share {
  double x = 0, y = 0;                  ///< px
  double varianceX = 0, varianceY = 0;  ///< px^2
};

/// How far from a place something may be along each axis, px.
struct Reach {
  double x = 0, y = 0;
};

/// All tracks of one frame, of which those that are missed from then on keep one copy.
using TracksThen = std::shared_ptr<const std::vector<TrackPlace>>;

/// From one marker to another of the next frame that may be the same, px.
struct TrackStep {
  double x = 0, y = 0;
  bool counted = false;  ///< as one of several running that are alike
};

struct Track {
  /// Begins with one measurement. Its velocity is unknown: two standard deviations are max_speed.
  Track(const Stamp& stamp, const Observation& seen);

  bool confirmed() const { return id != TrackId(); }

  /// Whether all that was measured so far may be a bright pixel of the sensor: light in a single
  /// pixel, which no lens makes, and at the same place all the time. The fit of a faint one's size
  /// varies, so the mean counts, `before` it began, too.
  bool isHotPixel(const PixelSightings& before) const;

  /// Whether an observation at (x, y) would be at that place, px.
  bool isAtFirstPlace(double x, double y) const;

  /// What was measured of it, and the place of the first one.
  const PixelSightings& sightings() const { return sightings_; }
  double beganX() const { return beganX_; }
  double beganY() const { return beganY_; }

  /// Moves the expected position on by `step` s.
  void predict(double step, const MotionScale& scale);

  /// How far from the expected position a measurement may be whose variances, px^2, are no greater.
  Reach reach(double variance, const MotionScale& scale) const;

  /// Nats for the measurement being this track's rather than a new marker's, negative where it
  /// likelier is; empty outside the gate. `now` is the clock, s.
  std::optional<double> matchCost(const Observation& seen, double now,
                                  const MotionScale& scale) const;

  /// Takes a measurement. Returns the rows it settles: those of the gap before it, whose frames are
  /// in `frames`, and its own.
  std::vector<TrackPoint> measure(const Stamp& stamp, const Observation& seen,
                                  const FrameHistory& frames, const MotionScale& scale);

  /// The same for a measurement that its motion did not predict; it learns its motion again.
  std::vector<TrackPoint> jump(const Stamp& stamp, const Observation& seen,
                               const FrameHistory& frames, const MotionScale& scale);

  /// The same of a measurement of two markers at once, of which `share` is this one's.
  std::vector<TrackPoint> measureShared(const Stamp& stamp, const Observation& seen,
                                        const Share& share, const FrameHistory& frames,
                                        const MotionScale& scale);

  /// Moves the expected position by its share, without a measurement of its own.
  void learn(const Share& share);

  /// It was not measured in this frame. `before` are all tracks in the frame before.
  void miss(const TracksThen& before, const MotionScale& scale);

  /// It has just earned its confirmation, and continues `lost`.
  void goOn(const Track& lost, const MotionScale& scale);

  /// In a gap: other cameras see the marker in this frame, so the gap does not count against it.
  void hold(const Stamp& now);
  /// Then, once the expected position was moved on: it is this.
  void expect(const Foretold& place);

  /// As measure(), of a frame that shows the last one again, which says nothing about motion and is
  /// no further evidence of a marker. Must have been measured in the last frame.
  TrackPoint repeat(const Stamp& stamp, const Observation& seen);

  /// The gap's rows between the last measurement and `next`: state `predicted`, on the likeliest
  /// path between both ends.
  std::vector<TrackPoint> bridge(const TrackPoint& next, const FrameHistory& frames,
                                 const MotionScale& scale) const;

  /// Nats for `found`, which has just earned its confirmation, being the continuation of this
  /// track, which is not measured any more, rather than another marker; empty where that is
  /// likelier. `unrelated` is -log(density of other markers that begin like `found`, per px^2 and
  /// per (px/frame)^2).
  std::optional<double> adoptionCost(const Track& found, double unrelated,
                                     const MotionScale& scale) const;

  /// Frames or usual intervals since it was measured, or held, whichever is more.
  double framesSince(const Stamp& now, const MotionScale& scale) const;

  /// Whether a gap that ends now is longer than track.max_gap, so that it has no rows. `extra`
  /// frames are granted.
  bool isLongGap(const Stamp& now, int extra, const MotionScale& scale) const;

  /// Whether it accepts no measurement any more after `elapsed` frames without one: it was looked
  /// for in vain too often, or more than track.max_gap frames went by, whether they were seen or
  /// dropped. `extra` frames are granted beyond both.
  bool isOver(double elapsed, int extra, const MotionScale& scale) const;

  /// The row of a frame in which it is expected but not measured.
  TrackRow predictedRow(const Stamp& now) const;

  /// Where it was measured last.
  TrackPlace place() const;

  /// All tracks in the frame of `last`, if it was missed since.
  std::span<const TrackPlace> companionsThen() const {
    return companions ? std::span<const TrackPlace>(*companions) : std::span<const TrackPlace>();
  }

  /// Whether it is known to rest, more or less, or not to; unknown before some measurements.
  std::optional<bool> rests() const;

  /// The variance of the position that is expected of the next measurement, px^2, the larger axis.
  double spread() const;

  /// 1, or less where it has shown less than markers that move do, down to nearly 0 at rest: how
  /// far it may stray, in parts of what it might otherwise.
  double restlessness() const;

  TrackId id;  ///< 0: not confirmed
  AxisFilter x, y;
  Observation look;  ///< the last measurement of it alone
  int measurements = 1;
  int repeats = 0;                   ///< rows from frames that showed the one before again
  int credit;                        ///< frames that it may be missed, earned by measurements
  TrackPoint last;                   ///< its last measurement
  size_t missed = 0;                 ///< frames since then
  size_t unheld = 0;                 ///< of these, since hold()
  std::optional<TrackStep> arrival;  ///< of a first measurement: how it may have come there
  TracksThen companions;             ///< in a gap: all tracks in the frame of `last`; or null
  std::vector<TrackPoint> early;     ///< rows that wait for the confirmation

 private:
  /// How it moves, as far as it is known.
  struct Manner {
    double agility = 1;  // factor on the variance of the acceleration
    int learnt = 1;      // measurements since it was learnt again
    double moved = 0;    // px/frame, its greatest speed lately
  };
  /// Where, and how it was before it stirred.
  struct Rest {
    AxisFilter x, y;
    Manner manner;
  };

  int patience(const MotionScale& scale) const;
  void settleIn(const Observation& seen);
  std::vector<TrackPoint> take(const Stamp& stamp, const Observation& seen,
                               const FrameHistory& frames, const MotionScale& scale);
  void start(double speed);  // of unknown direction, px/s
  static double noisePower(const Manner& manner, const MotionScale& scale);
  double stirPower(const MotionScale& scale) const;
  double stirVariance(const MotionScale& scale) const;  // px^2, what it adds to the position's
  bool hasStirred(const Observation& seen, const MotionScale& scale) const;
  Rest restWhereItIs(const Rest& before) const;
  bool settle(const Observation& seen, const MotionScale& scale);
  void stir(const MotionScale& scale);
  bool isStill(const MotionScale& scale) const;
  void learnAgility(double distance2, const MotionScale& scale);

  Manner manner_;
  std::optional<Rest> stirred_;  // if it did when it was last measured: what it was before
  double step_ = 0;              // s, the last prediction's
  Stamp known_;         // when it was measured or held
  PixelSightings sightings_;
  bool sized_;              // the radii of all are known
  bool stays_ = true;       // all were at the place of the first one
  bool rehomed_ = false;    // that place is where its one long step led
  double beganX_, beganY_;  // px
};

/// Of the confirmed tracks among these that were measured in the last frame.
UsualMotion usualMotion(std::span<const Track> tracks);

/// px^2, of a measurement of this standard deviation; never so small that it would close a gate.
double measurementVariance(double sigma);

}  // namespace glint
