// Proposes settings for a recording, after trying many on a few of its frames.
#pragma once

#include <cstddef>
#include <functional>

#include "app/study/advice/frame_sample.h"
#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/proposal_options.h"
#include "app/study/advice/remedy.h"

namespace glint::study {

/// Proposed settings: none at all where the defaults find the markers.
struct Proposal : Remedy {
  bool found = false;   ///< true if anything is surely a marker; otherwise nothing is proposed
  double radius = 0;    ///< px, the markers' median
  double contrast = 0;  ///< of full scale, their median above their surroundings
  double markers = 0;   ///< a frame, the median
  MarkersByFrame markersByFrame = {};  ///< found with the proposed settings
  /// If nothing is sure: the clearest spots that were seen, a frame, of `radius`; as strong ones in
  /// the negative; and true if they are dark.
  double seen = 0, decoys = 0;
  bool seenDark = false;
};

/// The largest number of times that propose() calls Measure.
inline constexpr size_t kMostTrials = 45;

/// Tries bright and dark, round and long markers of all sizes on a few of `frames` frames, each
/// down to the level where as many are found in the negative (cutOf()). Then adapts the settings of
/// the best ones to the markers on all frames. The defaults are kept if they are nearly as good.
/// `fullScale`: the largest value of a pixel.
Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale, const ProposalOptions& options = {});

/// Proposes settings for a sample. `progress` is called before each trial with the
/// number of trials that are done, of kMostTrials at most.
Proposal propose(FrameSample& sample, const SettingsFor& settingsFor,
                 const std::function<void(size_t)>& progress = {});

}  // namespace glint::study
