// Proposes settings for a recording, after trying many settings on a few of its frames.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/proposal_options.h"
#include "app/study/advice/remedy.h"
#include "app/study/advice/trial_memory.h"

namespace glint::study {

/// A kind of thing that may be the markers.
struct Alternative {
  MarkerKind kind = {};
  double radius = 0;    ///< The median radius, px.
  double contrast = 0;  ///< The median contrast, as a share of full scale.
  double markers = 0;   ///< The median number in a frame.
};

/// Proposed settings. They are empty if the default settings find the markers.
struct Proposal : Remedy {
  bool found = false;  ///< True if some markers are sure; otherwise nothing is proposed.
  double radius = 0;   ///< The median radius of the markers, px.
  /// The median contrast of the markers to their surroundings, as a share of full scale.
  double contrast = 0;
  double markers = 0;                  ///< The median number of markers in a frame.
  MarkersByFrame markersByFrame = {};  ///< The markers that the proposed settings find.
  /// If no markers are sure: the number of spots of `radius` that stand out most clearly, per
  /// frame; and the number of equally strong spots in the negative.
  double seen = 0, decoys = 0;
  /// True if these spots are dark.
  bool seenDark = false;
  /// All kinds of things that may be meant, the most likely one first; empty if nothing was found.
  std::vector<Alternative> alternatives = {};
  size_t pick = 1;  ///< The number of the alternative whose settings are proposed, from 1.
};

/// The largest number of trials that a proposal usually needs.
inline constexpr size_t kMostTrials = 45;

/// A function that gets a first proposal while the search goes on. Its settings are those of the
/// best kind of marker in a single frame.
using FirstProposal = std::function<void(const Proposal&)>;

/// A request for a proposal.
struct ProposalRequest {
  size_t pick = 1;           ///< The number of the wanted alternative, from 1.
  FirstProposal first = {};  ///< Called after the first frame, if it shows markers; may be empty.
};

/// Surveys bright and dark, round and long markers of all sizes on a few of the frames. Each
/// candidate keeps the markers that are stronger than chance, as a comparison with the negative
/// shows (cutOf()). Then adapts the settings of the best candidate to its markers on all frames.
/// Keeps the default settings if they are nearly as good. `frames`: the number of frames in the
/// sample. `fullScale`: the largest value of a pixel. Throws UsageError if the requested
/// alternative does not exist.
Proposal propose(const SettingsFor& settingsFor, const Measures& measures, size_t frames,
                 double fullScale, const ProposalRequest& request = {},
                 const ProposalOptions& options = {});

/// Proposes settings for a sample. A second call with another pick makes few trials more.
Proposal propose(TrialMemory& trials, const SettingsFor& settingsFor,
                 const ProposalRequest& request = {});

}  // namespace glint::study
