#include "app/base/sets_by_time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace glint::base {
namespace {

using Frames = std::vector<TimedFrame>;

constexpr double kReach = 0.5;      // reach of a set, in intervals of the fastest camera
constexpr double kRounding = 2e-6;  // s: allows for times that files round to 1e-6
constexpr double kMostSets = 1e15;  // set numbers beyond this are refused

bool rises(const Frames& frames) {
  for (size_t i = 1; i < frames.size(); ++i)
    if (!(frames[i].time > frames[i - 1].time)) return false;
  return std::ranges::all_of(frames,
                             [](const TimedFrame& frame) { return std::isfinite(frame.time); });
}

/// Returns the mean interval of a camera's frames, s; infinite with fewer than two frames.
double intervalOf(const Frames& frames) {
  if (frames.size() < 2) return std::numeric_limits<double>::infinity();
  return (frames.back().time - frames.front().time) /
         static_cast<double>(frames.back().number - frames.front().number);
}

/// Returns true if two frames with the same number were taken more than `reach`, s, apart. Then
/// frames of one moment cannot be found by their numbers.
bool numbersMislead(const std::vector<Frames>& cameras, double reach) {
  std::unordered_map<uint64_t, std::pair<double, double>> spans;
  for (const Frames& frames : cameras)
    for (const TimedFrame& frame : frames) {
      auto& [first, last] = spans.try_emplace(frame.number, frame.time, frame.time).first->second;
      first = std::min(first, frame.time);
      last = std::max(last, frame.time);
      if (last - first > reach) return true;
    }
  return false;
}

/// A set that is being put together: its time, s, and for each camera the index of its frame among
/// the camera's frames.
struct TimedSet {
  double time = 0;
  std::vector<std::optional<size_t>> frames;
};

/// Puts frames together as sets, sorted by time. Each frame of the leader begins a set, which
/// frames of other cameras join if they are near enough. Frames that cannot join any make further
/// sets.
class SetMaker {
 public:
  SetMaker(const std::vector<Frames>& cameras, size_t leader, double reach)
      : cameras_(cameras), reach_(reach) {
    for (size_t i = 0; i < cameras[leader].size(); ++i) {
      sets_.push_back({cameras[leader][i].time, {}});
      sets_.back().frames.resize(cameras.size());
      sets_.back().frames[leader] = i;
    }
    for (size_t c = 0; c < cameras.size(); ++c)
      if (c != leader) join(c);
    addRest();
  }

  const std::vector<TimedSet>& sets() const { return sets_; }

 private:
  // A frame that could not join a set of the leader.
  struct Unjoined {
    double time;  // s; not earlier than the set of the camera's previous frame
    size_t camera, frame;
  };

  // Adds each frame of a camera to the nearest set that is within reach and has none of this
  // camera.
  void join(size_t camera) {
    size_t nearest = 0;
    double before = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < cameras_[camera].size(); ++i) {
      const double time = cameras_[camera][i].time;
      const auto off = [&](size_t set) { return std::abs(sets_[set].time - time); };
      while (nearest + 1 < sets_.size() && off(nearest + 1) < off(nearest)) ++nearest;
      auto& place = sets_[nearest].frames[camera];
      if (off(nearest) <= reach_ && !place) {
        place = i;
        before = sets_[nearest].time;
      } else {
        before = std::max(before, time);
        unjoined_.push_back({before, camera, i});
      }
    }
  }

  // Makes sets of the frames that joined none, and merges them with the others by time.
  void addRest() {
    std::ranges::stable_sort(unjoined_, {}, &Unjoined::time);
    std::vector<TimedSet> rest;
    for (const Unjoined& frame : unjoined_) {
      const bool fits = !rest.empty() && frame.time <= rest.back().time + reach_ &&
                        !rest.back().frames[frame.camera];
      if (!fits) {
        rest.push_back({frame.time, {}});
        rest.back().frames.resize(cameras_.size());
      }
      rest.back().frames[frame.camera] = frame.frame;
    }
    const auto middle = static_cast<std::ptrdiff_t>(sets_.size());
    std::move(rest.begin(), rest.end(), std::back_inserter(sets_));
    std::inplace_merge(sets_.begin(), sets_.begin() + middle, sets_.end(),
                       [](const TimedSet& a, const TimedSet& b) { return a.time < b.time; });
  }

  const std::vector<Frames>& cameras_;
  const double reach_;
  std::vector<TimedSet> sets_;
  std::vector<Unjoined> unjoined_;
};

/// Returns the time at which a camera's frame 0 was taken, s, also if that frame is missing.
double beginOf(const Frames& frames, double interval) {
  const double own = frames.size() > 1 ? intervalOf(frames) : interval;
  return frames.front().time - static_cast<double>(frames.front().number) * own;
}

}  // namespace

std::vector<std::vector<uint64_t>> setsByTime(const std::vector<Frames>& cameras) {
  if (!std::ranges::all_of(cameras, rises)) return {};
  size_t leader = 0;
  for (size_t c = 1; c < cameras.size(); ++c)
    if (intervalOf(cameras[c]) < intervalOf(cameras[leader])) leader = c;
  const double interval =
      cameras.empty() ? std::numeric_limits<double>::infinity() : intervalOf(cameras[leader]);
  if (!std::isfinite(interval)) return {};
  const double reach = kReach * interval + kRounding;
  if (!numbersMislead(cameras, reach)) return {};

  double zero = beginOf(cameras[leader], interval);
  double earlier = 0;  // whole intervals by which another camera's frame 0 was before the leader's
  for (const Frames& frames : cameras)
    if (!frames.empty())
      earlier = std::max(earlier, std::round((zero - beginOf(frames, interval)) / interval));
  zero -= earlier * interval;
  const SetMaker maker(cameras, leader, reach);
  std::vector<std::vector<uint64_t>> numbers(cameras.size());
  uint64_t next = 0;
  for (const TimedSet& set : maker.sets()) {
    const double count = std::round((set.time - zero) / interval);
    if (!(count < kMostSets)) return {};
    next = std::max(next, static_cast<uint64_t>(std::max(0.0, count)));
    for (size_t c = 0; c < cameras.size(); ++c)
      if (set.frames[c]) numbers[c].push_back(next);
    ++next;
  }
  return numbers;
}

}  // namespace glint::base
