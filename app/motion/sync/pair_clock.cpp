#include "app/motion/sync/pair_clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/epipolar.h"

namespace glint::motion {
namespace {

/// A frame of the slow camera, and where the fast camera sees lights at that moment.
struct SharedFrame {
  double time = 0;  ///< on the slow camera's clock, s
  const std::vector<Eigen::Vector2d>* slow = nullptr;
  std::vector<PathPlace> fast;
};
using SharedFrames = std::vector<SharedFrame>;

/// The part of two recordings that both cover, on the slow camera's clock, s.
struct Overlap {
  double from = 0, to = 0;
  double length() const { return to - from; }
  double middle() const { return (from + to) / 2; }
};

/// An epipolar line at a dot, and the other half of the Sampson distance.
struct SampsonLine {
  Eigen::Vector3d line;
  Eigen::Matrix3d transposed;
  Eigen::Vector2d dot;

  SampsonLine(const Eigen::Matrix3d& f, const Eigen::Vector2d& slow)
      : line(f * slow.homogeneous()), transposed(f.transpose()), dot(slow) {}
  double slopeAt(const Eigen::Vector2d& fast) const {
    const Eigen::Vector3d other = transposed * fast.homogeneous();
    return std::sqrt(
        std::max(line.head<2>().squaredNorm() + other.head<2>().squaredNorm(), 1e-300));
  }
  /// Returns the signed distance of a dot of the fast camera, px.
  double distance(const Eigen::Vector2d& fast) const {
    return fast.homogeneous().dot(line) / slopeAt(fast);
  }
};

/// Returns the mean squared distance of the slow camera's dots, cut off at `tolerance`, as a share
/// of the largest one; 1 if there are no dots.
double disagreement(const Eigen::Matrix3d& f, const SharedFrames& frames, double tolerance) {
  double sum = 0;
  size_t count = 0;
  for (const SharedFrame& frame : frames)
    for (const Eigen::Vector2d& dot : *frame.slow) {
      const SampsonLine line(f, dot);
      double least = tolerance;
      for (const PathPlace& place : frame.fast)
        least = std::min(least, std::abs(line.distance(place.at)));
      sum += least * least / (tolerance * tolerance);
      ++count;
    }
  return count == 0 ? 1 : sum / static_cast<double>(count);
}

/// Fits offset, drift and geometry of two cameras together, by iteratively reweighted least squares
/// of Sampson distances.
class JointFit {
 public:
  /// `fixed` says that the geometry is known.
  JointFit(const Eigen::Matrix3d& f, bool fixed, double scale, double tolerance, double driftPrior)
      : scale_(scale), tolerance_(tolerance), driftPrior_(driftPrior), fixed_(fixed) {
    const Eigen::Vector3d unit(scale, scale, 1);
    f_ = unit.asDiagonal() * f * unit.asDiagonal();
    f_ /= f_.norm();
  }

  Eigen::Matrix3d fundamental() const {
    const Eigen::Vector3d unit(1 / scale_, 1 / scale_, 1);
    return unit.asDiagonal() * f_ * unit.asDiagonal();
  }

  /// Improves the clock by one step. Sets its standard deviations. Returns false if the frames do
  /// not determine it.
  bool improve(const SharedFrames& frames, PairClock& clock) {
    collect(frames, clock.middle);
    if (samples_.size() < 3 * kNumbers) return false;
    // Cauchy's weight halves at this distance. Errors below 0.1 px matter nowhere.
    constexpr double kLeastScale = 0.1, kPerDeviation = 2 * 1.4826;
    std::vector<double> distances;
    for (const Sample& s : samples_) distances.push_back(std::abs(s.distance));
    const double width = std::max(kLeastScale, kPerDeviation * base::medianOf(distances));
    Matrix normal = Matrix::Zero();
    Vector right = Vector::Zero();
    std::vector<Vector> blocks;
    double squares = 0, weights = 0;
    long block = -1;
    for (const Sample& s : samples_) {
      const double weight = 1 / (1 + s.distance * s.distance / (width * width));
      normal += weight * s.slope * s.slope.transpose();
      right += weight * s.distance * s.slope;
      squares += weight * s.distance * s.distance;
      weights += weight;
      if (s.second != block) block = s.second, blocks.emplace_back(Vector::Zero());
      blocks.back() += weight * s.distance * s.slope;
    }
    const double variance = std::max(squares / weights, 1e-6);
    constrain(normal, variance);
    right[kDrift] += variance / (driftPrior_ * driftPrior_) * clock.drift;
    const Eigen::LDLT<Matrix> solver(normal);
    if (solver.info() != Eigen::Success) return false;
    const Vector step = -solver.solve(right);
    if (!step.allFinite()) return false;
    if (!fixed_) {
      f_ += Eigen::Map<const Eigen::Matrix3d>(step.data());
      f_ /= f_.norm();
    }
    clock.offset += step[kOffset];
    clock.drift += step[kDrift];
    setSigmas(clock, solver, variance, blocks);
    return true;
  }

