#include "app/motion/frame/glance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "app/base/quantile.h"
#include "app/motion/frame/threshold_doubt.h"
#include "gpu/detect/limits.h"

namespace glint::motion {
namespace {

/// Consecutive rows of a picture as grey values. The values are inverted if markers are dark, so
/// that markers are always bright here.
struct GlanceBand {
  int first = 0, width = 0, height = 0;
  std::vector<uint16_t> values = {};

  int at(int x, int y) const {
    return values[static_cast<size_t>(y - first) * static_cast<size_t>(width) +
                  static_cast<size_t>(x)];
  }
  bool holds(int x, int y, int margin) const {
    return x >= margin && y >= first + margin && x < width - margin && y < first + height - margin;
  }
};

/// Converts a row of pixels to grey values (Rec. 709 weights in 1/256) and writes `from + sign *
/// value` for each.
template <class Channel>
void readGlance(const std::byte* row, uint32_t channels, uint32_t width, int from, int sign,
                uint16_t* to) {
  for (uint32_t x = 0; x < width; ++x) {
    std::array<Channel, 3> c{};
    std::memcpy(c.data(), row + size_t{x} * channels * sizeof(Channel), channels * sizeof(Channel));
    const int value =
        channels == 1 ? c[0] : static_cast<int>((19U * c[0] + 183U * c[1] + 54U * c[2] + 128) >> 8);
    to[x] = static_cast<uint16_t>(from + sign * value);
  }
}

/// Reads bands of rows, spread evenly over the picture, up to `options.pixels` pixels in all.
std::vector<GlanceBand> bandsOf(const gpu::ImageView& image, bool neutral, bool inverted,
                                const GlanceOptions& options) {
  const gpu::ImageFormat& format = image.format;
  const bool grey = neutral && image.grey != nullptr;
  const uint32_t channels = grey ? 1 : format.channels;
  const int from = inverted ? static_cast<int>(format.fullScale()) : 0, sign = inverted ? -1 : 1;
  const uint32_t bands = (format.height + options.bandRows - 1) / options.bandRows;
  const uint32_t most = std::max<uint32_t>(
      1, static_cast<uint32_t>(options.pixels / (size_t{format.width} * options.bandRows)));
  const uint32_t count = std::min(bands, most);
  std::vector<GlanceBand> read;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = (2 * i + 1) * bands / (2 * count) * options.bandRows;
    const uint32_t rows = std::min(options.bandRows, format.height - first);
    GlanceBand band{static_cast<int>(first), static_cast<int>(format.width),
                    static_cast<int>(rows)};
    band.values.resize(size_t{format.width} * rows);
    for (uint32_t y = 0; y < rows; ++y) {
      const std::byte* row = grey ? image.greyRow(first + y) : image.row(first + y);
      uint16_t* to = band.values.data() + size_t{y} * format.width;
      if (format.bits == 8)
        readGlance<uint8_t>(row, channels, format.width, from, sign, to);
      else
        readGlance<uint16_t>(row, channels, format.width, from, sign, to);
    }
    read.push_back(std::move(band));
  }
  return read;
}

/// Grey level of the background, and the standard deviation of its noise.
struct GlanceGround {
  double level = 0, noise = 0;
};

/// Estimates the background as the median, and its noise from the 16 % quantile, which is one
/// standard deviation below the median of a normal distribution.
GlanceGround groundOf(const std::vector<GlanceBand>& bands) {
  // One pixel in this many is sampled, which is enough to know the level. Raising it is faster and
  // less exact.
  constexpr size_t kEvery = 7;
  std::vector<uint16_t> some;
  for (const GlanceBand& band : bands)
    for (size_t i = 0; i < band.values.size(); i += kEvery) some.push_back(band.values[i]);
  const double level = base::quantileOf(some, 0.5);
  return {level, level - base::quantileOf(some, 0.16) + 0.5};
}

/// Returns true if `sign` times the pixel is a local maximum among its eight neighbours. Of equal
/// neighbours, only the first in reading order counts.
bool isPeak(const GlanceBand& band, int x, int y, int sign) {
  const int own = sign * band.at(x, y);
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int other = sign * band.at(x + dx, y + dy);
      const bool before = dy < 0 || (dy == 0 && dx < 0);
      if (other > own || (before && other == own)) return false;
    }
  return true;
}

/// Searches one band for dim and for paired peaks.
class GlanceSearch {
 public:
  GlanceSearch(const GlanceBand& band, const GlanceGround& ground,
               const gpu::LayerMeasurement& measured, double radius, const GlanceOptions& options)
      : band_(band), ground_(ground), measured_(measured), radius_(radius), options_(options) {}

  /// Returns the heights of isolated peaks that are clear of the noise but below the threshold.
  /// With `sign` 1 it searches bright peaks outside the markers, with -1 dark peaks.
  std::vector<int> dim(int sign) const {
    const int margin = std::max(2, static_cast<int>(std::lround(options_.lostAt * radius_)));
    const int least = static_cast<int>(std::ceil(options_.clearOfNoise * ground_.noise));
    const int level = static_cast<int>(std::lround(ground_.level));
    const int most = static_cast<int>(measured_.threshold) - level;
    std::vector<uint8_t> own;
    if (sign > 0) own = owned();
    std::vector<int> heights;
    for (int y = band_.first + margin; y < band_.first + band_.height - margin; ++y)
      for (int x = margin; x < band_.width - margin; ++x) {
        const int height = sign * (band_.at(x, y) - level);
        if (height < least || height >= most) continue;
        if (!isPeak(band_, x, y, sign)) continue;
        if (sign > 0 &&
            own[static_cast<size_t>(y - band_.first) * static_cast<size_t>(band_.width) +
                static_cast<size_t>(x)] != 0)
          continue;
        const auto lost = [&](int dx, int dy) {
          return 2 * sign * (band_.at(x + dx, y + dy) - level) < height ? 1 : 0;
        };
        if (lost(margin, 0) + lost(-margin, 0) + lost(0, margin) + lost(0, -margin) >=
            options_.sides)
          heights.push_back(height);
      }
    return heights;
  }

