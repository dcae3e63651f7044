#include "bench/image.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "config/error.h"

namespace glint::bench {
namespace {

constexpr double kBackground = 10, kNoise = 2, kHeight = 191;  // in units of 1/255 of full scale
constexpr double kSigma = 1.5;                                 // px: sigma of a marker
constexpr double kLeastDistance = 14;  // px between markers: the reach of both together
constexpr int kReach = 7;              // px from its centre, at which a marker is below 1/255

/// The random numbers of xorshift64* (Vigna 2016): fast, and the same on every machine.
class Random {
 public:
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15;
};

/// Returns 4096 values. Drawn with equal probability, they have the distribution of the background
/// with its read noise. They end at 3.5 sigma, so that no automatic threshold makes a candidate of
/// noise.
std::vector<uint16_t> noiseTable(double unit) {
  constexpr size_t kValues = 4096;
  std::vector<uint16_t> table;
  double z = -6;  // place up to which `share` has integrated the normal distribution
  double share = 0;
  for (size_t i = 0; i < kValues; ++i) {
    const double wanted = (static_cast<double>(i) + 0.5) / kValues;
    while (share < wanted) {
      constexpr double kStep = 1e-4;
      share += kStep * std::exp(-z * z / 2) * 0.3989422804014327;
      z += kStep;
    }
    table.push_back(
        static_cast<uint16_t>(std::lround(std::max(0.0, kBackground + kNoise * z) * unit)));
  }
  return table;
}

template <class Value>
void fillNoise(Image& image, Random& random, double unit) {
  const auto table = noiseTable(unit);
  auto* values = reinterpret_cast<Value*>(image.pixels.data());
  const size_t count = image.pixels.size() / sizeof(Value);
  for (size_t i = 0; i < count; i += 4) {
    uint64_t bits = random.next();
    for (size_t k = i; k < std::min(i + 4, count); ++k, bits >>= 16)
      values[k] = static_cast<Value>(table[bits & 4095]);
  }
}

/// Returns one random place in each of the first `count` cells of a grid over the image.
std::vector<Image::Marker> placeMarkers(const gpu::ImageFormat& format, uint32_t count,
                                        Random& random) {
  const double cell = std::sqrt(static_cast<double>(format.pixels()) / std::max(count, 1U));
  const auto columns = static_cast<uint32_t>(std::max(1.0, std::round(format.width / cell)));
  const uint32_t rows = (count + columns - 1) / columns;
  const double cellWidth = double(format.width) / columns;
  const double cellHeight = double(format.height) / std::max(rows, 1U);
  const double play[] = {cellWidth - kLeastDistance, cellHeight - kLeastDistance};
  if (count > 0 && (play[0] < 0 || play[1] < 0)) {
    throw UsageError(std::to_string(count) + " markers do not fit into an image of " +
                     std::to_string(format.width) + "x" + std::to_string(format.height) + " px");
  }
  std::vector<Image::Marker> markers;
  for (uint32_t i = 0; i < count; ++i) {
    const double x = (i % columns + 0.5) * cellWidth + (random.uniform() - 0.5) * play[0];
    const double y = (i / columns + 0.5) * cellHeight + (random.uniform() - 0.5) * play[1];
    markers.push_back({x - 0.5, y - 0.5});
  }
  return markers;
}

template <class Value>
void drawMarker(Image& image, const Image::Marker& marker, double unit) {
  const auto& f = image.format;
  auto* values = reinterpret_cast<Value*>(image.pixels.data());
  const auto centreX = static_cast<int>(std::lround(marker.x));
  const auto centreY = static_cast<int>(std::lround(marker.y));
  for (int y = std::max(centreY - kReach, 0); y <= std::min(centreY + kReach, int(f.height) - 1);
       ++y) {
    for (int x = std::max(centreX - kReach, 0); x <= std::min(centreX + kReach, int(f.width) - 1);
         ++x) {
      const double dx = x - marker.x;
      const double dy = y - marker.y;
      const double light = kHeight * unit * std::exp(-(dx * dx + dy * dy) / (2 * kSigma * kSigma));
      for (uint32_t c = 0; c < f.channels; ++c) {
        Value& value = values[(size_t(y) * f.width + size_t(x)) * f.channels + c];
        value = static_cast<Value>(std::min(value + light + 0.5, double(f.fullScale())));
      }
    }
  }
}

template <class Value>
void draw(Image& image) {
  const double unit = image.format.fullScale() / 255.0;
  Random random;
  fillNoise<Value>(image, random, unit);
  for (const auto& marker : image.markers) drawMarker<Value>(image, marker, unit);
}

}  // namespace

Image makeImage(const gpu::ImageFormat& format, uint32_t markers) {
  Random random;
  Image image{.format = format,
              .pixels = std::vector<std::byte>(format.pixels() * format.bytesPerPixel()),
              .markers = placeMarkers(format, markers, random)};
  format.bits == 8 ? draw<uint8_t>(image) : draw<uint16_t>(image);
  return image;
}

}  // namespace glint::bench
