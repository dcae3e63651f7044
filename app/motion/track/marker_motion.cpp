#include "app/motion/track/marker_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace glint::motion {
namespace {

// Returns the residual of `seen` against the filters. `extra` (px^2) is added to their variances.
Residual residualFrom(const Observation& seen, const AxisFilter& x, const AxisFilter& y,
                      double minSigma, double extra = 0) {
  const double dx = seen.x - x.position(), dy = seen.y - y.position();
  const double xx = x.positionVariance() + extra + measurementVariance(seen.sigmaX, minSigma);
  const double yy = y.positionVariance() + extra + measurementVariance(seen.sigmaY, minSigma);
  return {dx * dx / xx + dy * dy / yy, std::log(2 * std::numbers::pi) + std::log(xx * yy) / 2};
}

// Returns a filter at a measured place, with the velocity of `before`.
AxisFilter movedTo(double place, double sigma, const AxisFilter& before, double minSigma) {
  return AxisFilter(place, measurementVariance(sigma, minSigma), before.velocity(),
                    before.velocityVariance());
}

}  // namespace

double measurementVariance(double sigma, double minSigma) {
  return sigma > minSigma && std::isfinite(sigma) ? sigma * sigma : minSigma * minSigma;
}

void MarkerMotion::begin(const Observation& seen, double speed, const MatchingOptions& options) {
  x_ = AxisFilter(seen.x, measurementVariance(seen.sigmaX, options.minSigma), speed * speed);
  y_ = AxisFilter(seen.y, measurementVariance(seen.sigmaY, options.minSigma), speed * speed);
}

void MarkerMotion::predict(double step, bool visible, const FrameContext& context) {
  x_.predict(step, noisePower(context));
  y_.predict(step, noisePower(context));
  step_ = step;
  visible_ = visible;
}

void MarkerMotion::expect(const PredictedPlace& place) {
  x_ = AxisFilter(place.x, place.varianceX, place.vx, place.varianceVx);
  y_ = AxisFilter(place.y, place.varianceY, place.vy, place.varianceVy);
}

// Returns the power of an acceleration that changes the velocity by track.acceleration in each
// usual interval, scaled by the agility.
double MarkerMotion::noisePower(const Behaviour& behaviour, const FrameContext& context) {
  const double acceleration = context.settings.acceleration;
  return behaviour.agility * acceleration * acceleration / std::pow(context.interval, 3);
}

double MarkerMotion::noisePower(const FrameContext& context) const {
  return noisePower(behaviour_, context);
}

// Returns the amount by which a moving marker's noise power exceeds this marker's, or 0 if this one
// is not at rest. A start of motion can be distinguished from another marker only while this one is
// visible.
double MarkerMotion::startPower(const FrameContext& context) const {
  const bool mayStart = isAtRest(context.options.motion) && visible_;
  return mayStart ? noisePower(context) * (1 / behaviour_.agility - 1) : 0;
}

// Returns the variance (px^2) that a start of motion would add to the predicted position.
double MarkerMotion::startVariance(const FrameContext& context) const {
  return startPower(context) * std::pow(step_, 3) / 3;
}

Reach MarkerMotion::reach(double variance, const FrameContext& context) const {
  const double more = startVariance(context) + variance;
  return {context.settings.gate * std::sqrt(x_.positionVariance() + more),
          context.settings.gate * std::sqrt(y_.positionVariance() + more)};
}

Residual MarkerMotion::residualOf(const Observation& seen, const FrameContext& context) const {
  const double minSigma = context.options.matching.minSigma;
  const Residual asPredicted = residualFrom(seen, x_, y_, minSigma);
  const double variance = startVariance(context);
  if (!(variance > 0)) return asPredicted;
  Residual atStart = residualFrom(seen, x_, y_, minSigma, variance);
  atStart.startsToMove = atStart.cost() + context.options.motion.startCost < asPredicted.cost();
  return atStart.startsToMove ? atStart : asPredicted;
}

void MarkerMotion::measure(const Observation& seen, const Observation& last,
                           const FrameContext& context) {
  const MotionOptions& options = context.options.motion;
  const double minSigma = context.options.matching.minSigma;
  const bool sceneRests = context.usual.movingShare < options.fewMovingShare;
  const bool rests = returnToRest(seen, last, context);
  // In a scene at rest, a new marker that has not moved counts as resting, too.
  const bool restsToo = sceneRests && isStill(context);
  if (!rests && residualOf(seen, context).startsToMove) {
    start(context);
  } else if (behaviour_.measurements > (restsToo ? 1 : 2)) {
    learnAgility(residualFrom(seen, x_, y_, minSigma).distance2, context);
  }
  ++behaviour_.measurements;
  x_.update(seen.x, measurementVariance(seen.sigmaX, minSigma));
  y_.update(seen.y, measurementVariance(seen.sigmaY, minSigma));
  if (behaviour_.measurements == 2 && sceneRests && isStill(context))
    behaviour_.agility =
        std::min(behaviour_.agility, std::max(context.usual.movingShare, options.minAgility));
}

// Begins to move: from now on the marker is as agile as others.
void MarkerMotion::start(const FrameContext& context) {
  const double power = startPower(context);
  beforeStart_ = Rest{x_, y_, behaviour_};
  x_.disturb(step_, power);
  y_.disturb(step_, power);
  behaviour_.agility = 1;
  behaviour_.measurements = 2;
}