 private:
  // Numbers that are fitted: those of the geometry, column by column, then the offset and the
  // drift.
  static constexpr int kNumbers = 11, kOffset = 9, kDrift = 10;
  using Vector = Eigen::Matrix<double, kNumbers, 1>;
  using Matrix = Eigen::Matrix<double, kNumbers, kNumbers>;
  struct Sample {
    double distance;
    Vector slope;
    long second;
  };

  void collect(const SharedFrames& frames, double middle) {
    samples_.clear();
    const Eigen::Matrix3d f = fundamental();
    for (const SharedFrame& frame : frames)
      for (const Eigen::Vector2d& dot : *frame.slow) {
        const SampsonLine line(f, dot);
        const PathPlace* best = nullptr;
        double least = tolerance_;
        for (const PathPlace& place : frame.fast)
          if (const double d = std::abs(line.distance(place.at)); d < least)
            least = d, best = &place;
        if (best == nullptr) continue;
        const double slope = line.slopeAt(best->at);
        const Eigen::Vector3d slow(dot.x() / scale_, dot.y() / scale_, 1),
            fast(best->at.x() / scale_, best->at.y() / scale_, 1);
        Sample s{line.distance(best->at), Vector::Zero(),
                 static_cast<long>(std::floor(frame.time))};
        if (!fixed_) Eigen::Map<Eigen::Matrix3d>(s.slope.data()) = fast * slow.transpose() / slope;
        const double byTime = line.line.head<2>().dot(best->velocity) / slope;
        s.slope[kOffset] = byTime;
        s.slope[kDrift] = byTime * (frame.time - middle);
        samples_.push_back(s);
      }
  }

  /// Adds the prior of the drift, and fixes the norm of the geometry, which has no meaning.
  void constrain(Matrix& normal, double variance) const {
    normal(kDrift, kDrift) += variance / (driftPrior_ * driftPrior_);
    if (fixed_) {
      normal.topLeftCorner<9, 9>().setIdentity();
      return;
    }
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> f(f_.data());
    const double size = normal.topLeftCorner<9, 9>().trace();
    normal.topLeftCorner<9, 9>() += size * f * f.transpose();
    normal.topLeftCorner<9, 9>().diagonal().array() += 1e-10 * size;
  }

  /// Sets the larger ones of two kinds of standard deviations: those of independent errors, and
  /// those of errors that the samples of a second have in common (White's sandwich).
  void setSigmas(PairClock& clock, const Eigen::LDLT<Matrix>& solver, double variance,
                 const std::vector<Vector>& blocks) const {
    const Matrix inverse = solver.solve(Matrix::Identity());
    Matrix inner = Matrix::Zero();
    for (const Vector& block : blocks) inner += block * block.transpose();
    const auto count = static_cast<double>(blocks.size());
    const double numbers = fixed_ ? 2 : kNumbers;
    const Matrix outer = count / std::max(1.0, count - numbers) * inverse * inner * inverse;
    const auto sigma = [&](int n) {
      return std::sqrt(std::max(outer(n, n), variance * inverse(n, n)));
    };
    clock.sigma = sigma(kOffset);
    clock.driftSigma = sigma(kDrift);
  }

