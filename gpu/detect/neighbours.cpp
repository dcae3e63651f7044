#include "gpu/detect/neighbours.h"

#include <algorithm>
#include <cmath>

#include "gpu/detect/limits.h"
#include "gpu/detect/place.h"
#include "gpu/detect/spot_grid.h"

namespace glint::gpu {
namespace {

// px, greatest reach of a light that may overlap with others. Larger lights have sharp edges,
// beyond which there is little light.
constexpr double kMostReach = 9;
// The least distance of near peaks, in units of the radius that each has when measured alone. Two
// spots three sigma apart look like one of 2.9 sigma. On a large light with structure, many peaks
// are nearer than that.
constexpr double kLeastApart = 0.75;
// A peak that stands out of the noise by fewer standard deviations is faint.
constexpr double kClear = 5;
// Reach = extent + kSkirt * (radius - extent). For a Gaussian, the extent is 1.18 sigma and
// radius - extent is 0.82 sigma.
constexpr double kSkirt = 1.9;
// Beside a bright marker, a dim one looks long, and its reach seems larger by this factor.
constexpr double kLooksLonger = 1.2;

/// Returns how far the light of a marker reaches, px.
double reachOf(const shared::Detection& d) {
  const double extent = d.extent;
  const double radius = std::clamp<double>(d.radius, extent, 1.7 * extent);
  return extent + kSkirt * (radius - extent);
}

/// Returns how far the light of a peak reaches, px, or 0 if it cannot overlap with that of others.
double overlapReachOf(const shared::Detection& d) {
  const bool second = (d.flags & shared::kFlagSecond) != 0;
  if (second || !(d.extent > 0 && d.elongation > 0 && d.elongation < kEndless)) return 0;
  const double most = d.elongation > kRound ? kLooksLonger * kMostReach : kMostReach;
  const double reach = reachOf(d);
  return reach <= most ? reach : 0;
}

/// Returns the square of the distance of two peaks, px^2.
int64_t squaredApart(const shared::Detection& a, const shared::Detection& b) {
  const int64_t dx = int64_t{a.peakX} - b.peakX, dy = int64_t{a.peakY} - b.peakY;
  return dx * dx + dy * dy;
}

/// Returns true if two peaks whose light reaches `reach` px in all are near, as nearMarkers()
/// defines it.
bool areNear(const shared::Detection& a, const shared::Detection& b, double reach) {
  const double distance = std::sqrt(static_cast<double>(squaredApart(a, b)));
  if (distance >= reach) return false;
  // One of the two may be faint, because `refine` may fail for a dim marker beside a bright one.
  if (isFaint(a, kClear) && isFaint(b, kClear)) return false;
  const double least =
      std::max({2.0, kLeastApart * plausibleRadius(a), kLeastApart * plausibleRadius(b)});
  return distance >= least && !coversPeak(a, b) && !coversPeak(b, a);
}

/// Finds the near neighbours of all peaks of a layer.
class Finder {
 public:
  explicit Finder(std::span<const shared::Detection> found) : found_(found) {
    spots_.reserve(found.size());
    for (uint32_t i = 0; i < found.size(); ++i) {
      const auto reach = static_cast<float>(overlapReachOf(found[i]));
      if (reach <= 0) continue;
      spots_.push_back(
          {static_cast<float>(found[i].peakX), static_cast<float>(found[i].peakY), reach, i});
      mostReach_ = std::max(mostReach_, reach);
    }
  }

  /// Returns for each peak the indices of its near neighbours, the nearest first. The result is
  /// empty if no peak has any.
  std::vector<std::vector<size_t>> all() const {
    std::vector<std::vector<size_t>> near;
    const SpotGrid grid(spots_, 2 * double{mostReach_});
    grid.forEachPair([&](const Spot& a, const Spot& b) {
      if (!areNear(found_[a.index], found_[b.index], double{a.reach} + double{b.reach})) return;
      near.resize(found_.size());
      near[a.index].push_back(b.index);
      near[b.index].push_back(a.index);
    });
    for (size_t i = 0; i < near.size(); ++i) {
      std::sort(near[i].begin(), near[i].end(), [&](size_t a, size_t b) {
        const int64_t da = squaredApart(found_[i], found_[a]),
                      db = squaredApart(found_[i], found_[b]);
        return da < db || (da == db && a < b);
      });
    }
    return near;
  }

 private:
  std::span<const shared::Detection> found_;
  std::vector<Spot> spots_;  // the peaks whose light may overlap with that of others
  float mostReach_ = 0;      // px, the greatest reach of all
};

/// Returns true if a peak may be a marker although it looks long. A dim marker looks long beside a
/// bright round one. But each peak on a dotted line also looks long, beside others that do.
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
