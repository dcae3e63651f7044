// The motion of one marker: its predicted place, and how steadily it has moved so far.
#pragma once

#include <optional>

#include "app/motion/track/frame_context.h"
#include "app/motion/track/kalman.h"
#include "app/motion/track/observation.h"
#include "app/motion/track/predicted_place.h"

namespace glint::motion {

/// Returns the variance (px^2) of a measurement with this standard deviation (px). If `sigma` is
/// below `minSigma` or not finite, `minSigma` is used.
double measurementVariance(double sigma, double minSigma);

/// The place of one marker, calculated from an observation of two markers together.
struct Share {
  double x = 0, y = 0;                  ///< px
  double varianceX = 0, varianceY = 0;  ///< px^2
};

/// Maximum distance of a measurement from a place along each axis, px.
struct Reach {
  double x = 0, y = 0;
};

/// The difference between a measurement and its prediction.
struct Residual {
  /// Squared distance in standard deviations; 2 on average.
  double distance2;
  /// Logarithm of 2 pi times the area of a standard deviation (px^2).
  double spread;
  /// True if the measurement counts as the start of a resting marker's motion.
  bool startsToMove = false;

  /// Returns the cost, in nats.
  double cost() const { return distance2 / 2 + spread; }
};

/// Predicts a marker with constant velocity and random acceleration (AxisFilter), and learns how
/// strong that acceleration is, down to rest. A marker at rest is searched for in a small area. To
/// let it start to move, each measurement is also compared with the possible places of a moving
/// marker.
class MarkerMotion {
 public:
  /// Begins at a measurement, with an unknown velocity. `speed` (px/s) is its standard deviation
  /// along each axis.
  void begin(const Observation& seen, double speed, const MatchingOptions& options);

  /// Predicts the place after `step` (s). `visible` says that the marker was measured in the last
  /// frame.
  void predict(double step, bool visible, const FrameContext& context);

  /// Replaces the prediction by one from other cameras.
  void expect(const PredictedPlace& place);

  /// Returns the maximum distance from the prediction of a measurement within the gate, for
  /// variances of the measurement up to `variance` (px^2).
  Reach reach(double variance, const FrameContext& context) const;

  /// Compares a measurement with the prediction. If the marker is at rest, and a start of motion
  /// explains the measurement better in spite of its cost, returns the residual for a moving
  /// marker.
  Residual residualOf(const Observation& seen, const FrameContext& context) const;

  /// Updates the state by a measurement within the gate, and learns from it. `last` is the previous
  /// measurement.
  void measure(const Observation& seen, const Observation& last, const FrameContext& context);

  /// Updates the state by a measurement that the motion did not predict, `span` (s) after `last`.
  /// The velocity is estimated again from both.
  void jump(const Observation& seen, const Observation& last, double span,
            const FrameContext& context);

  /// Updates the position by the marker's share of an observation of two markers. Nothing is
  /// learned about how the marker moves.
  void measureShared(const Share& share);

  /// Notes that the marker was not measured in this frame. `last` is its last measurement.
  void miss(const Observation& last, const FrameContext& context);

  /// Continues `lost`, which has turned out to be the same marker. If that was at rest and this one
  /// stands still, this one is at rest, too.
  void continueFrom(const MarkerMotion& lost, const FrameContext& context);

  const AxisFilter& x() const { return x_; }
  const AxisFilter& y() const { return y_; }

  /// Returns the agility: see MotionOptions.
  double agility() const { return behaviour_.agility; }

  /// Returns the number of measurements since the behaviour began to be learned from scratch.
  int learntFrom() const { return behaviour_.measurements; }

  /// Returns 1 for a marker that moves. For a marker with less agility it returns less, down to
  /// nearly 0 at rest. The uncertainty of the marker is reduced by this factor.
  double restlessness(const MotionOptions& options) const;

  bool isAtRest(const MotionOptions& options) const;

  /// Returns the power spectral density of the acceleration noise, px^2/s^3.
  double noisePower(const FrameContext& context) const;

 private:
  /// How the marker moves, as far as it has been learned.
  struct Behaviour {
    double agility = 1;
    // Number since learning began from scratch.
    int measurements = 1;
    // The highest recent speed, px/frame.
    double recentSpeed = 0;
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
  // If the last measurement was the start of motion, this is the rest before it.
  std::optional<Rest> beforeStart_;
  // Duration of the last prediction, s.
  double step_ = 0;
  // True if the marker was measured in the frame before the last prediction.
  bool visible_ = true;
};

}  // namespace glint::motion
