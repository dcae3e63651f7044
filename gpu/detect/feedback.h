// Knowledge from earlier frames, in the form that kernels read.
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

/// Where tracks of one layer are expected, for the Feedback of the next frame.
struct LayerExpectation {
  shared::PlaneStatistics response{};           ///< of frame n-1 (of frame 0 itself for frame 0)
  size_t pixels = 0;                            ///< that `response` counts
  std::vector<shared::Prediction> predictions;  ///< the most certain first
  Ground ground = {};                           ///< of that frame
};

/// The Feedback of frame n from what is known after frame n-1: thresholds by `settings`, and
/// predictions in turn from all layers until kMaxPredictions are placed.
shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers);

}  // namespace glint::gpu
