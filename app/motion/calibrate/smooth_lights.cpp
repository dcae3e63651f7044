#include "app/motion/calibrate/smooth_lights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/base/quantile.h"

namespace glint::motion {
namespace {

/// Largest errors of three dots that move smoothly, px.
struct SmoothGate {
  double deviation = 0, reach = 0;
};

/// Marks the smooth dots of one camera, moment by moment.
class SmoothFinder {
 public:
  SmoothFinder(const LightRecording& recording, size_t camera, SmoothGate gate)
      : recording_(recording), camera_(camera), gate_(gate) {
    for (const Moment& moment : recording.moments)
      smooth_.emplace_back(moment.views[camera].dots.size());
    std::vector<double> steps;
    for (size_t m = 0; m + 1 < recording.moments.size(); ++m)
      steps.push_back(recording.moments[m + 1].time - recording.moments[m].time);
    // Neighbours in time may be up to this many median steps apart. Raising it bridges longer gaps.
    constexpr double kFarthest = 3.5;
    longest_ = kFarthest * base::medianOf(std::move(steps));
    for (size_t m = 0; m + 2 < recording.moments.size(); ++m) markTriples(m);
  }

  const std::vector<std::vector<bool>>& smooth() const { return smooth_; }

 private:
  const std::vector<Dot>& dots(size_t moment) const {
    return recording_.moments[moment].views[camera_].dots;
  }

  /// Marks all triples of dots in moment `first` and the next two that move smoothly.
  void markTriples(size_t first) {
    const auto& moments = recording_.moments;
    const double whole = moments[first + 2].time - moments[first].time;
    if (!(whole > 0) || whole > longest_) return;
    const double part = (moments[first + 1].time - moments[first].time) / whole;
    for (size_t a = 0; a < dots(first).size(); ++a)
      for (size_t b = 0; b < dots(first + 1).size(); ++b) {
        const Eigen::Vector2d &from = dots(first)[a].at, &middle = dots(first + 1)[b].at;
        if ((middle - from).norm() > gate_.reach) continue;
        for (size_t c = 0; c < dots(first + 2).size(); ++c) {
          const Eigen::Vector2d& to = dots(first + 2)[c].at;
          if ((to - middle).norm() > gate_.reach ||
              (from + part * (to - from) - middle).norm() > gate_.deviation)
            continue;
          smooth_[first][a] = smooth_[first + 1][b] = smooth_[first + 2][c] = true;
        }
      }
  }

  const LightRecording& recording_;
  const size_t camera_;
  const SmoothGate gate_;
  double longest_ = 0;
  std::vector<std::vector<bool>> smooth_;
};

/// Returns the number of views in which a camera may see the whole target.
size_t wholeViews(const LightRecording& recording, const Target& target, size_t camera) {
  return static_cast<size_t>(
      std::count_if(recording.moments.begin(), recording.moments.end(), [&](const Moment& moment) {
        return moment.views[camera].dots.size() >= target.lights.size();
      }));
}

bool isCluttered(const LightRecording& recording, const Target& target, double share) {
  double views = 0, crowded = 0;
  for (const Moment& moment : recording.moments)
    for (const View& view : moment.views) {
      views += !view.dots.empty();
      crowded += view.dots.size() > target.lights.size();
    }
  return crowded > share * views;
}

/// Returns the recording with its smooth dots, or nothing if too few views of the target are left.
std::optional<LightRecording> smoothWithin(const LightRecording& recording, const Target& target,
                                           double deviation, const SmoothLightOptions& options) {
  LightRecording smooth = recording;
  for (size_t c = 0; c < recording.sizes.size(); ++c) {
    const double gate = deviation * std::hypot(recording.sizes[c].width, recording.sizes[c].height);
    const SmoothFinder finder(recording, c, {gate, options.reach * gate});
    for (size_t m = 0; m < recording.moments.size(); ++m) {
      auto& dots = smooth.moments[m].views[c].dots;
      size_t at = 0;
      std::erase_if(dots, [&](const Dot&) { return !finder.smooth()[m][at++]; });
      smooth.moments[m].views[c].strays = 0;
    }
    if (static_cast<double>(wholeViews(smooth, target, c)) <
        options.leastLeft * static_cast<double>(wholeViews(recording, target, c)))
      return std::nullopt;
  }
  return smooth;
}

}  // namespace

std::optional<LightRecording> smoothLights(const LightRecording& recording, const Target& target,
                                           const SmoothLightOptions& options) {
  if (!isCluttered(recording, target, options.cluttered)) return std::nullopt;
  for (const double deviation : options.deviations)
    if (auto smooth = smoothWithin(recording, target, deviation, options)) return smooth;
  return std::nullopt;
}

void markStrays(LightRecording& recording, const Target& target,
                const SmoothLightOptions& options) {
  const auto smooth = smoothLights(recording, target, options);
  if (!smooth) return;
  for (size_t m = 0; m < recording.moments.size(); ++m)
    for (size_t c = 0; c < recording.sizes.size(); ++c) {
      View& view = recording.moments[m].views[c];
      view.strays = view.dots.size() - smooth->moments[m].views[c].dots.size();
    }
}

}  // namespace glint::motion
