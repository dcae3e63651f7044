#include "app/study/advice/lamp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/motion/frame/threshold_doubt.h"

namespace glint::study {
namespace {

/// Returns a square around a marker as "x,y,width,height", cut off at the edges of the picture.
/// `radii`: half the width of the square, as a multiple of the radius of the marker.
std::string squareAround(const shared::Detection& marker, double radii,
                         const gpu::ImageFormat& format) {
  const auto range = [&](double middle, uint32_t length) {
    const double reach = radii * double{marker.radius};
    const double begin = std::max(0.0, std::floor(middle - reach));
    return std::pair(begin,
                     std::min(static_cast<double>(length), std::ceil(middle + reach + 1)) - begin);
  };
  const auto [x, width] = range(marker.x, format.width);
  const auto [y, height] = range(marker.y, format.height);
  return fmt::format("{:.0f},{:.0f},{:.0f},{:.0f}", x, y, width, height);
}

}  // namespace

std::optional<Lamp> findLamp(FrameSample& sample, const Settings& settings,
                             const LampOptions& options) {
  const gpu::LayerMeasurement first = sample.measure(settings, 0);
  const shared::Detection* found = motion::lampOf(first, settings);
  if (found == nullptr) return std::nullopt;
  Lamp lamp{.x = found->x,
            .y = found->y,
            .radius = found->radius,
            .rectangle = squareAround(*found, options.reach, sample.format())};
  Settings without = settings;
  apply(lamp.remedy(), without);
  const double hidden = countOf(sample.measureFirst(without, sample.frames()));
  const double seen = countOf(sample.measureFirst(settings, sample.frames()));
  lamp.hides = hidden - seen + 1;  // The lamp is one of the markers in `seen`.
  if (lamp.hides < options.leastHidden) return std::nullopt;
  return lamp;
}

}  // namespace glint::study
