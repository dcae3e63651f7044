// Markers of another, dimmer kind that the automatic threshold leaves out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/probe/findings.h"
#include "config/settings.h"

namespace glint {

/// What is left out, and what finds it.
struct Dimmer {
  double markers = 0;                  ///< a frame
  std::vector<std::string> sets = {};  ///< "detect.threshold=0.13"
  Findings findings = {};              ///< with these
};

/// Markers below the automatic threshold that are clear of the noise, round, of the size of those
/// above it and as bright as each other: a quarter as many as those above it, or more, and four
/// times as many as in the negative. Nothing where there are none, or where the threshold is set or
/// of another plane.
std::optional<Dimmer> findDimmer(const Settings& settings, const Measure& measure, size_t frames,
                                 double fullScale);

}  // namespace glint
