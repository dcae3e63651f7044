#include "tests/gpu/blob_reference.h"

#include <algorithm>
#include <cmath>

namespace glint::reference {
namespace {

void add(Blob& b, uint32_t x, uint32_t y, uint32_t value, uint32_t threshold) {
  const uint64_t weight = uint64_t{value} - threshold + 1;
  if (b.area == 0) b.left = b.right = x, b.top = b.bottom = y, b.peak = {x, y, value};
  const auto isFirst = y < b.peak.y || (y == b.peak.y && x < b.peak.x);
  if (value > b.peak.value || (value == b.peak.value && isFirst)) b.peak = {x, y, value};
  b.left = std::min(b.left, x);
  b.right = std::max(b.right, x);
  b.top = std::min(b.top, y);
  b.bottom = std::max(b.bottom, y);
  b.area += 1;
  b.mass += weight;
  b.massX += weight * x;
  b.massY += weight * y;
  b.x += x;
  b.y += y;
  b.xx += uint64_t{x} * x;
  b.xy += uint64_t{x} * y;
  b.yy += uint64_t{y} * y;
}

}  // namespace

double Blob::eccentricity() const {
  const auto n = static_cast<long double>(area);
  const auto mx = static_cast<long double>(x) / n, my = static_cast<long double>(y) / n;
  const auto vxx = static_cast<long double>(xx) / n - mx * mx + 1.0L / 12;
  const auto vyy = static_cast<long double>(yy) / n - my * my + 1.0L / 12;
  const auto vxy = static_cast<long double>(xy) / n - mx * my;
  const auto root = std::hypot((vxx - vyy) / 2, vxy);
  const auto major = (vxx + vyy) / 2 + root, minor = (vxx + vyy) / 2 - root;
  return static_cast<double>(std::sqrt(std::clamp(1 - minor / major, 0.0L, 1.0L)));
}

Blobs blobs(const Image& response, uint32_t threshold) {
  const int64_t width = response.format.width, height = response.format.height;
  Blobs result;
  result.labels.assign(response.values.size(), 0);
  const auto isForeground = [&](size_t i) {
    return response.values[i] >= threshold && response.counts(i);
  };
  std::vector<size_t> open;
  for (size_t start = 0; start < response.values.size(); ++start) {
    if (result.labels[start] != 0 || !isForeground(start)) continue;
    Blob& b = result.all.emplace_back();
    b.first = static_cast<uint32_t>(start);
    const auto label = static_cast<uint32_t>(result.all.size());
    result.labels[start] = label;
    open.push_back(start);
    while (!open.empty()) {
      const size_t i = open.back();
      open.pop_back();
      const auto x = static_cast<int64_t>(i) % width, y = static_cast<int64_t>(i) / width;
      add(b, static_cast<uint32_t>(x), static_cast<uint32_t>(y), response.values[i], threshold);
      for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, height - 1); ++v) {
        for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, width - 1); ++u) {
          const auto j = static_cast<size_t>(v * width + u);
          if (result.labels[j] != 0 || !isForeground(j)) continue;
          result.labels[j] = label;
          open.push_back(j);
        }
      }
    }
    b.centreX = static_cast<uint32_t>((b.massX + b.mass / 2) / b.mass);
    b.centreY = static_cast<uint32_t>((b.massY + b.mass / 2) / b.mass);
  }
  return result;
}

std::vector<Blob> rank(std::vector<Blob> all, double separation, size_t maxMarkers) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Blob& a, const Blob& b) { return a.mass > b.mass; });
  std::vector<Blob> accepted;
  for (const Blob& blob : all) {
    if (accepted.size() == maxMarkers) break;
    const bool far = std::all_of(accepted.begin(), accepted.end(), [&](const Blob& other) {
      const double dx = static_cast<double>(blob.centreX) - other.centreX;
      const double dy = static_cast<double>(blob.centreY) - other.centreY;
      return dx * dx + dy * dy >= separation * separation;
    });
    if (far) accepted.push_back(blob);
  }
  return accepted;
}

}  // namespace glint::reference
