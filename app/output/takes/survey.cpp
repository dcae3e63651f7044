#include "app/output/takes/survey.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::output {
namespace {

constexpr double kTimeStep = 1e-6;   // s: tables write times with six decimals
constexpr double kAssumedRate = 60;  // Hz, of a single frame
constexpr uint64_t kMostFrames = 0x7fffffff;
constexpr uint64_t kUsualFrames =
    10'000'000;  // more, and hardly one of them measured: a damaged number

/// Returns the simplest rate that the times of two frames allow: a whole number of frames a second
/// or in 1001/1000 s, or one of two decimals, if it puts both frames within the rounding of the
/// times; at best such that frame 0 is at time 0.
double simpleRate(uint64_t firstFrame, double firstTime, uint64_t lastFrame, double lastTime) {
  const auto frames = static_cast<double>(lastFrame - firstFrame);
  const double seconds = lastTime - firstTime, rate = frames / seconds;
  const std::array<double, 3> simple{std::round(rate), std::round(rate * 1.001) / 1.001,
                                     std::round(rate * 100) / 100};
  for (const bool fromZero : {true, false})
    for (const double one : simple) {
      if (!(one > 0) || std::abs(frames / one - seconds) > kTimeStep) continue;
      const double start = firstTime - static_cast<double>(firstFrame) / one;
      if (!fromZero || std::abs(start) <= kTimeStep) return one;
    }
  return rate;
}

/// The frames of a take that hold anything, and their times.
class TimeLine {
 public:
  void add(uint64_t frame, double time) { moments_.push_back({frame, time}); }

  /// Returns the rate of the longest part between two jumps of time; 0 if the times tell none.
  double rate() const {
    if (moments_.empty()) return 0;
    const auto [first, last] = longestPart();
    const Moment &a = moments_[first], &b = moments_[last];
    if (b.frame > a.frame && b.time > a.time) return simpleRate(a.frame, a.time, b.frame, b.time);
    const Moment& only = moments_.front();
    const bool tells = moments_.size() == 1 && only.frame > 0 && only.time > 0;
    return tells ? simpleRate(0, 0, only.frame, only.time) : 0;
  }

  /// Says where the times contradict the numbers of the frames or the rate that the file states, a
  /// sentence each. `stated`: Hz, 0: none.
  std::vector<std::string> doubts(double stated) const {
    std::vector<std::string> all;
    uint64_t standing = 0;
    for (size_t i = 1; i < moments_.size(); ++i)
      if (!(moments_[i].time > moments_[i - 1].time) && standing++ == 0)
        all.push_back(fmt::format(
            "time does not rise from frame {} ({:.6g} s) to frame {} ({:.6g} s)",
            moments_[i - 1].frame, moments_[i - 1].time, moments_[i].frame, moments_[i].time));
    if (standing > 1) all.back() += fmt::format(", nor at {} other places", standing - 1);
    const double found = rate();
    if (found <= 0 || moments_.size() < 2) return all;
    sayJumps(found, all);
    const auto [first, last] = longestPart();
    const double seconds = moments_[last].time - moments_[first].time;
    const auto frames = static_cast<double>(moments_[last].frame - moments_[first].frame);
    if (stated > 0 && std::abs(seconds - frames / stated) > kMostDrift * seconds + kTimeRounding)
      all.push_back(fmt::format(
          "its header says {:.6g} frames a second, which is used as the rate, and its times {:.6g}",
          stated, found));
    return all;
  }

  uint64_t frames() const {
    return moments_.empty() ? 0 : moments_.back().frame - moments_.front().frame + 1;
  }
  uint64_t count() const { return moments_.size(); }
  uint64_t first() const { return moments_.empty() ? 0 : moments_.front().frame; }
  double start(double rate) const {
    return moments_.empty()
               ? 0
               : moments_.front().time - static_cast<double>(moments_.front().frame) / rate;
  }

 private:
  struct Moment {
    uint64_t frame = 0;
    double time = 0;  ///< s
  };

