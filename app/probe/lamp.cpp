#include "app/probe/lamp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/frame/threshold_doubt.h"

namespace glint {
namespace {

// Dimmer markers a frame that are worth a word.
constexpr double kLeastHidden = 3;

std::string around(const shared::Detection& marker, const ImageFormat& format) {
  const auto range = [&](double middle, uint32_t length) {
    const double reach = 2 * double{marker.radius};
    const double begin = std::max(0.0, std::floor(middle - reach));
    return std::pair(begin,
                     std::min(static_cast<double>(length), std::ceil(middle + reach + 1)) - begin);
  };
  const auto [x, width] = range(marker.x, format.width);
  const auto [y, height] = range(marker.y, format.height);
  return fmt::format("{:.0f},{:.0f},{:.0f},{:.0f}", x, y, width, height);
}

/// Markers a frame.
double markersIn(FrameSample& sample, const Settings& settings) {
  size_t count = 0;
  for (const auto& found : sample.measureFirst(settings, sample.frames())) count += found.size();
  return static_cast<double>(count) / static_cast<double>(sample.frames());
}

}  // namespace

std::optional<Lamp> findLamp(FrameSample& sample, const Settings& settings) {
  const LayerMeasurement first = sample.measure(settings, 0);
  const shared::Detection* found = lampOf(first, settings);
  if (found == nullptr) return std::nullopt;
  Lamp lamp{.x = found->x,
            .y = found->y,
            .radius = found->radius,
            .rectangle = around(*found, sample.format())};
  Settings without = settings;
  ignoreLamp(lamp, without);
  lamp.hides = markersIn(sample, without) - markersIn(sample, settings) + 1;  // which is the lamp
  if (lamp.hides < kLeastHidden) return std::nullopt;
  return lamp;
}

void ignoreLamp(const Lamp& lamp, Settings& settings) {
  std::string& ignored = settings.detect.ignore;
  ignored += (ignored.empty() ? "" : "; ") + lamp.rectangle;
}

}  // namespace glint
