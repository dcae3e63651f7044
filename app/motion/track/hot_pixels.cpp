#include "app/motion/track/hot_pixels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glint::motion {
namespace {

std::pair<int, int> pixelAt(double x, double y) {
  return {static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y))};
}

}  // namespace

// Returns true if so many sightings in one pixel are no coincidence. If sightings were spread
// evenly over the area, their number in a pixel would have a Poisson distribution. Then the
// expected number of pixels with `count` sightings is area * usual^count * exp(-usual) / count!.
bool HotPixels::isHot(const Pixel& pixel, double area) const {
  if (pixel.seen.count < options_.minSightings) return false;
  const double count = static_cast<double>(pixel.seen.count);
  const double usual = static_cast<double>(all_ - pixel.seen.count + 1) / std::max(area, 1.0);
  return count > usual &&
         std::log(std::max(area, 1.0)) + count * std::log(usual) - usual - std::lgamma(count + 1) <
             options_.chanceLog;
}

bool HotPixels::isHot(double x, double y, double area) const {
  const auto pixel = pixels_.find(pixelAt(x, y));
  return pixel != pixels_.end() && isHot(pixel->second, area);
}

PixelSightings HotPixels::at(double x, double y) const {
  const auto pixel = pixels_.find(pixelAt(x, y));
  return pixel == pixels_.end() ? PixelSightings() : pixel->second.seen;
}

uint64_t HotPixels::add(double x, double y, const PixelSightings& seen, double area) {
  if (pixels_.size() >= options_.maxPixels) forget();
  Pixel& pixel = pixels_[pixelAt(x, y)];
  pixel.seen.count += seen.count;
  pixel.seen.radii += seen.radii;
  pixel.unreported += seen.count;
  all_ += seen.count;
  return isHot(pixel, area) ? std::exchange(pixel.unreported, 0) : 0;
}

// Forgets pixels that were seen once. If too many remain, forgets all.
void HotPixels::forget() {
  std::erase_if(pixels_, [](const auto& pixel) { return pixel.second.seen.count == 1; });
  if (pixels_.size() > options_.maxPixels / 2) pixels_.clear();
  all_ = 0;
  for (const auto& [place, pixel] : pixels_) all_ += pixel.seen.count;
}

SinglePixelEvidence::SinglePixelEvidence(const Observation& first)
    : sightings_{1, first.radius}, allSized_(first.radius > 0), x_(first.x), y_(first.y) {}

void SinglePixelEvidence::add(const Observation& seen, double lastX, double lastY,
                              const HotPixelOptions& options) {
  ++sightings_.count;
  sightings_.radii += seen.radius;
  allSized_ = allSized_ && seen.radius > 0;
  // One long step may lead from one hot pixel to another. From then on, the latter is tested.
  const bool hops = std::hypot(seen.x - lastX, seen.y - lastY) > options.minHop;
  if (hops && stays_ && !hopped_) {
    hopped_ = true;
    x_ = seen.x;
    y_ = seen.y;
  } else {
    stays_ = stays_ && isSamePixel(seen.x, seen.y, options);
  }
}

bool SinglePixelEvidence::isSamePixel(double x, double y, const HotPixelOptions& options) const {
  return std::hypot(x - x_, y - y_) < options.maxDistance;
}

bool SinglePixelEvidence::isHotPixel(const PixelSightings& before,
                                     const HotPixelOptions& options) const {
  const PixelSightings all{before.count + sightings_.count, before.radii + sightings_.radii};
  return allSized_ && stays_ && all.meanRadius() < options.maxMeanRadius;
}

}  // namespace glint::motion
