// Explains in words why a candidate is no marker. The window and the command line share these
// words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gpu/detect/limits.h"

namespace glint::motion {

struct Explanation {
  /// Reason and figures, for example "too elongated: eccentricity 0.90 (maximum 0.85)".
  std::string words;
  /// Key of the setting that decided, for example "detect.max_eccentricity".
  std::string_view key;
};

/// Returns the explanation of a rejected candidate. `settings` are those that its frame was
/// measured with. `markers` are the markers found in that frame, sorted by rank.
Explanation explain(const gpu::Rejected& rejected, const Settings& settings,
                    std::span<const shared::Detection> markers);

}  // namespace glint::motion
