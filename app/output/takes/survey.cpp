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

/// The first and the last frame of a take, and their times.
class TimeLine {
 public:
  void add(uint64_t frame, double time) {
    if (count_++ == 0) firstFrame_ = frame, firstTime_ = time;
    lastFrame_ = frame, lastTime_ = time;
  }

  double rate() const {
    if (lastFrame_ > firstFrame_ && lastTime_ > firstTime_)
      return simpleRate(firstFrame_, firstTime_, lastFrame_, lastTime_);
    return firstFrame_ > 0 && firstTime_ > 0 ? simpleRate(0, 0, firstFrame_, firstTime_) : 0;
  }

  uint64_t frames() const { return count_ == 0 ? 0 : lastFrame_ - firstFrame_ + 1; }
  uint64_t count() const { return count_; }
  uint64_t first() const { return firstFrame_; }
  double start(double rate) const {
    return count_ == 0 ? 0 : firstTime_ - static_cast<double>(firstFrame_) / rate;
  }

 private:
  uint64_t count_ = 0, firstFrame_ = 0, lastFrame_ = 0;
  double firstTime_ = 0, lastTime_ = 0;
};

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
  for (size_t i = 0; i < markers_.size(); ++i) index_[markers_[i].name] = i;
}

std::string TakeColumns::byId(const motion::SpaceRow& row) {
  std::string name = fmt::format("point{}", row.point);
  for (int n = 2; !used_.insert(name).second; ++n) name = fmt::format("point{}_{}", row.point, n);
  return name;
}

size_t TakeColumns::indexOf(const std::string& name, const motion::SpaceRow& row) {
  const auto [at, isNew] = index_.try_emplace(name, markers_.size());
  if (isNew)
    markers_.push_back({.name = name, .point = row.point, .body = row.body, .label = row.label});
  return at->second;
}

TakeSurvey surveyTake(TakeReader& reader, double rate) {
  TakeSurvey survey;
  survey.info = reader.info();
  TakeColumns columns(survey.info.markers);
  std::set<std::string> bodies(survey.info.bodies.begin(), survey.info.bodies.end());
  TimeLine times;
  const double given = rate > 0 ? rate : survey.info.rate.value_or(0);
  TakeFrame frame;
  while (reader.next(frame)) {
    times.add(frame.frame, frame.time);
    columns.assign(frame, [&](const motion::SpaceRow& row, size_t) {
      note(row, survey.contents);
      survey.largest = std::max(survey.largest, row.at.cwiseAbs().maxCoeff());
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
        "frame {} is the last of {} frames of which only {} hold anything; is it a number of "
        "a frame?",
        survey.first + survey.frames - 1, survey.frames, times.count());
  survey.contents.start = times.start(survey.rate);
  survey.info.markers = columns.markers();
  if (survey.info.markers.empty() || reader.info().markers.empty())
    std::ranges::stable_sort(survey.info.markers, {}, &TakeMarker::point);
  survey.remarks = reader.remarks();
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
