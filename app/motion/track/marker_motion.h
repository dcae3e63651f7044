// How one marker moves: its predicted place, and how steadily it has moved so far.
#pragma once

#include <optional>

#include "app/motion/track/foretold.h"
#include "app/motion/track/frame_context.h"
#include "app/motion/track/kalman.h"
#include "app/motion/track/observation.h"

namespace glint::motion {

/// Returns the variance (px^2) of a measurement with this standard deviation (px), which counts as
/// at least `minSigma`, also if it is no number.
double measurementVariance(double sigma, double minSigma);

/// The place of one marker, calculated from an observation of two.
struct Share {
  double x = 0, y = 0;                  ///< px
  double varianceX = 0, varianceY = 0;  ///< px^2
};

/// How far from a place a measurement may be along each axis, px.
struct Reach {
  double x = 0, y = 0;
};

/// How far a measurement is from its prediction.
struct Residual {
  double distance2;           ///< squared, in standard deviations; 2 on average
  double spread;              ///< log(2 pi * area of a standard deviation, px^2)
  bool startsToMove = false;  ///< it was taken for the start of a resting marker's motion

  double cost() const { return distance2 / 2 + spread; }  ///< nats
};

/// Predicts a marker with constant velocity and random acceleration (AxisFilter), and learns how
/// strong that acceleration is, down to rest. A marker at rest is sought in a small area; to let it
/// start to move, each measurement is also compared with what a moving marker might do.
class MarkerMotion {
 public:
  /// Begins at a measurement, with a velocity of unknown direction. `speed` (px/s) is its standard
  /// deviation along each axis.
  void begin(const Observation& seen, double speed, const MatchingOptions& options);

  /// Predicts the place after `step` (s). `visible`: the marker was measured in the last frame.
  void predict(double step, bool visible, const FrameContext& context);

  /// Replaces the prediction by one from other cameras.
  void expect(const Foretold& place);

  /// Returns how far from the prediction a measurement within the gate may be, if its variances are
  /// at most `variance` (px^2).
  Reach reach(double variance, const FrameContext& context) const;

  /// Compares a measurement with the prediction. If the marker is at rest and a start of motion
  /// explains the measurement better, even at its cost, returns the residual of that.
  Residual residualOf(const Observation& seen, const FrameContext& context) const;

  /// Takes a measurement within the gate, and learns from it. `last` is the one before.
  void measure(const Observation& seen, const Observation& last, const FrameContext& context);

  /// Takes a measurement that the motion did not predict, `span` (s) after `last`. The velocity is
  /// estimated again from both.
  void jump(const Observation& seen, const Observation& last, double span,
            const FrameContext& context);

  /// Takes the marker's share of an observation of two. It teaches nothing about how the marker
  /// moves.
  void measureShared(const Share& share);

  /// Takes note that the marker was not measured in this frame. `last` is its last measurement.
  void miss(const Observation& last, const FrameContext& context);

  /// Goes on as `lost`, which turned out to be the same marker: if that was at rest and this one is
  /// still, this one rests.
  void continueFrom(const MarkerMotion& lost, const FrameContext& context);

  const AxisFilter& x() const { return x_; }
  const AxisFilter& y() const { return y_; }

  /// See MotionOptions.
  double agility() const { return behaviour_.agility; }

  /// Measurements since the behaviour was last learnt from the beginning.
  int learntFrom() const { return behaviour_.measurements; }

  /// Returns 1 for a marker that moves, and less for one that has shown less agility, down to
  /// nearly 0 at rest. It is the factor by which the marker may stray less than others.
  double restlessness(const MotionOptions& options) const;

  bool isAtRest(const MotionOptions& options) const;

  /// The power of the acceleration noise, px^2/s^3.
  double noisePower(const FrameContext& context) const;

 private:
  /// How the marker moves, as far as that has been learnt.
  struct Behaviour {
    double agility = 1;
    int measurements = 1;    // since it was learnt from the beginning
    double recentSpeed = 0;  // px/frame, the greatest one lately
  };
  /// A state of rest.
  struct Rest {
    AxisFilter x, y;
    Behaviour behaviour;
  };

  static double noisePower(const Behaviour& behaviour, const FrameContext& context);
  double startPower(const FrameContext& context) const;
  double startVariance(const FrameContext& context) const;
  bool isStill(const FrameContext& context) const;
  void start(const FrameContext& context);
  Rest predicted(Rest rest, const FrameContext& context) const;
  void resume(const Rest& rest);
  bool returnToRest(const Observation& seen, const Observation& last, const FrameContext& context);
  void learnAgility(double distance2, const FrameContext& context);

  AxisFilter x_, y_;
  Behaviour behaviour_;
  std::optional<Rest> beforeStart_;  // if the last measurement was the start of motion: the rest
                                     // before it
  double step_ = 0;                  // s, the last prediction's
  bool visible_ = true;              // it was measured in the frame before the last prediction
};

}  // namespace glint::motion
