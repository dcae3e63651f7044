#include "app/track/track.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace glint {
namespace {

// px: sigma is an estimate, and a too small one would close the gate.
constexpr double kLeastPositionSigma = 0.05;
// What a match is weighed against, -log(probability of a miss * new markers per px^2): 5 % and 27
// in a 1000 x 1000 px image. Beyond it a coasting track's wide gate catches other markers; what it
// loses there it can adopt once its motion is known.
constexpr double kNewMarker = 13.5;
// Two standard deviations, in nats; and the square of the usual gate.
constexpr double kWithinReach = 2;
constexpr double kUsualGate2 = 16;
// How much likelier an unconfirmed track must be than a confirmed one to take its measurement
// (nats).
constexpr double kTentativeHandicap = 3;
// A marker's mass and radius vary by about this factor's logarithm between frames (shape,
// exposure).
constexpr double kLookSpread = 0.3;
// Merged and half-hidden markers, and blinking ones, change their look: beyond this it says nothing
// more (nats), but of a mass of more than 3.3 times, as a ghost's beside a marker.
constexpr double kLookMost = 2;
constexpr double kLookFar = 8;
// A track's agility is learnt over a third of its measurements, at rest an eighth, or so many
// frames, by no more than this share at once; and the bounds of that factor: at rest the place is
// known to half a pixel after 15 frames without a measurement.
constexpr double kAgilityShare = 3;
constexpr double kAgilityShareAtRest = 8;
constexpr double kAgilityFrames = 10;
constexpr double kAgilityAtOnce = 0.8;
constexpr double kAgilityLeast = 1e-4;
constexpr double kAgilityMost = 4;
// px/frame: what moved so fast lately is not at rest, however steadily it did.
constexpr double kMoving = 1.5;
constexpr double kForgetSpeed = 0.98;
// What has shown less agility than this is at rest, more or less.
constexpr double kAtRest = 0.05;
// -log(probability that what is at rest begins to move in a frame) while it is seen; while it is
// not, one in as many frames as it has been measured in, and some more.
constexpr double kStir = 6;
constexpr double kRestFrames = 20;
// Measurements that tell whether a marker rests.
constexpr int kKnown = 10;
// px/frame: what is no faster has shown no motion yet.
constexpr double kStill = 0.15;
// Share of the markers at hand that move: among fewer a new one is held to rest.
constexpr double kFewMove = 0.05;
// What is at rest is within three standard deviations of where it was, squared.
constexpr double kSettled2 = 9;
// px/frame^2, track.acceleration by default.
constexpr double kUsualAcceleration = 1.5;
// A track hardly seen may be clutter, which a widening gate would feed for ever: it may be missed
// only after its third measurement, and two frames more for each further one.
constexpr int kFirstCredit = -4;
constexpr int kCreditPerMeasurement = 2;
// -log(probability of a sharp turn), of 2 %.
constexpr double kTurn = 3.9;
// px: a pixel alone is fitted with 0.5 to 0.85; with a lens's blur of 0.4 px a point has 1. And how
// far the fit of a faint one strays.
constexpr double kSinglePixel = 0.9, kSamePixel = 0.75;
// px, a step between two hot pixels.
constexpr double kHop = 3;

// Nats against two looks being of one marker; nothing where one of the values is unknown (0).
double lookCost(double a, double b) {
  if (!(a > 0 && b > 0)) return 0;
  const double z = std::log(a / b) / kLookSpread;
  return z * z / 2;
}

double lookCost(const Observation& a, const Observation& b) {
  const double mass = lookCost(a.mass, b.mass), radius = lookCost(a.radius, b.radius);
  const double far = mass > kLookFar ? 2 * kLookMost * std::log(mass / kLookFar) : 0;
  return std::min(mass, kLookMost) + far + std::min(radius, kLookMost);
}

/// How far a measurement is from where it was expected.
struct Residual {
  double distance2;  ///< in standard deviations, squared; 2 on average
  double spread;     ///< log(2 pi * area of a standard deviation, px^2)

  double cost() const { return distance2 / 2 + spread; }
};

// `extra`: px^2 more than the filters know of.
Residual residualOf(const Observation& seen, const AxisFilter& x, const AxisFilter& y,
                    double extra = 0) {
  const double dx = seen.x - x.position(), dy = seen.y - y.position();
  const double xx = x.positionVariance() + extra + measurementVariance(seen.sigmaX);
  const double yy = y.positionVariance() + extra + measurementVariance(seen.sigmaY);
  return {dx * dx / xx + dy * dy / yy, std::log(2 * std::numbers::pi) + std::log(xx * yy) / 2};
}

}  // namespace

