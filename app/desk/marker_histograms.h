// How large, heavy, round and significant markers are, and what was none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/detector.h"

namespace glint {

/// What a limit of the settings is laid on.
enum class MarkerQuantity { mass, radius, eccentricity, significance };
inline constexpr std::array kMarkerQuantities{MarkerQuantity::mass, MarkerQuantity::radius,
                                              MarkerQuantity::eccentricity,
                                              MarkerQuantity::significance};

/// "mass", "radius", ... and their units as the settings have them: "counts", "px", "", "stddev".
std::string_view nameOf(MarkerQuantity quantity);
std::string_view unitOf(MarkerQuantity quantity);

/// The settings that limit it: keys, or empty where there is no such limit.
struct LimitKeys {
  std::string_view least, most;
};
LimitKeys limitsOf(MarkerQuantity quantity);

/// Of significance: what detect.min_significance is compared with, radius / (sqrt(2) * the larger
/// of sigma_x and sigma_y), see gpu/limits.cpp.
double valueOf(MarkerQuantity quantity, const shared::Detection& detection);

/// Counts of one quantity over the frames that were added last.
struct MarkerHistogram {
  double least = 0, most = 1;  ///< the lower edge of the first bin, the upper one of the last
  bool logarithmic = false;    ///< whether bins are even in log10
  std::vector<uint32_t> found, rejected;  ///< bins: markers; candidates that are none
  /// Where `value` lies, 0 (least) to 1 (most), also beyond them; and back.
  double place(double value) const;
  double value(double place) const;
};

/// Gathers frames, and makes histograms of them. Used by one thread.
class MarkerHistograms {
 public:
  /// Of how many frames, at most: of one, the histograms follow the frame on the screen.
  explicit MarkerHistograms(size_t frames = 1) : mostFrames_(frames) {}

  /// One frame of all cameras, or of one of them; the oldest one is forgotten. Of rejected
  /// candidates only those that were measured count.
  void add(std::span<const LayerMeasurement* const> cameras);
  void clear() { frames_.clear(); }

  size_t found() const;     ///< markers in all frames gathered
  size_t rejected() const;  ///< measured candidates that are none

  /// `bins` >= 1. From the least to the greatest value that occurs, rounded outwards to what can be
  /// read (1, 2 or 5 times a power of ten); eccentricity from 0 to 1. Mass is logarithmic where it
  /// spans more than a decade. Values that are not finite are left out.
  MarkerHistogram histogram(MarkerQuantity quantity, size_t bins) const;

  /// Markers that would be left if `quantity` were limited to `least` to `most`, among those found
  /// and those rejected for this quantity alone: a preview while a limit is dragged.
  size_t within(MarkerQuantity quantity, double least, double most) const;

 private:
  struct Value {
    std::array<double, kMarkerQuantities.size()> of{};
    bool found = false;
    Rejection reason{};
  };
  size_t mostFrames_;
  std::deque<std::vector<Value>> frames_;
};

}  // namespace glint
