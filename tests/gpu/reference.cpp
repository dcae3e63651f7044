#include "tests/gpu/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "shared/limits.h"

namespace glint::reference {

Image luminance(const Image& color) {
  Image grey{color.format, {}};
  grey.format.channels = 1;
  for (size_t i = 0; i < color.values.size(); i += 3) {
    const uint32_t b = color.values[i], g = color.values[i + 1], r = color.values[i + 2];
    grey.values.push_back(static_cast<uint16_t>((54 * r + 183 * g + 19 * b + 128) >> 8));
  }
  return grey;
}

Image inverted(const Image& grey) {
  Image result = grey;
  for (auto& value : result.values) value = static_cast<uint16_t>(grey.format.fullScale() - value);
  return result;
}

Statistics statistics(const Image& grey) {
  Statistics s;
  bool first = true;
  for (uint32_t i = 0; i < grey.values.size(); ++i) {
    if (!grey.counts(i)) continue;
    const uint64_t value = grey.values[i];
    s.sum += value;
    s.squares += value * value;
    if (std::exchange(first, false)) {
      s.least = s.most = grey.values[i];
      s.leastIndex = s.mostIndex = i;
    }
    if (value < s.least) s.least = static_cast<uint32_t>(value), s.leastIndex = i;
    if (value > s.most) s.most = static_cast<uint32_t>(value), s.mostIndex = i;
  }
  return s;
}

std::vector<Peak> candidates(const Image& response, uint32_t threshold) {
  const int64_t width = response.format.width, height = response.format.height;
  std::vector<Peak> found;
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const uint32_t value = response.at(x, y);
      bool candidate = value >= threshold && response.counts(static_cast<size_t>(y * width + x));
      for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, height - 1); ++v) {
        for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, width - 1); ++u) {
          candidate = candidate && response.at(u, v) <= value;
        }
      }
      if (candidate) found.push_back({static_cast<uint32_t>(x), static_cast<uint32_t>(y), value});
    }
  }
  return found;
}

std::vector<Peak> peaks(const Image& response, uint32_t threshold, double separation,
                        size_t maxMarkers) {
  auto sorted = candidates(response, threshold);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Peak& a, const Peak& b) { return a.value > b.value; });
  std::vector<Peak> accepted;
  for (const Peak& peak : sorted) {
    if (accepted.size() == maxMarkers) break;
    const bool far = std::all_of(accepted.begin(), accepted.end(), [&](const Peak& other) {
      const double dx = static_cast<double>(peak.x) - other.x;
      const double dy = static_cast<double>(peak.y) - other.y;
      return dx * dx + dy * dy >= separation * separation;
    });
    if (far) accepted.push_back(peak);
  }
  return accepted;
}

namespace {

constexpr int kRings = static_cast<int>(shared::kMaxAutoRadius);

/// Calls visit(x, y, dx, dy) for the pixels of a square around a centre that lie in the image.
template <class Visit>
void around(const Image& image, int cx, int cy, int reach, Visit visit) {
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int x = cx + dx, y = cy + dy;
      if (x < 0 || y < 0 || x >= static_cast<int>(image.format.width) ||
          y >= static_cast<int>(image.format.height)) {
        continue;
      }
      visit(x, y, dx, dy);
    }
  }
}

struct Scale {
  int radius;
  double darkest;
};

Scale measureScale(const Image& image, const Peak& peak, int fixedRadius) {
  std::array<uint32_t, kRings + 1> sum{}, count{};
  around(image, static_cast<int>(peak.x), static_cast<int>(peak.y), kRings,
         [&](int x, int y, int dx, int dy) {
           const auto ring = static_cast<size_t>(std::max(std::abs(dx), std::abs(dy)));
           sum[ring] += image.at(x, y);
           ++count[ring];
         });
  uint32_t darkest = peak.value * 16;
  for (size_t r = 1; r <= kRings; ++r) {
    if (count[r] != 0) darkest = std::min(darkest, sum[r] * 16 / count[r]);
  }
  int radius = kRings;
  for (int r = kRings; r >= 2; --r) {
    const auto i = static_cast<size_t>(r);
    if (count[i] == 0) continue;
    if ((sum[i] * 16 / count[i] - darkest) * 8 <= peak.value * 16 - darkest) radius = r;
  }
  return {fixedRadius > 0 ? fixedRadius : radius, darkest / 16.0};
}