  static constexpr double kJump = 5;  // usual steps: time jumps if it gains more than this
  static constexpr double kMostDrift = 0.01, kTimeRounding = 0.011;  // share; s: two decimals

  /// Returns the time from moment `i` - 1 to moment `i` for each frame between them, s.
  double step(size_t i) const {
    return (moments_[i].time - moments_[i - 1].time) /
           static_cast<double>(moments_[i].frame - moments_[i - 1].frame);
  }

  /// Returns the median of all steps, s.
  double usualStep() const {
    std::vector<double> steps;
    for (size_t i = 1; i < moments_.size(); ++i) steps.push_back(step(i));
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
  }

  bool pauses(size_t i, double usual) const {
    const auto frames = static_cast<double>(moments_[i].frame - moments_[i - 1].frame);
    return usual > 0 && (step(i) - usual) * frames > kJump * usual;
  }

  /// Returns the first and the last moment of the longest part without a jump.
  std::pair<size_t, size_t> longestPart() const {
    const double usual = usualStep();
    std::pair<size_t, size_t> best{0, 0};
    for (size_t first = 0, i = 1; i <= moments_.size(); ++i) {
      if (i < moments_.size() && !pauses(i, usual) && step(i) > 0) continue;
      if (i - 1 - first > best.second - best.first) best = {first, i - 1};
      first = i;
    }
    return best;
  }

  void sayJumps(double rate, std::vector<std::string>& all) const {
    const double usual = usualStep();
    uint64_t count = 0;
    double most = 0;
    for (size_t i = 1; i < moments_.size(); ++i) {
      if (!pauses(i, usual)) continue;
      ++count;
      most = std::max(most, moments_[i].time - moments_[i - 1].time);
    }
    if (count > 0)
      all.push_back(
          fmt::format("its times pause {}, for up to {:.3g} s; between, they make {:.6g} "
                      "frames a second",
                      count == 1 ? "once" : fmt::format("{} times", count), most, rate));
  }

  std::vector<Moment> moments_;
};

/// Returns what tells a marker from all others: the label and its body, or the id.
std::string identityOf(uint64_t point, const std::string& body, const std::string& label) {
  if (label.empty()) return std::to_string(point);
  return body + '\n' + label;
}

/// Returns the steps in which a C3D file holds standard deviations, mm. The usual step, of which
/// 32,000 reach the largest coordinate, is divided by a whole number, so that the largest deviation
/// takes all 127 steps.
double residualStepOf(double largest, double largestDeviation) {
  constexpr double kSteps = 32000;
  const double usual = (largest > 0 ? largest : 1) / kSteps;
  const double parts = std::floor(usual * kMostResidualSteps / largestDeviation);
  return std::isfinite(parts) && parts > 1 ? usual / parts : usual;
}

/// Notes which properties a row has. If only the number of its cameras is known, and not which they
/// are, `cameras` has that number of bits, beginning with the highest.
void note(const motion::SpaceRow& row, TakeContents& contents) {
  contents.predicted |= row.state != motion::TrackState::measured;
  contents.deviations |= row.covariance.trace() > 0;
  const bool counted = row.cameras != 0 && row.cameras == ~uint64_t{0} << (64 - row.rays());
  contents.counts |= counted;
  contents.cameras |= row.cameras != 0 && !counted;
  contents.beyondSeven |= row.cameras >> 7 != 0 && !counted;
  contents.velocities |= row.velocity.allFinite() || std::isfinite(row.residual) || row.flags != 0;
}

}  // namespace

TakeColumns::TakeColumns(const std::vector<TakeMarker>& markers) : markers_(markers) {
  for (size_t i = 0; i < markers_.size(); ++i) {
    const TakeMarker& marker = markers_[i];
    index_[{identityOf(marker.point, marker.body, marker.label), marker.occurrence}] = i;
    names_.insert(marker.name);
  }
}