  Eigen::Matrix3d f_;
  double scale_, tolerance_, driftPrior_;
  bool fixed_;
  std::vector<Sample> samples_;
};

/// The speed of a camera's lights at equal steps of time, as a logarithm; or nothing known.
struct SpeedSignal {
  std::vector<double> values;
  std::vector<char> known;
};

SpeedSignal speedSignal(const DotPaths& paths, double step) {
  const auto& frames = paths.frames();
  const std::vector<double> speeds = paths.speeds();
  std::vector<double> positive;
  std::copy_if(speeds.begin(), speeds.end(), std::back_inserter(positive),
               [](double speed) { return speed > 0; });
  // A share of the median speed. Slower lights count as if they stood still.
  constexpr double kStill = 0.05;
  const double still = std::max(kStill * base::medianOf(positive), 1e-6);
  const double length = frames.back().time - frames.front().time;
  SpeedSignal signal;
  size_t at = 0;
  for (size_t i = 0; i < static_cast<size_t>(length / step); ++i) {
    const double time = frames.front().time + (static_cast<double>(i) + 0.5) * step;
    while (at + 2 < frames.size() && frames[at + 1].time <= time) ++at;
    signal.known.push_back(speeds[at] >= 0);
    signal.values.push_back(std::log(std::max(speeds[at], 0.0) + still));
  }
  return signal;
}

/// Returns the correlation of two signals, `lag` steps apart, times the square root of the number
/// of values; 0 if they have fewer than `least` in common.
double likeness(const SpeedSignal& a, const SpeedSignal& b, long lag, size_t least) {
  const size_t from = lag < 0 ? static_cast<size_t>(-lag) : 0;
  const size_t to = static_cast<size_t>(std::clamp<long>(static_cast<long>(b.values.size()) - lag,
                                                         0, static_cast<long>(a.values.size())));
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = from; i < to; ++i) {
    const auto j = static_cast<size_t>(static_cast<long>(i) + lag);
    const double u = a.values[i], v = b.values[j];
    const double w = a.known[i] & b.known[j];
    n += w, x += w * u, y += w * v, xx += w * u * u, yy += w * v * v, xy += w * u * v;
  }
  if (n < static_cast<double>(least)) return 0;
  const double spread = (xx - x * x / n) * (yy - y * y / n);
  return spread > 0 ? (xy - x * y / n) / std::sqrt(spread) * std::sqrt(n) : 0;
}

class PairFinder {
 public:
  PairFinder(const CameraPair& pair, const SyncOptions& options)
      : pair_(pair),
        options_(options),
        slow_(*pair.slow),
        fast_(*pair.fast),
        // With a rig, nothing but noise and the rig's errors keep dots from their lines.
        tolerance_(options.tolerance * fast_.scale() * (pair.fundamental ? 0.5 : 1)) {}

  PairResult find() const;
  std::optional<PairClock> refine(PairClock clock) const;

 private:
  Overlap overlapOf(const PairClock& clock) const;
  /// Returns up to `most` frames of the slow camera between two of its times in which both cameras
  /// see dots.
  SharedFrames shared(const PairClock& clock, double from, double to, size_t most) const;
  std::optional<Eigen::Matrix3d> geometryOf(const SharedFrames& frames) const;
  /// Returns the disagreement in the middle of the overlap; 1 if it is too short.
  double judge(const PairClock& clock) const;
  /// Returns the disagreement in each half of the overlap with the geometry of the other half.
  double heldOut(const PairClock& clock) const;
  double step() const;
  std::vector<PairClock> proposals() const;
  double likenessAt(const PairClock& clock) const;