// A single step is no motion. It occurs if two markers at rest beside each other are visible in
// turns. Therefore a marker that has just started to move, and is now at its place before or after
// the step, continues as if it had rested all the time. Returns true in that case.
bool MarkerMotion::returnToRest(const Observation& seen, const Observation& last,
                                const FrameContext& context) {
  if (!beforeStart_) return false;
  const double minSigma = context.options.matching.minSigma;
  const double gate = context.options.motion.settledGate;
  const Rest before = *std::exchange(beforeStart_, std::nullopt);
  const Rest after{movedTo(last.x, last.sigmaX, before.x, minSigma),
                   movedTo(last.y, last.sigmaY, before.y, minSigma), before.behaviour};
  for (const Rest& place : {before, after}) {
    const Rest rest = predicted(place, context);
    if (residualFrom(seen, rest.x, rest.y, minSigma).distance2 > gate * gate) continue;
    resume(rest);
    return true;
  }
  return false;
}

// Returns a state of rest after the step of the last prediction.
MarkerMotion::Rest MarkerMotion::predicted(Rest rest, const FrameContext& context) const {
  const double power = noisePower(rest.behaviour, context);
  rest.x.predict(step_, power);
  rest.y.predict(step_, power);
  return rest;
}

void MarkerMotion::resume(const Rest& rest) {
  x_ = rest.x;
  y_ = rest.y;
  behaviour_ = rest.behaviour;
}

// Returns true if the marker stands still relative to the median marker. The comparison is relative
// because a sky turns as a whole.
bool MarkerMotion::isStill(const FrameContext& context) const {
  return std::hypot(x_.velocity() - context.usual.vx, y_.velocity() - context.usual.vy) *
             context.interval <
         context.options.motion.stillSpeed;
}

void MarkerMotion::learnAgility(double distance2, const FrameContext& context) {
  const MotionOptions& options = context.options.motion;
  const double speed = std::hypot(x_.velocity(), y_.velocity()) * context.interval;
  behaviour_.recentSpeed = std::max(speed, options.speedMemory * behaviour_.recentSpeed);
  const double slowness = std::max(1 - 2 * behaviour_.recentSpeed / options.movingSpeed, 0.0);
  const double share = std::lerp(options.agilityShare, options.agilityShareAtRest, slowness);
  const double weight = std::clamp(share / behaviour_.measurements, 1 / options.agilityFrames,
                                   options.agilityMaxWeight);
  const double factor = 1 + weight * (distance2 / 2 - 1);
  // The faster the marker moved recently, the less it can count as resting.
  const double least =
      std::clamp(options.restAgility * std::pow(behaviour_.recentSpeed / options.movingSpeed, 4),
                 options.minAgility, options.restAgility);
  // With any setting of track.acceleration, the acceleration can come down, or up, to the usual
  // one.
  const double usual = std::pow(options.usualAcceleration / context.settings.acceleration, 2);
  behaviour_.agility = std::clamp(behaviour_.agility * factor, least * std::min(usual, 1.0),
                                  options.maxAgility * std::max(usual, 1.0));
}

void MarkerMotion::jump(const Observation& seen, const Observation& last, double span,
                        const FrameContext& context) {
  const double minSigma = context.options.matching.minSigma;
  const double vx = (seen.x - last.x) / span, vy = (seen.y - last.y) / span;
  // The marker may continue, stop, turn or bounce, so the uncertainty of its velocity is at least
  // as large as the velocity.
  const double strayed = std::hypot(seen.x - x_.position(), seen.y - y_.position()) / span;
  const double variance = std::pow(std::max(std::hypot(vx, vy), strayed), 2);
  x_ = AxisFilter(seen.x, measurementVariance(seen.sigmaX, minSigma), vx, variance);
  y_ = AxisFilter(seen.y, measurementVariance(seen.sigmaY, minSigma), vy, variance);
  behaviour_.agility = std::max(behaviour_.agility, context.options.motion.restAgility);
  beforeStart_.reset();
}

void MarkerMotion::measureShared(const Share& share) {
  beforeStart_.reset();
  x_.update(share.x, share.varianceX);
  y_.update(share.y, share.varianceY);
}

// The velocity of a marker that has just started to move follows from a single step, which may have
// been no motion. Until the marker is seen again, it rests where the step took it.
void MarkerMotion::miss(const Observation& last, const FrameContext& context) {
  if (!beforeStart_) return;
  const double minSigma = context.options.matching.minSigma;
  const Rest before = *std::exchange(beforeStart_, std::nullopt);
  resume(predicted({movedTo(last.x, last.sigmaX, before.x, minSigma),
                    movedTo(last.y, last.sigmaY, before.y, minSigma), before.behaviour},
                   context));
}

void MarkerMotion::continueFrom(const MarkerMotion& lost, const FrameContext& context) {
  if (lost.restlessness(context.options.motion) < 1 && isStill(context))
    behaviour_ = lost.behaviour_;
}

double MarkerMotion::restlessness(const MotionOptions& options) const {
  return std::min(1.0, behaviour_.agility / options.restAgility);
}

bool MarkerMotion::isAtRest(const MotionOptions& options) const {
  return behaviour_.agility < options.restAgility;
}

}  // namespace glint::motion