double measurementVariance(double sigma) {
  return sigma > kLeastPositionSigma && std::isfinite(sigma)
             ? sigma * sigma
             : kLeastPositionSigma * kLeastPositionSigma;
}

Track::Track(const Stamp& stamp, const Observation& seen)
    : look(seen),
      credit(kFirstCredit),
      sightings_{1, seen.radius},
      sized_(seen.radius > 0),
      beganX_(seen.x),
      beganY_(seen.y) {
  last.clock = stamp.clock;
  last.row = {stamp, {}, TrackState::measured, seen.x, seen.y, 0, 0, seen};
  known_ = stamp;
  early.push_back(last);
  start(0);
}

bool Track::isAtFirstPlace(double placeX, double placeY) const {
  return std::hypot(placeX - beganX_, placeY - beganY_) < kSamePixel;
}

bool Track::isHotPixel(const PixelSightings& before) const {
  const PixelSightings all{before.count + sightings_.count, before.radii + sightings_.radii};
  return sized_ && stays_ && all.meanRadius() < kSinglePixel;
}

void Track::start(double speed) {
  const Observation& seen = last.row.seen;
  x = AxisFilter(seen.x, measurementVariance(seen.sigmaX), speed * speed);
  y = AxisFilter(seen.y, measurementVariance(seen.sigmaY), speed * speed);
}

// px^2/s^3: an acceleration that changes the velocity by track.acceleration in each usual interval.
double Track::noisePower(const Manner& manner, const MotionScale& scale) {
  const double acceleration = scale.settings.acceleration;
  return manner.agility * acceleration * acceleration / std::pow(scale.interval, 3);
}

// What is added to it where a marker at rest begins to move; only while it is seen can that be told
// from another one.
double Track::stirPower(const MotionScale& scale) const {
  const bool able = manner_.agility < kAtRest && missed == 0;
  return able ? noisePower(manner_, scale) * (1 / manner_.agility - 1) : 0;
}

double Track::stirVariance(const MotionScale& scale) const {
  return stirPower(scale) * std::pow(step_, 3) / 3;
}

bool Track::hasStirred(const Observation& seen, const MotionScale& scale) const {
  const double variance = stirVariance(scale);
  return variance > 0 &&
         residualOf(seen, x, y, variance).cost() + kStir < residualOf(seen, x, y).cost();
}

void Track::predict(double step, const MotionScale& scale) {
  // Only now: in a source's first frame the interval is not known yet.
  if (measurements == 1 && missed == 0) start(scale.settings.maxSpeed / 2 / scale.interval);
  x.predict(step, noisePower(manner_, scale));
  y.predict(step, noisePower(manner_, scale));
  step_ = step;
}

Reach Track::reach(double variance, const MotionScale& scale) const {
  const double more = stirVariance(scale) + variance;
  return {scale.settings.gate * std::sqrt(x.positionVariance() + more),
          scale.settings.gate * std::sqrt(y.positionVariance() + more)};
}

std::optional<double> Track::matchCost(const Observation& seen, double now,
                                       const MotionScale& scale) const {
  const double gate2 = scale.settings.gate * scale.settings.gate;
  Residual residual = residualOf(seen, x, y);
  const bool stirs = hasStirred(seen, scale);
  if (stirs) residual = residualOf(seen, x, y, stirVariance(scale));
  if (residual.distance2 > gate2) return std::nullopt;
  if (measurements == 1) {
    const double reach = scale.settings.maxSpeed * (now - last.clock) / scale.interval +
                         scale.settings.gate * std::sqrt(measurementVariance(seen.sigmaX));
    if (std::hypot(seen.x - last.row.x, seen.y - last.row.y) > reach) return std::nullopt;
  }
  const double handicap = confirmed() ? 0 : kTentativeHandicap;
  // A prediction that says next to nothing, as settings may have it, still is the best one there
  // is: what is within two standard deviations of a track just seen is no new marker.
  const double most =
      missed == 0 ? std::max(kNewMarker, residual.spread + handicap + kWithinReach) : kNewMarker;
  // A gate beyond the usual one allows for more.
  const double wider = std::max(gate2 - kUsualGate2, 0.0) / 2;
  return residual.cost() + (stirs ? kStir : 0) + lookCost(look, seen) + handicap - most - wider;
}