  /// Returns the number of markers that have another peak beside them, nearer than `separation` px.
  size_t paired(double separation) const {
    const int reach = static_cast<int>(std::ceil(separation));
    size_t count = 0;
    for (const shared::Detection& d : measured_.markers) {
      const int px = static_cast<int>(d.peakX), py = static_cast<int>(d.peakY);
      if (!band_.holds(px, py, 1)) continue;
      bool two = false;
      for (int y = py - reach; y <= py + reach && !two; ++y)
        for (int x = px - reach; x <= px + reach && !two; ++x)
          two = band_.holds(x, y, 1) && isSecond(d, x, y, separation);
      if (two) ++count;
    }
    return count;
  }

 private:
  /// Returns true if (x, y) is a second peak beside the marker `d`, with a dip between them.
  bool isSecond(const shared::Detection& d, int x, int y, double separation) const {
    const int px = static_cast<int>(d.peakX), py = static_cast<int>(d.peakY);
    const double away = std::hypot(x - px, y - py);
    if (away < 2 || away >= separation) return false;
    const int value = band_.at(x, y);
    if (value < static_cast<int>(measured_.threshold) || !isPeak(band_, x, y, 1)) return false;
    const double height = value - double{d.background};
    if (height < options_.secondHeight * (band_.at(px, py) - double{d.background})) return false;
    double least = value;
    const int steps = static_cast<int>(std::ceil(away));
    for (int i = 1; i < steps; ++i) {
      const double part = double(i) / steps;
      least =
          std::min(least, double(band_.at(static_cast<int>(std::lround(px + part * (x - px))),
                                          static_cast<int>(std::lround(py + part * (y - py))))));
    }
    return value - least >= std::max(options_.dipNoise * ground_.noise, options_.dipShare * height);
  }

  /// Returns one byte for each pixel of the band. The byte is 1 if the pixel belongs to a marker.
  std::vector<uint8_t> owned() const {
    std::vector<uint8_t> own(band_.values.size());
    for (const shared::Detection& d : measured_.markers) {
      const double reach = options_.ownReach * std::max(double{d.radius}, radius_) + 2;
      const int top = std::max(band_.first, static_cast<int>(std::ceil(d.y - reach)));
      const int bottom =
          std::min(band_.first + band_.height - 1, static_cast<int>(std::floor(d.y + reach)));
      const int left = std::max(0, static_cast<int>(std::ceil(d.x - reach)));
      const int right = std::min(band_.width - 1, static_cast<int>(std::floor(d.x + reach)));
      for (int y = top; y <= bottom && left <= right; ++y)
        std::fill_n(own.begin() + static_cast<std::ptrdiff_t>(y - band_.first) * band_.width + left,
                    right - left + 1, uint8_t{1});
    }
    return own;
  }

  const GlanceBand& band_;
  const GlanceGround& ground_;
  const gpu::LayerMeasurement& measured_;
  double radius_;
  const GlanceOptions& options_;
};

}  // namespace

Glance glanceAt(const gpu::ImageView& image, bool neutral, const gpu::LayerMeasurement& measured,
                const Settings& settings, const GlanceOptions& options) {
  std::vector<float> radii;
  for (const shared::Detection& d : measured.markers)
    if (d.radius > 0) radii.push_back(d.radius);
  if (radii.empty() || !thresholdIsOfMeasuredPlane(settings)) return {};
  const double radius = base::quantileOf(radii, 0.5);
  const bool dark = settings.response.dark || settings.response.kind == ResponseKind::inverted;
  const auto bands = bandsOf(image, neutral, dark, options);
  const GlanceGround ground = groundOf(bands);
  size_t markers = 0, decoys = 0, pairs = 0;
  std::vector<int> dim;
  for (const GlanceBand& band : bands) {
    const GlanceSearch search(band, ground, measured, radius, options);
    markers += static_cast<size_t>(
        std::ranges::count_if(measured.markers, [&](const shared::Detection& d) {
          return band.holds(static_cast<int>(d.peakX), static_cast<int>(d.peakY), 1);
        }));
    const std::vector<int> heights = search.dim(1);
    dim.insert(dim.end(), heights.begin(), heights.end());
    decoys += search.dim(-1).size();
    pairs += search.paired(settings.detect.separation);
  }
  const auto found = static_cast<double>(markers), count = static_cast<double>(dim.size());
  return {.dimmer = count >= std::max(options.leastDimmer, options.dimmerShare * found) &&
                    static_cast<double>(decoys) <= options.decoyShare * count &&
                    base::quantileOf(dim, 0.9) <= options.heightRatio * base::quantileOf(dim, 0.1),
          .paired = pairs >= 1 && static_cast<double>(pairs) >= options.pairedShare * found};
}

}  // namespace glint::motion
