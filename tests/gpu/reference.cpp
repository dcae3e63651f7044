#include "tests/gpu/reference.h"

#include <algorithm>
#include <cmath>
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

/// Returns true if the response falls by no more than `prominence` along an axis, as on lines and
/// inside of areas.
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

namespace {

size_t countIn(const std::vector<uint32_t>& values, uint32_t least, uint32_t most) {
  return static_cast<size_t>(std::count_if(values.begin(), values.end(), [&](uint32_t value) {
    return value >= least && value <= most;
  }));
}

/// Returns the shortest range of values that holds a quarter of them; among equal ones, the lowest.
std::pair<uint32_t, uint32_t> densest(const std::vector<uint32_t>& values) {
  const uint32_t least = *std::min_element(values.begin(), values.end());
  const uint32_t most = *std::max_element(values.begin(), values.end());
  for (uint32_t wide = 0;; ++wide)
    for (uint32_t low = least; low <= most; ++low)
      if (4 * countIn(values, low, low + wide) >= values.size()) return {low, low + wide};
}

}  // namespace

Crowd crowd(const std::vector<uint32_t>& samples, size_t columns, uint32_t step) {
  std::vector<uint32_t> values;
  for (const uint32_t value : samples)
    if (value != ~0U) values.push_back(value);
  Crowd c;
  if (values.size() < 64) return c;
  c.all = static_cast<uint32_t>(values.size());
  const auto [low, high] = densest(values);
  int64_t sum = 0, number = 0;
  for (const uint32_t value : values)
    if (value >= low && value <= high) sum += value, ++number;
  c.level = static_cast<double>(256 * sum / number) / 256;
  double squares = 0, below = 0;
  for (const uint32_t value : values)
    if (value <= c.level) squares += (c.level - value) * (c.level - value), ++below;
  c.noise = std::sqrt(std::max(squares / below, 1.0 / 12));
  double second = 0, third = 0;
  for (const uint32_t value : values) {
    if (value < c.level + 5 * c.noise) continue;
    const double above = value - std::floor(c.level);
    ++c.bright;
    second += above * above;
    third += above * above * above;
  }
  if (c.bright == 0) return c;
  c.height = third / second;
  const auto bright = [&](size_t x, size_t y) {
    const uint32_t value = samples[y * columns + x];
    return value == ~0U ? -1 : value >= c.level + c.height / 2 ? 1 : 0;
  };
  const size_t rows = samples.size() / columns;
  c.lumps = 1;
  for (size_t apart = (12 + step - 1) / step, i = 0; i < 3; ++i, ++apart) {
    double both = 0, any = 0;
    for (size_t y = 0; y < rows; ++y) {
      for (size_t x = 0; x < columns; ++x) {
        for (const auto& [u, v] : {std::pair{x + apart, y}, {x, y + apart}}) {
          if (u >= columns || v >= rows || bright(x, y) < 0 || bright(u, v) < 0) continue;
          any += bright(x, y) + bright(u, v);
          both += 2 * bright(x, y) * bright(u, v);
        }
      }
    }
    c.lumps = std::min(c.lumps, any == 0 ? 0 : both / any);
  }
  return c;
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
