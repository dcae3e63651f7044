#include "app/track/hot_pixels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glint {
namespace {

// Sightings that a hot pixel has at least; and log(number of pixels that chance makes so).
constexpr uint64_t kLeastSightings = 3;
constexpr double kByChance = -4.6;
// Pixels that are remembered at most.
constexpr size_t kMostPixels = 1 << 14;

std::pair<int, int> pixelAt(double x, double y) {
  return {static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y))};
}

}  // namespace

// Of sightings spread evenly over the area, a pixel's number has Poisson's distribution.
bool HotPixels::isHot(const Pixel& pixel, double area) const {
  if (pixel.seen.count < kLeastSightings) return false;
  const double count = static_cast<double>(pixel.seen.count);
  const double usual = static_cast<double>(all_ - pixel.seen.count + 1) / std::max(area, 1.0);
  return count > usual &&
         std::log(std::max(area, 1.0)) + count * std::log(usual) - usual - std::lgamma(count + 1) <
             kByChance;
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
  if (pixels_.size() >= kMostPixels) forget();
  Pixel& pixel = pixels_[pixelAt(x, y)];
  pixel.seen.count += seen.count;
  pixel.seen.radii += seen.radii;
  pixel.untold += seen.count;
  all_ += seen.count;
  return isHot(pixel, area) ? std::exchange(pixel.untold, 0) : 0;
}

// What was seen once; if that is not much, all.
void HotPixels::forget() {
  std::erase_if(pixels_, [](const auto& pixel) { return pixel.second.seen.count == 1; });
  if (pixels_.size() > kMostPixels / 2) pixels_.clear();
  all_ = 0;
  for (const auto& [place, pixel] : pixels_) all_ += pixel.seen.count;
}

}  // namespace glint
