// Measurements that belong to no track, and signs of markers that are too fast to be followed.
#pragma once

#include <cstdint>
#include <optional>

namespace glint::motion {

/// Counts of measurements that belong to no track, because their tracks ended before they were
/// confirmed.
struct Untracked {
  uint64_t observations = 0;
  /// Light in single pixels that never moved. Not included in `observations`.
  uint64_t ofHotPixels = 0;
  /// Light in single pixels that never moved, but was seen too rarely to be certainly that of a hot
  /// pixel. Included in `observations`.
  uint64_t flashes = 0;
  /// Steps between observations that belong to several similar steps in a row.
  uint64_t steps = 0;
  /// The longest of these steps, px.
  double farthest = 0;

  void add(const Untracked& other);
};

/// A step from a light in one frame to a light in the next that may be the same marker.
struct FreeStep {
  double x = 0, y = 0;  ///< px
  /// True if the step is included in Untracked::steps.
  bool counted = false;
};

/// A light that was measured in a single frame.
struct Flash {
  double x, y;  ///< px
  /// The step that may have led to it.
  std::optional<FreeStep> arrival;
};

}  // namespace glint::motion
