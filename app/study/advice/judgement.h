// Judges candidates: how much each is worth, and which of several is the best.
#pragma once

#include <vector>

#include "app/study/advice/cut.h"
#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/proposal_options.h"
#include "app/study/advice/remedy.h"

namespace glint::study {

/// How good a candidate is.
struct Worth {
  double score = 0;  ///< a frame: contrast times radius, which is signal in so much noise, summed
  double count = 0;  ///< a frame: markers, less those at rest
  double rest = 0;   ///< share of the signal that is at rest, 0 to 1
};

/// Settings that are tried, and what they find. (Candidates of the detector are something else:
/// single peaks that may become markers.)
struct SettingsCandidate : Remedy {
  Cut cut = {};
  MarkersByFrame markers = {};  ///< above the cut
  Worth worth = {};

  /// Returns the median radius of the markers, px.
  double radius() const;
};

/// Judges markers by their signal. What is at rest counts JudgementOptions::restingWeight, and a
/// mixture of what moves and what is at rest is worth less than either.
Worth worthOf(MarkersByFrame markers, const JudgementOptions& options);

/// Returns the best of the sure candidates, or null if none is sure.
const SettingsCandidate* bestOf(const std::vector<SettingsCandidate>& all,
                                const JudgementOptions& options);

/// If nearly all markers of `best` are parts of larger things that hold more signal, returns the
/// candidate that finds those; else null. `best` may be null.
const SettingsCandidate* wholeOf(const SettingsCandidate* best,
                                 const std::vector<SettingsCandidate>& all,
                                 const JudgementOptions& options);

/// Returns the candidate that finds more than its negative does by the largest number of markers.
/// It is the one to tell about if none is sure.
SettingsCandidate clearestOf(const std::vector<SettingsCandidate>& all);

/// True if the defaults find nearly as much as `best`, so that no options are needed.
bool defaultsSuffice(const SettingsCandidate& defaults, const SettingsCandidate& best,
                     const JudgementOptions& options);

}  // namespace glint::study
