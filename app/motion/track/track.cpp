#include "app/motion/track/track.h"

#include <algorithm>
#include <cmath>

#include "app/motion/track/appearance.h"

namespace glint::motion {
namespace {

// Returns the number of frames from `then` (at the time `clock`, s) to the present frame. It is the
// larger one of the difference of frame numbers and the time in usual intervals.
double framesSince(const FrameTime& then, double clock, const FrameContext& context) {
  return std::max(std::round((context.now.clock - clock) / context.interval),
                  static_cast<double>(context.now.frame - then.frame));
}

}  // namespace

Track::Track(const Observation& seen, const FrameContext& context)
    : pixel(seen), appearance(seen), credit(context.options.confirmation.firstCredit) {
  last.clock = context.now.clock;
  last.row = {context.now, {}, TrackState::measured, seen.x, seen.y, 0, 0, seen};
  known_ = context.now;
  early.push_back(last);
  motion.begin(seen, 0, context.options.matching);
}

void Track::predict(double step, const FrameContext& context) {
  // After one measurement, track.max_speed is two standard deviations of the velocity. This is set
  // only now, because the interval is not known yet in the first frame of a source.
  if (measurements == 1 && missed == 0)
    motion.begin(last.row.seen, context.settings.maxSpeed / 2 / context.interval,
                 context.options.matching);
  motion.predict(step, missed == 0, context);
}

std::optional<double> Track::matchCost(const Observation& seen, const FrameContext& context) const {
  const MatchingOptions& options = context.options.matching;
  const double gate2 = context.settings.gate * context.settings.gate;
  const Residual residual = motion.residualOf(seen, context);
  if (residual.distance2 > gate2) return std::nullopt;
  if (measurements == 1) {
    const double reach =
        context.settings.maxSpeed * (context.now.clock - last.clock) / context.interval +
        context.settings.gate * std::sqrt(measurementVariance(seen.sigmaX, options.minSigma));
    if (std::hypot(seen.x - last.row.x, seen.y - last.row.y) > reach) return std::nullopt;
  }
  const double handicap = confirmed() ? 0 : options.tentativeCost;
  // Some settings make predictions extremely uncertain, but there are no better ones. Therefore an
  // observation near the prediction of a track that was just seen is no new marker.
  const double near = options.nearGate * options.nearGate / 2;
  const double most = missed == 0
                          ? std::max(options.newMarkerCost, residual.spread + handicap + near)
                          : options.newMarkerCost;
  const double wider = std::max(gate2 - options.usualGate * options.usualGate, 0.0) / 2;
  return residual.cost() + (residual.startsToMove ? context.options.motion.startCost : 0) +
         appearanceCost(appearance, seen, options) + handicap - most - wider;
}

std::vector<TrackPoint> Track::measure(const Observation& seen, const FrameContext& context) {
  motion.measure(seen, last.row.seen, context);
  appearance = seen;
  return take(seen, context);
}

std::vector<TrackPoint> Track::jump(const Observation& seen, const FrameContext& context) {
  const double span = std::max(context.now.clock - last.clock, 1e-9);
  motion.jump(seen, last.row.seen, span, context);
  appearance = seen;
  return take(seen, context);
}

std::vector<TrackPoint> Track::measureShared(const Observation& seen, const Share& share,
                                             const FrameContext& context) {
  motion.measureShared(share);
  return take(seen, context);
}

// Does what is the same for all kinds of measurements, after the motion was updated.
std::vector<TrackPoint> Track::take(const Observation& seen, const FrameContext& context) {
  // Only now is the velocity in the first row known.
  if (++measurements == 2) {
    last.row.vx = motion.x().velocity();
    last.row.vy = motion.y().velocity();
    // The first row has not been written yet.
    if (!early.empty()) {
      early.front().row.vx = last.row.vx;
      early.front().row.vy = last.row.vy;
    }
  }
  pixel.add(seen, last.row.x, last.row.y, context.options.hotPixels);
  credit = std::min(
      credit + context.options.confirmation.creditPerMeasurement - static_cast<int>(missedInVain),
      context.settings.maxGap);
  const TrackPoint next{context.now.clock,
                        {context.now, id, TrackState::measured, seen.x, seen.y,
                         motion.x().velocity(), motion.y().velocity(), seen}};
  std::vector<TrackPoint> rows;
  if (!isLongGap(0, context)) rows = bridge(next, context);
  rows.push_back(next);
  missed = missedInVain = 0;
  known_ = context.now;
  last = next;
  return rows;
}

TrackPoint Track::repeat(const Observation& seen, const FrameContext& context) {
  known_ = context.now;
  last.clock = context.now.clock;
  static_cast<FrameTime&>(last.row) = context.now;
  last.row.x = seen.x;
  last.row.y = seen.y;
  last.row.seen = seen;
  ++repeats;
  return last;
}

void Track::miss(const TracksOfFrame& before, const FrameContext& context) {
  motion.miss(last.row.seen, context);
  if (missed == 0) companions = before;
  ++missed;
  ++missedInVain;
}

void Track::hold(const FrameContext& context) {
  missedInVain = 0;
  known_ = context.now;
}

void Track::continueFrom(const Track& lost, const FrameContext& context) {
  // The gap of `lost` counts only until this track began.
  credit = std::max(
      credit, lost.credit - static_cast<int>(lost.missed - std::min(lost.missed, early.size())));
  measurements += lost.measurements;
  motion.continueFrom(lost.motion, context);
}

std::vector<TrackPoint> Track::bridge(const TrackPoint& next, const FrameContext& context) const {
  const double minSigma = context.options.matching.minSigma;
  std::vector<TrackPoint> rows;
  const TrackRow& from = last.row;
  const TrackRow& to = next.row;
  const double span = next.clock - last.clock;
  for (const Stamp& stamp : context.frames.between(from.frame, to.frame)) {
    const double s = (stamp.clock - last.clock) / span;
    const Motion alongX = between({from.x, from.vx}, {to.x, to.vx}, span, s);
    const Motion alongY = between({from.y, from.vy}, {to.y, to.vy}, span, s);
    const double variance = varianceBetween(span, s, motion.noisePower(context));
    Observation seen = from.seen;
    seen.sigmaX = std::sqrt(variance + measurementVariance(seen.sigmaX, minSigma));
    seen.sigmaY = std::sqrt(variance + measurementVariance(seen.sigmaY, minSigma));
    rows.push_back({stamp.clock,
                    {stamp, id, TrackState::predicted, alongX.position, alongY.position,
                     alongX.velocity, alongY.velocity, seen}});
  }
  return rows;
}

bool Track::isLongGap(int extra, const FrameContext& context) const {
  return framesSince(last.row, last.clock, context) - 1 > context.settings.maxGap + extra;
}

bool Track::isOver(int extra, const FrameContext& context) const {
  return isOverAfter(framesSinceKnown(context) - 1, extra, context);
}

bool Track::isOverNext(const FrameContext& context) const {
  return isOverAfter(framesSinceKnown(context), 0, context);
}

double Track::framesSinceKnown(const FrameContext& context) const {
  return framesSince(known_, known_.clock, context);
}

bool Track::isOverAfter(double frames, int extra, const FrameContext& context) const {
  return missedInVain > static_cast<size_t>(patience(context) + extra) ||
         frames > context.settings.maxGap + extra;
}

// Returns for how many frames in a row the track may be missed. Dropped frames do not count.
int Track::patience(const FrameContext& context) const {
  if (confirmed()) return std::clamp(credit, 0, context.settings.maxGap);
  const bool missedBefore = early.size() > static_cast<size_t>(measurements + repeats);
  return measurements == 1 || missedBefore ? 0 : context.options.confirmation.tentativeMisses;
}

TrackRow Track::predictedRow(const FrameContext& context) const {
  const AxisFilter &x = motion.x(), &y = motion.y();
  TrackRow row{context.now,  id,           TrackState::predicted, x.position(),
               y.position(), x.velocity(), y.velocity(),          last.row.seen};
  row.seen.sigmaX = std::sqrt(x.positionVariance());
  row.seen.sigmaY = std::sqrt(y.positionVariance());
  return row;
}

TrackPlace Track::place() const {
  return {id, last.row.x, last.row.y, last.row.vx, last.row.vy};
}

std::optional<bool> Track::rests(const MotionOptions& options) const {
  if (measurements < options.knownMeasurements) return std::nullopt;
  return motion.isAtRest(options);
}

double Track::spread(const MatchingOptions& options) const {
  const Observation& seen = last.row.seen;
  return std::max(
      motion.x().positionVariance() + measurementVariance(seen.sigmaX, options.minSigma),
      motion.y().positionVariance() + measurementVariance(seen.sigmaY, options.minSigma));
}

}  // namespace glint::motion