// It rests again, where it was measured last.
Track::Rest Track::restWhereItIs(const Rest& before) const {
  const auto at = [](double place, double sigma, const AxisFilter& was) {
    return AxisFilter(place, measurementVariance(sigma), was.velocity(), was.velocityVariance());
  };
  const Observation& seen = last.row.seen;
  return {at(seen.x, seen.sigmaX, before.x), at(seen.y, seen.sigmaY, before.y), before.manner};
}

// A single step is of no marker that moves, but of two at rest nearby, one seen after the other.
// What stirred and is at rest now, where it was before or where it got to, goes on as it was.
bool Track::settle(const Observation& seen, const MotionScale& scale) {
  if (!stirred_) return false;
  const Rest before = *std::exchange(stirred_, std::nullopt);
  for (Rest rest : {before, restWhereItIs(before)}) {
    const double power = noisePower(rest.manner, scale);
    rest.x.predict(step_, power);
    rest.y.predict(step_, power);
    if (residualOf(seen, rest.x, rest.y).distance2 > kSettled2) continue;
    x = rest.x;
    y = rest.y;
    manner_ = rest.manner;
    return true;
  }
  return false;
}

void Track::stir(const MotionScale& scale) {
  const double power = stirPower(scale);
  stirred_ = Rest{x, y, manner_};
  x.disturb(step_, power);
  y.disturb(step_, power);
  manner_.agility = 1;
  manner_.learnt = 2;
}

// A sky turns as a whole.
bool Track::isStill(const MotionScale& scale) const {
  return std::hypot(x.velocity() - scale.usual.vx, y.velocity() - scale.usual.vy) * scale.interval <
         kStill;
}

void Track::learnAgility(double distance2, const MotionScale& scale) {
  const double speed = std::hypot(x.velocity(), y.velocity()) * scale.interval;
  manner_.moved = std::max(speed, kForgetSpeed * manner_.moved);
  const double rests = std::max(1 - 2 * manner_.moved / kMoving, 0.0);
  const double share = std::lerp(kAgilityShare, kAgilityShareAtRest, rests);
  const double rate = std::clamp(share / manner_.learnt, 1 / kAgilityFrames, kAgilityAtOnce);
  const double factor = 1 + rate * (distance2 / 2 - 1);
  const double least =
      std::clamp(kAtRest * std::pow(manner_.moved / kMoving, 4), kAgilityLeast, kAtRest);
  // Whatever is set, what is learnt can come down, or up, to what is usual.
  const double usual = std::pow(kUsualAcceleration / scale.settings.acceleration, 2);
  manner_.agility = std::clamp(manner_.agility * factor, least * std::min(usual, 1.0),
                               kAgilityMost * std::max(usual, 1.0));
}

std::vector<TrackPoint> Track::measure(const Stamp& stamp, const Observation& seen,
                                       const FrameHistory& frames, const MotionScale& scale) {
  const bool settled = settle(seen, scale);
  // Among markers that rest a new one that has not moved rests, too.
  const bool restsToo = scale.usual.moving < kFewMove && isStill(scale);
  if (!settled && hasStirred(seen, scale)) {
    stir(scale);
  } else if (manner_.learnt > (restsToo ? 1 : 2)) {
    learnAgility(residualOf(seen, x, y).distance2, scale);
  }
  ++manner_.learnt;
  x.update(seen.x, measurementVariance(seen.sigmaX));
  y.update(seen.y, measurementVariance(seen.sigmaY));
  if (manner_.learnt == 2 && scale.usual.moving < kFewMove && isStill(scale))
    manner_.agility = std::min(manner_.agility, std::max(scale.usual.moving, kAgilityLeast));
  look = seen;
  return take(stamp, seen, frames, scale);
}

std::vector<TrackPoint> Track::jump(const Stamp& stamp, const Observation& seen,
                                    const FrameHistory& frames, const MotionScale& scale) {
  const double span = std::max(stamp.clock - last.clock, 1e-9);
  const double vx = (seen.x - last.row.x) / span, vy = (seen.y - last.row.y) / span;
  // It may go on like this, stop, turn or bounce.
  const double strayed = std::hypot(seen.x - x.position(), seen.y - y.position()) / span;
  const double spread = std::pow(std::max(std::hypot(vx, vy), strayed), 2);
  x = AxisFilter(seen.x, measurementVariance(seen.sigmaX), vx, spread);
  y = AxisFilter(seen.y, measurementVariance(seen.sigmaY), vy, spread);
  manner_.agility = std::max(manner_.agility, kAtRest);
  stirred_.reset();
  look = seen;
  return take(stamp, seen, frames, scale);
}

