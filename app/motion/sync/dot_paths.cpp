#include "app/motion/sync/dot_paths.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/base/quantile.h"

namespace glint::motion {
namespace {

/// Returns the index of the place that is nearest to `from`, or -1 if none is within `reach`.
int nearestTo(const Eigen::Vector2d& from, const std::vector<Eigen::Vector2d>& places,
              double reach) {
  int best = -1;
  double least = reach * reach;
  for (size_t i = 0; i < places.size(); ++i) {
    const double square = (places[i] - from).squaredNorm();
    if (square < least) least = square, best = static_cast<int>(i);
  }
  return best;
}

/// A place of a dot in a frame.
struct TimedPlace {
  double time;
  Eigen::Vector2d at;
};

/// Returns the value and the derivative of the polynomial through the first `count` places, by
/// Lagrange's formula.
PathPlace interpolate(const std::array<TimedPlace, 4>& places, size_t count, double time) {
  PathPlace result{Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero()};
  for (size_t i = 0; i < count; ++i) {
    double value = 1, slope = 0;
    for (size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const double span = places[i].time - places[j].time;
      slope = slope * (time - places[j].time) / span + value / span;
      value *= (time - places[j].time) / span;
    }
    result.at += value * places[i].at;
    result.velocity += slope * places[i].at;
  }
  return result;
}

}  // namespace

DotPaths::DotPaths(std::vector<DotFrame> frames, double scale, const DotPathOptions& options)
    : frames_(std::move(frames)), scale_(scale), longest_(options.longest) {
  std::vector<double> steps;
  for (size_t f = 0; f < frames_.size(); ++f) {
    next_.emplace_back(frames_[f].dots.size(), -1);
    previous_.emplace_back(frames_[f].dots.size(), -1);
    if (f > 0) steps.push_back(frames_[f].time - frames_[f - 1].time);
  }
  interval_ = base::medianOf(std::move(steps));
  for (size_t f = 0; f + 1 < frames_.size(); ++f) link(f, options.reach * scale);
}

/// Follows the dots of a frame to the next one: a dot belongs to the nearest one there if the
/// reverse is true as well.
void DotPaths::link(size_t frame, double reach) {
  const DotFrame &now = frames_[frame], &then = frames_[frame + 1];
  if (!(then.time - now.time < longest_ * interval_)) return;
  std::vector<Eigen::Vector2d> expected;
  for (size_t i = 0; i < now.dots.size(); ++i) {
    const int before = previous_[frame][i];
    Eigen::Vector2d at = now.dots[i];
    if (before >= 0)
      at += (at - frames_[frame - 1].dots[static_cast<size_t>(before)]) * (then.time - now.time) /
            (now.time - frames_[frame - 1].time);
    expected.push_back(at);
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const int to = nearestTo(expected[i], then.dots, reach);
    if (to < 0) continue;
    const auto j = static_cast<size_t>(to);
    if (nearestTo(then.dots[j], expected, reach) != static_cast<int>(i)) continue;
    next_[frame][i] = to;
    previous_[frame + 1][j] = static_cast<int>(i);
  }
}

std::vector<PathPlace> DotPaths::at(double time) const {
  std::vector<PathPlace> places;
  const auto after =
      std::upper_bound(frames_.begin(), frames_.end(), time,
                       [](double t, const DotFrame& frame) { return t < frame.time; });
  if (after == frames_.begin() || after == frames_.end()) return places;
  const auto k = static_cast<size_t>(after - frames_.begin()) - 1;
  for (size_t i = 0; i < frames_[k].dots.size(); ++i) {
    const int to = next_[k][i];
    if (to < 0) continue;
    const auto j = static_cast<size_t>(to);
    std::array<TimedPlace, 4> around{TimedPlace{frames_[k].time, frames_[k].dots[i]},
                                     TimedPlace{frames_[k + 1].time, frames_[k + 1].dots[j]},
                                     {},
                                     {}};
    size_t count = 2;
    if (const int before = previous_[k][i]; before >= 0)
      around[count++] = {frames_[k - 1].time, frames_[k - 1].dots[static_cast<size_t>(before)]};
    if (const int later = next_[k + 1][j]; later >= 0)
      around[count++] = {frames_[k + 2].time, frames_[k + 2].dots[static_cast<size_t>(later)]};
    places.push_back(interpolate(around, count, time));
  }
  return places;
}

std::vector<double> DotPaths::speeds() const {
  std::vector<double> speeds;
  for (size_t f = 0; f + 1 < frames_.size(); ++f) {
    std::vector<double> all;
    for (size_t i = 0; i < frames_[f].dots.size(); ++i)
      if (next_[f][i] >= 0)
        all.push_back(
            (frames_[f + 1].dots[static_cast<size_t>(next_[f][i])] - frames_[f].dots[i]).norm() /
            (frames_[f + 1].time - frames_[f].time));
    speeds.push_back(all.empty() ? -1 : base::medianOf(std::move(all)));
  }
  return speeds;
}

}  // namespace glint::motion