size_t TakeColumns::indexOf(const motion::SpaceRow& row) {
  const std::string identity = identityOf(row.point, row.body, row.label);
  const int occurrence = ++seen_[identity];
  const auto [at, isNew] = index_.try_emplace({identity, occurrence}, markers_.size());
  if (!isNew) return at->second;
  const std::string wanted = columnName(row);
  std::string name = wanted;
  for (int n = 2; !names_.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
  markers_.push_back({.name = name,
                      .point = row.point,
                      .body = row.body,
                      .label = row.label,
                      .occurrence = occurrence});
  return at->second;
}

TakeSurvey surveyTake(TakeReader& reader, double rate) {
  TakeSurvey survey;
  survey.info = reader.info();
  TakeColumns columns(survey.info.markers);
  std::set<std::string> bodies(survey.info.bodies.begin(), survey.info.bodies.end());
  TimeLine times;
  const double given = rate > 0 ? rate : survey.info.rate.value_or(0);
  double largestVariance = 0;  // mm^2, along one axis
  TakeFrame frame;
  while (reader.next(frame)) {
    times.add(frame.frame, frame.time);
    columns.assign(frame, [&](const motion::SpaceRow& row, size_t) {
      note(row, survey.contents);
      survey.largest = std::max(survey.largest, row.at.cwiseAbs().maxCoeff());
      if (const double variance = row.covariance.trace() / 3; std::isfinite(variance))
        largestVariance = std::max(largestVariance, variance);
    });
    for (const motion::PoseRow& row : frame.poses) {
      ++survey.contents.poses;
      if (bodies.insert(row.body).second) survey.info.bodies.push_back(row.body);
    }
  }
  survey.rate = given > 0 ? given : times.rate();
  survey.rateAssumed = !(survey.rate > 0);
  if (survey.rateAssumed) survey.rate = kAssumedRate;
  survey.first = survey.info.first.value_or(times.first());
  survey.frames = std::max(survey.info.frames, times.frames());
  if (survey.frames > kMostFrames ||
      (survey.frames > kUsualFrames && survey.frames / 100 > times.count()))
    throw Error(
        "frame {} is the last of {} frames, but rows are there of {}; is it a number of a frame?",
        survey.first + survey.frames - 1, survey.frames, times.count());
  survey.contents.start = times.start(survey.rate);
  survey.contents.deviation = std::sqrt(largestVariance);
  survey.contents.residualStep = residualStepOf(survey.largest, survey.contents.deviation);
  survey.info.markers = columns.markers();
  if (survey.info.markers.empty() || reader.info().markers.empty())
    std::ranges::stable_sort(survey.info.markers, {}, &TakeMarker::point);
  survey.remarks = reader.remarks();
  survey.doubts = reader.doubts();
  if (survey.info.timed)
    for (std::string& doubt : times.doubts(rate > 0 ? 0 : given))
      survey.doubts.push_back(std::move(doubt));
  return survey;
}

double copyTake(TakeReader& reader, const TakeSurvey& survey, UpAxis up, TakeWriter& writer) {
  TakeFrame frame, empty;
  uint64_t next = survey.first;
  double before = survey.contents.start, offBeat = 0;
  uint64_t last = 0;  // frame of `before`, the time from which the times of missing frames count
  const auto fill = [&](uint64_t end) {
    for (; next < end; ++next) {
      empty.frame = next;
      empty.time = before + static_cast<double>(next - last) / survey.rate;
      writer.add(empty);
    }
  };
  while (reader.next(frame)) {
    fill(frame.frame);
    if (!survey.info.timed) frame.time = static_cast<double>(frame.frame) / survey.rate;
    turn(frame, survey.info.up, up);
    writer.add(frame);
    next = frame.frame + 1, before = frame.time, last = frame.frame;
    const double even = survey.contents.start + static_cast<double>(last) / survey.rate;
    offBeat = std::max(offBeat, std::abs(before - even));
  }
  fill(survey.first + survey.frames);
  writer.finish();
  return offBeat;
}

}  // namespace glint::output
