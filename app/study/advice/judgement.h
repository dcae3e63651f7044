// Judges candidates: determines the worth of each, and the best of several.
#pragma once

#include <functional>
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

/// True if most of the markers are hardly clearer than the noise beside them. Noise that is cut off
/// at black, or that grows with the light, has many bright peaks and few dark ones. So the negative
/// does not show that these peaks are chance.
bool looksLikeNoise(const MarkersByFrame& markers, const JudgementOptions& options);

/// Judges markers by their signal. The signal of things at rest is multiplied by
/// JudgementOptions::restingWeight. A mixture of moving and resting things is worth less than
/// either alone.
Worth worthOf(MarkersByFrame markers, const JudgementOptions& options);

/// Returns the best of the sure candidates, or null if none is sure.
const SettingsCandidate* bestOf(const std::vector<SettingsCandidate>& all,
                                const JudgementOptions& options);

/// Returns the best score of the sure candidates for which `counts` is true; 0 if there are none.
double bestScore(const std::vector<SettingsCandidate>& all, const JudgementOptions& options,
                 const std::function<bool(const SettingsCandidate&)>& counts);

/// If nearly all markers of `best` are parts of larger things that hold at least as much signal,
/// returns the candidate that finds these things; else null. `best` may be null.
const SettingsCandidate* wholeOf(const SettingsCandidate* best,
                                 const std::vector<SettingsCandidate>& all,
                                 const JudgementOptions& options);

/// Returns the candidates that may be meant instead of `best`: sure ones that find other things
/// than `best` and than each other, and whose score is not far below. The best comes first. `all`
/// must outlive the result.
std::vector<const SettingsCandidate*> rivalsOf(const SettingsCandidate& best,
                                               const std::vector<SettingsCandidate>& all,
                                               const JudgementOptions& options);

/// True if `rival` finds a few individuals, and `best` many tiny things, such as dust: in every
/// frame, the rival finds equally many things, each of which has far more signal than the things
/// that `best` finds, and some of which travel.
bool isOfIndividuals(const SettingsCandidate& rival, const SettingsCandidate& best,
                     const JudgementOptions& options);

/// Returns the candidate whose markers exceed its decoys by the largest number. It is the one to
/// mention if no candidate is sure.
SettingsCandidate clearestOf(const std::vector<SettingsCandidate>& all);

/// True if the default settings find nearly as much as `best`, so that no options are needed.
bool defaultsSuffice(const SettingsCandidate& defaults, const SettingsCandidate& best,
                     const JudgementOptions& options);

}  // namespace glint::study