struct Background {
  double level, variance;
};

Background measureBackground(const Image& image, int cx, int cy, const Scale& scale,
                             double bright) {
  const int inner = scale.radius + 2, outer = scale.radius + 4;
  double count = 0, sum = 0, squares = 0;
  around(image, cx, cy, outer, [&](int x, int y, int dx, int dy) {
    const int d2 = dx * dx + dy * dy;
    const double value = image.at(x, y) - scale.darkest;
    if (d2 <= inner * inner || d2 > outer * outer || value > bright) return;
    ++count;
    sum += value;
    squares += value * value;
  });
  if (count == 0) return {scale.darkest, 1.0 / 12};
  const double mean = sum / count;
  return {scale.darkest + mean, std::max(squares / count - mean * mean, 1.0 / 12)};
}

struct Moments {
  double mass = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, spread2 = 0;
  bool saturated = false;
};

Moments measureMoments(const Image& image, int cx, int cy, int reach, double background) {
  Moments m;
  around(image, cx, cy, reach, [&](int x, int y, int dx, int dy) {
    const int d2 = dx * dx + dy * dy;
    if (d2 > reach * reach) return;
    m.saturated |= image.at(x, y) == image.format.fullScale();
    const double w = std::max(image.at(x, y) - background, 0.0);
    m.mass += w;
    m.x += w * dx;
    m.y += w * dy;
    m.xx += w * dx * dx;
    m.xy += w * dx * dy;
    m.yy += w * dy * dy;
    m.spread2 += 0.5 * d2;
  });
  if (m.mass <= 0) return {.spread2 = m.spread2, .saturated = m.saturated};
  m.x /= m.mass;
  m.y /= m.mass;
  m.xx = m.xx / m.mass - m.x * m.x;
  m.xy = m.xy / m.mass - m.x * m.y;
  m.yy = m.yy / m.mass - m.y * m.y;
  return m;
}

/// Whole pixels to move for an offset; exact halves do not move.
int stepTo(double offset) {
  return static_cast<int>(std::copysign(std::floor(std::abs(offset) + 0.49), offset));
}

}  // namespace

Refined refine(const Image& response, const Peak& peak, int fixedRadius) {
  const Scale scale = measureScale(response, peak, fixedRadius);
  const int reach = scale.radius + 1;
  const int width = static_cast<int>(response.format.width);
  const int height = static_cast<int>(response.format.height);
  const int px = static_cast<int>(peak.x), py = static_cast<int>(peak.y);
  int cx = px, cy = py;
  Background background{};
  Moments m;
  for (int i = 0; i < 8; ++i) {
    background = measureBackground(response, cx, cy, scale, 0.25 * (peak.value - scale.darkest));
    m = measureMoments(response, cx, cy, reach, background.level);
    const int nx = std::clamp(cx + stepTo(m.x), px - reach, px + reach);
    const int ny = std::clamp(cy + stepTo(m.y), py - reach, py + reach);
    const bool outside = nx < 0 || ny < 0 || nx >= width || ny >= height;
    if ((nx == cx && ny == cy) || outside || i == 7) break;
    cx = nx;
    cy = ny;
  }
  Refined r{.x = static_cast<double>(peak.x), .y = static_cast<double>(peak.y)};
  r.background = background.level;
  r.mass = m.mass;
  if (m.saturated) r.flags |= shared::kFlagSaturated;
  if (cx < reach || cy < reach || cx + reach >= width || cy + reach >= height)
    r.flags |= shared::kFlagBorder;
  if (m.mass <= 0) return r;
  r.x = cx + m.x;
  r.y = cy + m.y;
  const double a = std::max(m.xx, 0.0), c = std::max(m.yy, 0.0);
  r.radius = 2 * std::sqrt((a + c) / 2);
  const double root = std::hypot((a - c) / 2, m.xy);
  const double major = (a + c) / 2 + root, minor = (a + c) / 2 - root;
  r.eccentricity = major > 0 ? std::sqrt(std::clamp(1 - minor / major, 0.0, 1.0)) : 0;
  r.sigma = std::sqrt(background.variance * m.spread2) / m.mass;
  return r;
}

}  // namespace glint::reference