std::vector<TrackPoint> Track::measureShared(const Stamp& stamp, const Observation& seen,
                                             const Share& share, const FrameHistory& frames,
                                             const MotionScale& scale) {
  learn(share);
  return take(stamp, seen, frames, scale);
}

void Track::learn(const Share& share) {
  stirred_.reset();
  x.update(share.x, share.varianceX);
  y.update(share.y, share.varianceY);
}

void Track::miss(const TracksThen& before, const MotionScale& scale) {
  if (stirred_) {  // its velocity is that of one step, and may be none
    Rest rest = restWhereItIs(*stirred_);
    const double power = noisePower(rest.manner, scale);
    rest.x.predict(step_, power);
    rest.y.predict(step_, power);
    x = rest.x;
    y = rest.y;
    manner_ = rest.manner;
    stirred_.reset();
  }
  if (missed == 0) companions = before;
  ++missed;
  ++unheld;
}

void Track::goOn(const Track& lost, const MotionScale& scale) {
  credit = std::max(
      credit, lost.credit - static_cast<int>(lost.missed - std::min(lost.missed, early.size())));
  measurements += lost.measurements;
  if (lost.restlessness() < 1 && isStill(scale)) manner_ = lost.manner_;
}

void Track::hold(const Stamp& now) {
  unheld = 0;
  known_ = now;
}

void Track::expect(const Foretold& place) {
  x = AxisFilter(place.x, place.varianceX, place.vx, place.varianceVx);
  y = AxisFilter(place.y, place.varianceY, place.vy, place.varianceVy);
}

TrackPoint Track::repeat(const Stamp& stamp, const Observation& seen) {
  known_ = stamp;
  last.clock = stamp.clock;
  static_cast<FrameTime&>(last.row) = stamp;
  last.row.x = seen.x;
  last.row.y = seen.y;
  last.row.seen = seen;
  ++repeats;
  return last;
}

// Whether it is at the place of the first measurement still. One long step may lie between two hot
// pixels, of which the second is that place from then on.
void Track::settleIn(const Observation& seen) {
  ++sightings_.count;
  sightings_.radii += seen.radius;
  sized_ = sized_ && seen.radius > 0;
  const bool hops = std::hypot(seen.x - last.row.x, seen.y - last.row.y) > kHop;
  if (hops && stays_ && !rehomed_) {
    rehomed_ = true;
    beganX_ = seen.x;
    beganY_ = seen.y;
  } else {
    stays_ = stays_ && isAtFirstPlace(seen.x, seen.y);
  }
}

// What is common to all measurements, once the filters know it.
std::vector<TrackPoint> Track::take(const Stamp& stamp, const Observation& seen,
                                    const FrameHistory& frames, const MotionScale& scale) {
  if (++measurements == 2) {  // the first row had no velocity of its own
    last.row.vx = x.velocity();
    last.row.vy = y.velocity();
    if (!early.empty()) {  // it is not written yet
      early.front().row.vx = last.row.vx;
      early.front().row.vy = last.row.vy;
    }
  }
  settleIn(seen);
  credit =
      std::min(credit + kCreditPerMeasurement - static_cast<int>(unheld), scale.settings.maxGap);
  const TrackPoint next{
      stamp.clock,
      {stamp, id, TrackState::measured, seen.x, seen.y, x.velocity(), y.velocity(), seen}};
  std::vector<TrackPoint> rows;
  if (!isLongGap(stamp, 0, scale)) rows = bridge(next, frames, scale);
  rows.push_back(next);
  missed = unheld = 0;
  known_ = stamp;
  last = next;
  return rows;
}

