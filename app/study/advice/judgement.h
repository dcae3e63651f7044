// Judges candidates: determines the worth of each, and the best of several.
#pragma once

#include <vector>

#include "app/study/advice/cut.h"
#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/proposal_options.h"
#include "app/study/advice/remedy.h"

namespace glint::study {

/// The worth of a candidate.
struct Worth {
  /// The sum over the markers of contrast times radius (the signal of a marker for a given noise),
  /// per frame. Markers at rest count less.
  double score = 0;
  double count = 0;  ///< The number of markers, per frame. Markers at rest count less.
  double rest = 0;   ///< The share of the signal that comes from things at rest, 0 to 1.
};

/// Settings that are tried, and the markers that they find. (The detector also has candidates, but
/// those are single peaks that may become markers.)
struct SettingsCandidate : Remedy {
  Cut cut = {};
  MarkersByFrame markers = {};  ///< The markers above the cut.
  Worth worth = {};

  /// Returns the median radius of the markers, px.
  double radius() const;
};

/// Judges markers by their signal. The signal of things at rest is multiplied by
/// JudgementOptions::restingWeight. A mixture of moving and resting things is worth less than
/// either alone.
Worth worthOf(MarkersByFrame markers, const JudgementOptions& options);

/// Returns the best of the sure candidates, or null if none is sure.
const SettingsCandidate* bestOf(const std::vector<SettingsCandidate>& all,
                                const JudgementOptions& options);

/// If nearly all markers of `best` are parts of larger things that hold at least as much signal,
/// returns the candidate that finds these things; else null. `best` may be null.
const SettingsCandidate* wholeOf(const SettingsCandidate* best,
                                 const std::vector<SettingsCandidate>& all,
                                 const JudgementOptions& options);

/// Returns the candidate whose markers exceed its decoys by the largest number. It is the one to
/// mention if no candidate is sure.
SettingsCandidate clearestOf(const std::vector<SettingsCandidate>& all);

/// True if the default settings find nearly as much as `best`, so that no options are needed.
bool defaultsSuffice(const SettingsCandidate& defaults, const SettingsCandidate& best,
                     const JudgementOptions& options);

}  // namespace glint::study
