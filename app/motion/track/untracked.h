// Measurements that belong to no track, and what they say about markers that are too fast.
#pragma once

#include <cstdint>
#include <optional>

namespace glint::motion {

/// Counts measurements that are in no track, because each piece of it ended before it was
/// confirmed.
struct Untracked {
  uint64_t observations = 0;
  uint64_t ofHotPixels = 0;  ///< not in `observations`: light in single pixels that never moved
  uint64_t flashes = 0;      ///< in `observations`: the same, but seen too seldom to be sure
  uint64_t steps = 0;        ///< steps between observations that several equal ones in a row form
  double farthest = 0;       ///< px, the longest of these steps

  void add(const Untracked& other);
};

/// A step from a light in one frame to a light in the next that may be the same marker.
struct FreeStep {
  double x = 0, y = 0;   ///< px
  bool counted = false;  ///< in Untracked::steps
};

/// A light that was measured in a single frame.
struct Flash {
  double x, y;                      ///< px
  std::optional<FreeStep> arrival;  ///< the step that may have led to it
};

}  // namespace glint::motion