std::vector<TrackPoint> Track::bridge(const TrackPoint& next, const FrameHistory& frames,
                                      const MotionScale& scale) const {
  std::vector<TrackPoint> rows;
  const TrackRow& from = last.row;
  const TrackRow& to = next.row;
  const double span = next.clock - last.clock;
  for (const Stamp& stamp : frames.between(from.frame, to.frame)) {
    const double s = (stamp.clock - last.clock) / span;
    const Motion alongX = between({from.x, from.vx}, {to.x, to.vx}, span, s);
    const Motion alongY = between({from.y, from.vy}, {to.y, to.vy}, span, s);
    const double spread = varianceBetween(span, s, noisePower(manner_, scale));
    Observation seen = from.seen;
    seen.sigmaX = std::sqrt(spread + measurementVariance(seen.sigmaX));
    seen.sigmaY = std::sqrt(spread + measurementVariance(seen.sigmaY));
    rows.push_back({stamp.clock,
                    {stamp, id, TrackState::predicted, alongX.position, alongY.position,
                     alongX.velocity, alongY.velocity, seen}});
  }
  return rows;
}

// Either the marker moved on smoothly, or it turned sharply (a bounce, a kick) and is now anywhere
// that its old speed, or its usual acceleration, let it get to. What was at rest stays there,
// unless it began to move, which is the less likely the longer it did not.
std::optional<double> Track::adoptionCost(const Track& found, double unrelated,
                                          const MotionScale& scale) const {
  const TrackRow& from = last.row;
  const TrackRow& to = found.early.front().row;
  const double frames = (found.early.front().clock - last.clock) / scale.interval;
  if (to.frame <= from.frame || frames > scale.settings.maxGap + 1) return std::nullopt;
  const double smooth = x.mismatch(found.x) + y.mismatch(found.y) + 2 * std::log(scale.interval);

  const double speed = std::hypot(from.vx, from.vy) * scale.interval +
                       2 * scale.settings.acceleration * std::sqrt(std::max(1.0, manner_.agility));
  const double moved = std::hypot(to.x - from.x, to.y - from.y) / (speed * frames);
  const double faster = std::hypot(to.vx, to.vy) * scale.interval / speed;
  const double hidden = frames - 1;
  // Out of its gate it may have been lost at once by that.
  const double stayed =
      hidden < 0.5 ? kStir - kTurn : std::log(1 + (manner_.learnt + kRestFrames) / hidden);
  const double turned = kTurn + (1 - restlessness()) * stayed +
                        (moved * moved + faster * faster) / 2 +
                        2 * std::log(2 * std::numbers::pi * speed * speed * frames);
  const double cost = std::min(smooth, turned) + lookCost(look, to.seen) - unrelated;
  return cost < 0 ? std::optional(cost) : std::nullopt;
}

double Track::restlessness() const {
  return std::min(1.0, manner_.agility / kAtRest);
}

std::optional<bool> Track::rests() const {
  if (measurements < kKnown) return std::nullopt;
  return manner_.agility < kAtRest;
}

double Track::framesSince(const Stamp& now, const MotionScale& scale) const {
  return std::max(std::round((now.clock - known_.clock) / scale.interval),
                  static_cast<double>(now.frame - known_.frame));
}

bool Track::isLongGap(const Stamp& now, int extra, const MotionScale& scale) const {
  const double frames = std::max(std::round((now.clock - last.clock) / scale.interval),
                                 static_cast<double>(now.frame - last.row.frame));
  return frames - 1 > scale.settings.maxGap + extra;
}

bool Track::isOver(double elapsed, int extra, const MotionScale& scale) const {
  return unheld > static_cast<size_t>(patience(scale) + extra) ||
         elapsed > scale.settings.maxGap + extra;
}

// In how many frames in a row it may be looked for in vain. Frames that were dropped say nothing
// against a track.
int Track::patience(const MotionScale& scale) const {
  if (confirmed()) return std::clamp(credit, 0, scale.settings.maxGap);
  const bool missedBefore = early.size() > static_cast<size_t>(measurements + repeats);
  return measurements == 1 || missedBefore ? 0 : 1;
}

TrackRow Track::predictedRow(const Stamp& now) const {
  TrackRow row{now,          id,           TrackState::predicted, x.position(),
               y.position(), x.velocity(), y.velocity(),          last.row.seen};
  row.seen.sigmaX = std::sqrt(x.positionVariance());
  row.seen.sigmaY = std::sqrt(y.positionVariance());
  return row;
}

TrackPlace Track::place() const {
  return {id, last.row.x, last.row.y, last.row.vx, last.row.vy};
}

double Track::spread() const {
  return std::max(x.positionVariance() + measurementVariance(last.row.seen.sigmaX),
                  y.positionVariance() + measurementVariance(last.row.seen.sigmaY));
}

}  // namespace glint
