#include "gpu/detect/neighbours.h"

#include <algorithm>
#include <cmath>

#include "gpu/detect/limits.h"
#include "gpu/detect/place.h"

namespace glint::gpu {
namespace {

// px: larger lights have edges rather than skirts, and those do not reach far.
constexpr double kMostReach = 9;
// Of the radius that one has on its own: two spots three sigma apart look like one of 2.9 sigma,
// and many peaks are nearer on a large light with structure.
constexpr double kLeastApart = 0.75;
// Standard deviations of the noise.
constexpr double kClear = 5;
// Of the extent, to which radius - extent is 0.82 sigma of a Gaussian, and extent 1.18 sigma.
constexpr double kSkirt = 1.9;
// Beside a bright one a dim one looks long, and as if its light reached so much farther.
constexpr double kLooksLonger = 1.2;

// px: no light reaches into another's from there.
constexpr double kMostApart = 2 * kLooksLonger * kMostReach;

/// px, how far a marker's light reaches.
double reachOf(const shared::Detection& d) {
  const double extent = d.extent;
  const double radius = std::clamp<double>(d.radius, extent, 1.7 * extent);
  return extent + kSkirt * (radius - extent);
}

bool canBeNear(const shared::Detection& d) {
  const double most = d.elongation > kRound ? kLooksLonger * kMostReach : kMostReach;
  const bool second = (d.flags & shared::kFlagSecond) != 0;
  return !second && d.extent > 0 && d.elongation > 0 && d.elongation < kEndless &&
         reachOf(d) <= most;
}

double apart(const shared::Detection& a, const shared::Detection& b) {
  return std::hypot(static_cast<double>(a.peakX) - b.peakX, static_cast<double>(a.peakY) - b.peakY);
}

bool areNear(const shared::Detection& a, const shared::Detection& b) {
  const double distance = apart(a, b);
  // Beside a bright one `refine` may fail with a dim one.
  if (isFaint(a, kClear) && isFaint(b, kClear)) return false;
  const double least =
      std::max({2.0, kLeastApart * plausibleRadius(a), kLeastApart * plausibleRadius(b)});
  return distance >= least && distance < reachOf(a) + reachOf(b) && !coversPeak(a, b) &&
         !coversPeak(b, a);
}

class Finder {
 public:
  explicit Finder(std::span<const shared::Detection> found) : found_(found) {
    byX_.reserve(found.size());
    for (size_t i = 0; i < found.size(); ++i)
      if (canBeNear(found[i])) byX_.push_back({found[i].peakX, found[i].peakY, i});
    std::sort(byX_.begin(), byX_.end(), [](const Peak& a, const Peak& b) { return a.x < b.x; });
  }

  /// For each of `found` the ones near to it, the nearest first; empty where none are.
  std::vector<std::vector<size_t>> all() const {
    std::vector<std::vector<size_t>> near;
    for (size_t a = 0; a < byX_.size(); ++a) {
      const Peak& first = byX_[a];
      for (size_t b = a + 1; b < byX_.size(); ++b) {
        const Peak& second = byX_[b];
        if (second.x - first.x >= kMostApart) break;
        if (std::abs(double(second.y) - first.y) >= kMostApart) continue;
        if (!areNear(found_[first.index], found_[second.index])) continue;
        near.resize(found_.size());
        near[first.index].push_back(second.index);
        near[second.index].push_back(first.index);
      }
    }
    for (size_t i = 0; i < near.size(); ++i) {
      std::sort(near[i].begin(), near[i].end(), [&](size_t a, size_t b) {
        const double da = apart(found_[i], found_[a]), db = apart(found_[i], found_[b]);
        return da < db || (da == db && a < b);
      });
    }
    return near;
  }

 private:
  // Beside one another in memory: there may be thousands, and each is compared with many.
  struct Peak {
    uint32_t x, y;  // px
    size_t index;
  };
  std::span<const shared::Detection> found_;
  std::vector<Peak> byX_;
};

/// Beside a bright round one a dim one looks long, and so does each peak on a dotted line, beside
/// others as long.
bool mayBeMarker(std::span<const shared::Detection> found,
                 const std::vector<std::vector<size_t>>& near, size_t i) {
  if (found[i].elongation <= kRidge) return true;
  return near[i].size() == 1 && found[near[i][0]].elongation < kRound;
}

}  // namespace

NearGroups nearMarkers(uint32_t layer, std::span<const shared::Detection> found, float largest) {
  const auto near = Finder(found).all();
  NearGroups all;
  for (size_t i = 0; i < near.size(); ++i) {
    if (near[i].empty() || found[i].extent > largest || !mayBeMarker(found, near, i)) continue;
    shared::NearMarkers group{};
    group.layer = layer;
    group.places[group.count++] = placeOf(found[i]);
    for (size_t k = 0; k < near[i].size() && group.count < shared::kMostNear; ++k)
      group.places[group.count++] = placeOf(found[near[i][k]]);
    all.groups.push_back(group);
    all.indices.push_back(i);
  }
  return all;
}

}  // namespace glint::gpu
