// Prepares the results of earlier frames in the form that kernels read.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/statistics.h"
#include "shared/feedback.h"
#include "shared/results.h"

namespace glint::gpu {

/// The results of frame n-1 for one layer, from which the Feedback of frame n is made. For frame 0
/// they are those of frame 0 itself.
struct LayerExpectation {
  shared::PlaneStatistics response{};           ///< statistics of the response
  size_t pixels = 0;                            ///< number of pixels that `response` counts
  std::vector<shared::Prediction> predictions;  ///< expected places of tracks, most certain first
  Ground ground = {};                           ///< background of the response
};

/// Makes the Feedback of frame n. The thresholds follow from `settings`. If there are more than
/// kMaxPredictions predictions, the layers take turns until these are used up.
shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers);

}  // namespace glint::gpu
