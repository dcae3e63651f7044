// The last steps towards a proposal: the settings of the best candidate are adapted to its markers.
#pragma once

#include "app/study/advice/candidates.h"

namespace glint::study {

/// Measures the candidate on all frames. Uses the median radius of its own markers, if the result
/// is as good.
SettingsCandidate withFoundRadius(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a threshold if the automatic one loses markers or finds other things, and more gain if the
/// markers are faint. Does not change candidates without a radius.
SettingsCandidate withThreshold(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a smaller separation if the default one takes pairs of markers for one marker.
SettingsCandidate withSeparation(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a detect.max_markers that is large enough for all markers of all frames.
SettingsCandidate withRoom(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a threshold that finds a dimmer kind of markers, if the default settings miss one, and a
/// detect.max_markers that is large enough for it.
SettingsCandidate withDimmer(SettingsCandidate candidate, const CandidateSearch& search);

}  // namespace glint::study