  const CameraPair& pair_;
  const SyncOptions& options_;
  const DotPaths &slow_, &fast_;
  double tolerance_;
};

Overlap PairFinder::overlapOf(const PairClock& clock) const {
  const auto slowTime = [&](double fast) {
    return (fast - clock.offset + clock.drift * clock.middle) / (1 + clock.drift);
  };
  return {std::max(slow_.frames().front().time, slowTime(fast_.frames().front().time)),
          std::min(slow_.frames().back().time, slowTime(fast_.frames().back().time))};
}

SharedFrames PairFinder::shared(const PairClock& clock, double from, double to, size_t most) const {
  const auto& frames = slow_.frames();
  const auto earlier = [](const DotFrame& frame, double time) { return frame.time < time; };
  const auto first = std::lower_bound(frames.begin(), frames.end(), from, earlier);
  const auto last = std::lower_bound(first, frames.end(), to, earlier);
  const auto count = static_cast<size_t>(last - first);
  SharedFrames all;
  const size_t stride = std::max<size_t>(1, count / most);
  for (size_t i = 0; i < count; i += stride) {
    const DotFrame& frame = first[static_cast<std::ptrdiff_t>(i)];
    if (frame.dots.empty()) continue;
    SharedFrame both{frame.time, &frame.dots, fast_.at(clock.fastTime(frame.time))};
    if (!both.fast.empty()) all.push_back(std::move(both));
  }
  return all;
}

std::optional<Eigen::Matrix3d> PairFinder::geometryOf(const SharedFrames& frames) const {
  if (pair_.fundamental) return pair_.fundamental;
  LightRecording recording{.sizes = {pair_.slowSize, pair_.fastSize}, .moments = {}};
  for (const SharedFrame& frame : frames) {
    Moment& moment = recording.moments.emplace_back();
    moment.views.resize(2);
    for (const Eigen::Vector2d& dot : *frame.slow) moment.views[0].dots.push_back({dot, {1, 1}});
    for (const PathPlace& place : frame.fast) moment.views[1].dots.push_back({place.at, {1, 1}});
  }
  std::vector<size_t> every(recording.moments.size());
  std::iota(every.begin(), every.end(), size_t{0});
  const EpipolarFit fit = fitEpipolar(recording, pair_.target, every, 0, 1, options_.samples);
  if (fit.sightings.empty()) return std::nullopt;
  return fit.fundamental;
}

double PairFinder::judge(const PairClock& clock) const {
  const Overlap overlap = overlapOf(clock);
  if (overlap.length() < options_.leastOverlap) return 1;
  const double half = std::min(overlap.length(), options_.window) / 2;
  const SharedFrames frames =
      shared(clock, overlap.middle() - half, overlap.middle() + half, options_.judged);
  if (frames.size() < options_.judged / 4) return 1;
  const auto f = geometryOf(frames);
  return f ? disagreement(*f, frames, tolerance_) : 1;
}

double PairFinder::heldOut(const PairClock& clock) const {
  const Overlap overlap = overlapOf(clock);
  const SharedFrames frames = shared(clock, overlap.from, overlap.to, 2 * options_.judged);
  if (frames.size() < options_.judged / 4) return 1;
  if (pair_.fundamental) return disagreement(*pair_.fundamental, frames, tolerance_);
  const auto middle = frames.begin() + static_cast<std::ptrdiff_t>(frames.size() / 2);
  const std::array halves{SharedFrames(frames.begin(), middle), SharedFrames(middle, frames.end())};
  double sum = 0;
  for (size_t h = 0; h < 2; ++h) {
    const auto f = geometryOf(halves[h]);
    sum += f ? disagreement(*f, halves[1 - h], tolerance_) : 1;
  }
  return sum / 2;
}

/// Returns the step between proposed offsets, s: a frame of the slow camera, or more in very long
/// recordings.
double PairFinder::step() const {
  constexpr double kMostSteps = 40'000;
  const auto length = [](const DotPaths& paths) {
    return paths.frames().back().time - paths.frames().front().time;
  };
  return std::max(slow_.interval(), std::max(length(slow_), length(fast_)) / kMostSteps);
}

/// Returns the negative disagreement of the dots as they are in the nearest frames.
double PairFinder::likenessAt(const PairClock& clock) const {
  const Overlap overlap = overlapOf(clock);
  return overlap.length() < options_.leastOverlap
             ? -1
             : -disagreement(*pair_.fundamental,
                             shared(clock, overlap.from, overlap.to, options_.judged), tolerance_);
}

/// Returns offsets at which the cameras may agree, the most likely one first.
std::vector<PairClock> PairFinder::proposals() const {
  const double step = this->step();
  const SpeedSignal slow = speedSignal(slow_, step), fast = speedSignal(fast_, step);
  const auto most = static_cast<long>(fast.values.size());
  const auto least = -static_cast<long>(slow.values.size());
  const auto enough = static_cast<size_t>(options_.leastOverlap / step / 2);
  const double start = fast_.frames().front().time - slow_.frames().front().time;
  std::vector<double> scores;
  const auto clockAt = [&](long lag) {
    return PairClock{.offset = start + static_cast<double>(lag) * step};
  };
  for (long lag = least; lag <= most; ++lag)
    scores.push_back(pair_.fundamental ? likenessAt(clockAt(lag))
                                       : likeness(slow, fast, lag, enough));
  std::vector<std::pair<double, long>> peaks;
  for (size_t i = 1; i + 1 < scores.size(); ++i)
    if (scores[i] >= scores[i - 1] && scores[i] > scores[i + 1])
      peaks.emplace_back(-scores[i], least + static_cast<long>(i));
  std::sort(peaks.begin(), peaks.end());
  if (peaks.size() > options_.candidates) peaks.resize(options_.candidates);
  std::vector<PairClock> all;
  for (const auto& [score, lag] : peaks) all.push_back(clockAt(lag));
  return all;
}

std::optional<PairClock> PairFinder::refine(PairClock clock) const {
  // The most steps of the fit for each length of time, and the most frames that it uses. The fit is
  // done when a step changes the offset by less than this share of its standard deviation.
  constexpr int kSteps = 30;
  constexpr size_t kMostFrames = 3000;
  constexpr double kDone = 0.02;
  const Overlap overlap = overlapOf(clock);
  if (overlap.length() < options_.leastOverlap) return std::nullopt;
  clock.offset += clock.drift * (overlap.middle() - clock.middle);
  clock.middle = overlap.middle();
  std::optional<JointFit> fit;
  for (double half = options_.window / 2;; half *= 2) {
    const double from = std::max(overlap.from, clock.middle - half),
                 to = std::min(overlap.to, clock.middle + half);
    const bool whole = from <= overlap.from && to >= overlap.to;
    if (!fit) {
      const auto f = geometryOf(shared(clock, from, to, options_.judged));
      if (!f && whole) return std::nullopt;
      if (!f) continue;
      fit.emplace(*f, pair_.fundamental.has_value(), fast_.scale() / 2, tolerance_,
                  options_.driftPrior);
    }
    for (int i = 0; i < kSteps; ++i) {
      const double before = clock.offset;
      if (!fit->improve(shared(clock, from, to, kMostFrames), clock)) return std::nullopt;
      if (std::abs(clock.offset - before) < kDone * clock.sigma) break;
    }
    if (whole) break;
  }
  const Overlap found = overlapOf(clock);
  if (found.length() < options_.leastOverlap) return std::nullopt;
  clock.cost = heldOut(clock);
  return clock;
}

PairResult PairFinder::find() const {
  if (slow_.frames().size() < 2 || fast_.frames().size() < 2)
    return {std::nullopt, "one of them saw no light"};
  std::vector<std::pair<double, PairClock>> judged;
  for (const PairClock& clock : proposals()) judged.emplace_back(judge(clock), clock);
  std::stable_sort(judged.begin(), judged.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PairClock> found;
  for (size_t i = 0; i < std::min(judged.size(), options_.finalists); ++i) {
    // The correlation of speeds may be a frame or two off.
    PairClock best = judged[i].second;
    double least = judged[i].first;
    for (const double frames : {-2.0, -1.0, -0.5, 0.5, 1.0, 2.0}) {
      PairClock near = judged[i].second;
      near.offset += frames * step();
      if (const double cost = judge(near); cost < least) least = cost, best = near;
    }
    const auto clock = refine(best);
    if (!clock) continue;
    const auto same = [&](const PairClock& other) {
      return std::abs(other.fastTime(clock->middle) - clock->fastTime(clock->middle)) <
             2 * slow_.interval();
    };
    const auto known = std::find_if(found.begin(), found.end(), same);
    if (known == found.end())
      found.push_back(*clock);
    else if (clock->cost < known->cost)
      *known = *clock;
  }
  std::sort(found.begin(), found.end(),
            [](const PairClock& a, const PairClock& b) { return a.cost < b.cost; });
  if (found.empty() || found[0].cost > options_.margin)
    return {std::nullopt, "there is no offset at which their lights move alike"};
  if (found.size() > 1 && found[0].cost > options_.margin * found[1].cost)
    return {std::nullopt,
            fmt::format("beginnings {:.2f} s and {:.2f} s apart explain their lights equally well",
                        std::abs(found[0].offset), std::abs(found[1].offset))};
  if (!(found[0].sigma < options_.worstSigma * slow_.interval()))
    return {std::nullopt, "their lights move too little to show the offset"};
  return {found[0], ""};
}

}  // namespace

PairResult findPairClock(const CameraPair& pair, const SyncOptions& options) {
  return PairFinder(pair, options).find();
}

std::optional<PairClock> refinePairClock(const CameraPair& pair, const PairClock& start,
                                         const SyncOptions& options) {
  return PairFinder(pair, options).refine(start);
}

}  // namespace glint::motion
