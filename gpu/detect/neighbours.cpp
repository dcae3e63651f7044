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

// px, greatest distance of two peaks whose light may overlap.
constexpr double kMostApart = 2 * kLooksLonger * kMostReach;

/// Returns how far the light of a marker reaches, px.
double reachOf(const shared::Detection& d) {
  const double extent = d.extent;
  const double radius = std::clamp<double>(d.radius, extent, 1.7 * extent);
  return extent + kSkirt * (radius - extent);
}

/// Returns true if the light of a peak may overlap with that of another one.
bool canBeNear(const shared::Detection& d) {
  const double most = d.elongation > kRound ? kLooksLonger * kMostReach : kMostReach;
  const bool second = (d.flags & shared::kFlagSecond) != 0;
  return !second && d.extent > 0 && d.elongation > 0 && d.elongation < kEndless &&
         reachOf(d) <= most;
}

/// Returns the distance of two peaks, px.
double apart(const shared::Detection& a, const shared::Detection& b) {
  return std::hypot(static_cast<double>(a.peakX) - b.peakX, static_cast<double>(a.peakY) - b.peakY);
}

/// Returns true if two peaks are near, as nearMarkers() defines it.
bool areNear(const shared::Detection& a, const shared::Detection& b) {
  const double distance = apart(a, b);
  // One of the two may be faint, because `refine` may fail for a dim marker beside a bright one.
  if (isFaint(a, kClear) && isFaint(b, kClear)) return false;
  const double least =
      std::max({2.0, kLeastApart * plausibleRadius(a), kLeastApart * plausibleRadius(b)});
  return distance >= least && distance < reachOf(a) + reachOf(b) && !coversPeak(a, b) &&
         !coversPeak(b, a);
}

/// Finds the near neighbours of all peaks of a layer.
class Finder {
 public:
  explicit Finder(std::span<const shared::Detection> found) : found_(found) {
    spots_.reserve(found.size());
    for (uint32_t i = 0; i < found.size(); ++i) {
      if (canBeNear(found[i]))
        spots_.push_back(
            {static_cast<float>(found[i].peakX), static_cast<float>(found[i].peakY), i});
    }
  }

  /// Returns for each peak the indices of its near neighbours, the nearest first. The result is
  /// empty if no peak has any.
  std::vector<std::vector<size_t>> all() const {
    std::vector<std::vector<size_t>> near;
    const SpotGrid grid(spots_, kMostApart);
    for (const Spot& first : spots_) {
      grid.near(first.x, first.y, kMostApart, [&](const Spot& second) {
        if (second.index <= first.index || !areNear(found_[first.index], found_[second.index]))
          return;
        near.resize(found_.size());
        near[first.index].push_back(second.index);
        near[second.index].push_back(first.index);
      });
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
  std::span<const shared::Detection> found_;
  std::vector<Spot> spots_;  // the peaks whose light may overlap with that of others
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
