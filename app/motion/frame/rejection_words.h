// Why a candidate is no marker, in words: for the window and the command line alike.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gpu/detect/limits.h"

namespace glint::motion {

struct Explanation {
  /// "too long: eccentricity 0.90, allowed 0.85".
  std::string words;
  /// The setting that decided, "detect.max_eccentricity".
  std::string_view key;
};

/// `settings`: those that the frame was measured with; `markers`: what was found in it, in order of
/// rank.
Explanation explain(const gpu::Rejected& rejected, const Settings& settings,
                    std::span<const shared::Detection> markers);

}  // namespace glint::motion
