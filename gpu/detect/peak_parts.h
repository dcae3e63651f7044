// Decides how many of a frame's peaks are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint::gpu {

/// The parts in which peaks are measured if there may be more than 2 N of them, where N is
/// detect.max_markers. They are measured in order of rank, N at first. If only m < N of the first n
/// peaks become markers, the first 9 n N / (8 m) are measured, at least n + max(N / 4, 32), and so
/// on. Later peaks are not measured, because they cannot become markers. The number of parts only
/// depends on the measurements, so all devices leave out the same peaks.
class PeakParts {
 public:
  /// Returns how many peaks are measured first.
  static uint32_t firstOf(const Settings& settings);

  /// `counts` are the numbers of peaks of the layers. `settings` must outlive this object.
  PeakParts(const Settings& settings, std::vector<uint32_t> counts);

  /// Returns how many of a layer's peaks have to be measured.
  uint32_t end(size_t layer) const { return ends_[layer]; }

  /// Returns true, and raises end(), if more peaks of a layer must be measured. `found` are the
  /// measurements of the first end() peaks.
  bool goOn(size_t layer, std::span<const shared::Detection> found);

 private:
  const Settings& settings_;
  uint32_t wanted_;
  std::vector<uint32_t> counts_, ends_;
};

}  // namespace glint::gpu
