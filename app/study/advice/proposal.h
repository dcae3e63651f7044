// Proposes settings for a recording, after trying many settings on a few of its frames.
#pragma once

#include <cstddef>
#include <functional>

#include "app/study/advice/frame_sample.h"
#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/proposal_options.h"
#include "app/study/advice/remedy.h"

namespace glint::study {

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
};

/// The largest number of times that propose() calls Measure.
inline constexpr size_t kMostTrials = 45;

/// Tries bright and dark, round and long markers of all sizes on a few of the frames. Each
/// candidate keeps the markers that are stronger than chance, as a comparison with the negative
/// shows (cutOf()). Then adapts the settings of the best candidate to its markers on all frames.
/// Keeps the default settings if they are nearly as good. `frames`: the number of frames in the
/// sample. `fullScale`: the largest value of a pixel.
Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale, const ProposalOptions& options = {});

/// Proposes settings for a sample. Calls `progress` before each trial with the number of trials
/// that are done; it is less than kMostTrials.
Proposal propose(FrameSample& sample, const SettingsFor& settingsFor,
                 const std::function<void(size_t)>& progress = {});

}  // namespace glint::study
