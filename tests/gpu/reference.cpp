#include "tests/gpu/reference.h"

#include <algorithm>
#include <utility>

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

namespace {

/// Whether nothing falls by more than `prominence` along an axis: lines, and the inside of areas.
bool isInside(const Image& response, int64_t x, int64_t y, uint32_t prominence) {
  if (prominence == 0) return false;
  const int64_t width = response.format.width, height = response.format.height;
  for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
    size_t there = 0, high = 0;
    for (const int away : {-24, -15, -7, 7, 15, 24}) {
      const int64_t u = x + away * dx, v = y + away * dy;
      if (u < 0 || v < 0 || u >= width || v >= height) continue;
      ++there;
      high += response.at(u, v) + prominence >= response.at(x, y) ? 1 : 0;
    }
    if (there >= 3 && high == there) return true;
  }
  return false;
}

}  // namespace

std::vector<Peak> candidates(const Image& response, uint32_t threshold, uint32_t prominence) {
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
      const uint32_t falls = prominence == 0 ? 0 : prominence + (value - threshold) / 4;
      candidate = candidate && !isInside(response, x, y, falls);
      if (candidate) found.push_back({static_cast<uint32_t>(x), static_cast<uint32_t>(y), value});
    }
  }
  return found;
}

std::vector<uint32_t> samples(const Image& grey, uint32_t most) {
  const uint32_t width = grey.format.width, height = grey.format.height;
  std::vector<uint32_t> taken;
  for (uint32_t step = 1;; ++step, taken.clear()) {
    for (uint32_t y = step / 2; y < height; y += step) {
      for (uint32_t x = step / 2; x < width; x += step)
        taken.push_back(grey.counts(size_t{y} * width + x) ? grey.at(x, y) : ~0U);
    }
    if (taken.size() <= most) return taken;
  }
}

std::vector<Peak> peaks(const Image& response, uint32_t threshold, double separation,
                        size_t maxMarkers, uint32_t prominence) {
  auto sorted = candidates(response, threshold, prominence);
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

}  // namespace glint::reference
