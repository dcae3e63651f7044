// What a trial finds in a few frames.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint {

/// What was found in each of some frames.
using Findings = std::vector<std::vector<shared::Detection>>;

/// Measures the first `frames` of the frames at hand.
using Measure = std::function<Findings(const Settings&, size_t frames)>;

}  // namespace glint
