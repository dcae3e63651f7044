// The last steps to a proposal: the settings of the best candidate are adapted to its markers.
#pragma once

#include "app/study/advice/candidates.h"

namespace glint::study {

/// Measures the candidate on all frames, with the radius of its own markers if that is as good.
SettingsCandidate withFoundRadius(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a threshold if the automatic one loses markers or lets in other things, and more gain where
/// the markers are faint. Leaves candidates without a radius alone.
SettingsCandidate withThreshold(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a smaller separation if the default one takes pairs for one marker.
SettingsCandidate withSeparation(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds room for all markers of all frames.
SettingsCandidate withRoom(SettingsCandidate candidate, const CandidateSearch& search);

/// Adds a threshold that finds a dimmer kind of markers, if the defaults miss one, and room for it.
SettingsCandidate withDimmer(SettingsCandidate candidate, const CandidateSearch& search);

}  // namespace glint::study
