// What to set for a recording, found by trying it on a few of its frames.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/probe/findings.h"
#include "app/probe/marker_kind.h"
#include "config/settings.h"

namespace glint {

/// What is proposed: nothing at all where the defaults find the markers.
struct Proposal {
  bool found = false;  ///< whether anything is surely a marker; otherwise nothing is proposed
  MarkerKind kind = {};
  std::vector<std::string> sets = {};  ///< further settings, "detect.max_markers=512"
  double radius = 0;                   ///< px, the markers' median
  double contrast = 0;                 ///< of full scale, their median above what is around them
  double markers = 0;                  ///< a frame, the median
  Findings findings = {};              ///< what is found with it, in every frame looked at
  /// Where nothing is sure, the clearest that was seen, a frame, of `radius`, and as strong ones in
  /// the negative.
  double seen = 0, decoys = 0;
  bool seenDark = false;
};

/// The settings that a kind of marker leads to, with whatever else is in force.
using SettingsFor = std::function<Settings(const MarkerKind&)>;

/// Calls of Measure, at most.
inline constexpr size_t kMostTrials = 45;

/// Tries bright and dark, round and long markers of all sizes on the first three of `frames`
/// frames, each down to the level where as many are found in the negative (cutOf()), and what is
/// best on all of them. Best is where contrast times radius, summed over the markers, is most. What
/// is in the same place in all frames counts a fifth, and a mixture with what moves less than
/// either; long ones count two thirds. The defaults are kept where they are nearly as good.
/// `fullScale`: the largest value of a pixel.
Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale);

/// The settings that it stands for.
Settings settingsOf(const Proposal& proposal, const SettingsFor& settingsFor);

/// The same as options of `glint track`, such as --dark, --marker-radius, 4.
std::vector<std::string> argumentsOf(const Proposal& proposal);

/// What was found, in words: "bright markers of radius 3.7 px, 68 % of full scale above their
/// surroundings, 30 a frame"; or what was not.
std::string describe(const Proposal& proposal);

/// A command line that a shell takes apart into these words again.
std::string commandLine(const std::vector<std::string>& words);

}  // namespace glint
