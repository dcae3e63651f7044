// What to set for a recording, found by trying it on a few of its frames.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/probe/marker_kind.h"
#include "app/probe/population.h"
#include "config/settings.h"

namespace glint {

/// What is proposed: nothing at all where the defaults find the markers.
struct Proposal {
  bool found = false;  ///< whether anything looks like markers; otherwise all below is empty
  MarkerKind kind = {};
  std::vector<std::string> sets = {};  ///< further settings, "detect.max_markers=512"
  double radius = 0;                   ///< px, the markers' median
  double contrast = 0;                 ///< of full scale, their median above what is around them
  double markers = 0;                  ///< a frame, the median
  Findings findings = {};              ///< what is found with it, in every frame looked at
};

/// The settings that a kind of marker leads to, with whatever else is in force.
using SettingsFor = std::function<Settings(const MarkerKind&)>;

/// Measures the first `frames` of the frames at hand.
using Measure = std::function<Findings(const Settings&, size_t frames)>;

/// Tries bright and dark markers of all sizes on the first two of `frames` frames, and what is best
/// on all of them: best are the most, and most contrasty, detections that are like each other. The
/// defaults are kept where they are nearly as good. `fullScale`: the largest value of a pixel.
Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale);

/// The settings that it stands for.
Settings settingsOf(const Proposal& proposal, const SettingsFor& settingsFor);

/// The same as options of `glint track`, such as --dark, --marker-radius, 4.
std::vector<std::string> argumentsOf(const Proposal& proposal);

/// A command line that a shell takes apart into these words again.
std::string commandLine(const std::vector<std::string>& words);

}  // namespace glint
