// How many of a frame's peaks are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint::gpu {

/// Where there may be more than 2 N peaks, N = detect.max_markers, they are measured in order of
/// rank: N first. If only m of the first n become markers, the first 9 n N / 8 m are measured, at
/// least n + max(N / 4, 32), and so on. What follows is not measured: it could not be a marker.
/// Which peaks those are follows from what was measured, so that all devices leave out the same.
class PeakParts {
 public:
  /// So many are measured first.
  static uint32_t firstOf(const Settings& settings);

  /// `counts`: the peaks of each layer.
  PeakParts(const Settings& settings, std::vector<uint32_t> counts);

  /// So many of a layer's peaks are to be measured.
  uint32_t end(size_t layer) const { return ends_[layer]; }

  /// Whether more must be, now that the first end() are known to be `found`; then end() is the next
  /// one.
  bool goOn(size_t layer, std::span<const shared::Detection> found);

 private:
  const Settings& settings_;
  uint32_t wanted_;
  std::vector<uint32_t> counts_, ends_;
};

}  // namespace glint::gpu
