#include "gpu/feedback.h"

#include <algorithm>

#include "gpu/statistics.h"
#include "shared/limits.h"

namespace glint {
namespace {

uint32_t thresholdOf(const Settings& settings, const ImageFormat& image,
                     const shared::PlaneStatistics& response, size_t pixels) {
  const auto& fixed = settings.detect.threshold;
  return fixed ? fixedThreshold(*fixed, image.fullScale())
               : automaticThreshold(response, pixels, settings.detect.thresholdSigma,
                                    image.fullScale());
}

}  // namespace

shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers) {
  shared::Feedback feedback{};
  // Every layer may place as many as the fullest fits beside the others: share by rounds.
  std::vector<size_t> placed(layers.size(), 0);
  size_t total = 0;
  for (bool any = true; any && total < shared::kMaxPredictions;) {
    any = false;
    for (size_t i = 0; i < layers.size() && total < shared::kMaxPredictions; ++i) {
      if (placed[i] == layers[i].predictions.size()) continue;
      ++placed[i];
      ++total;
      any = true;
    }
  }
  uint32_t next = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    auto& layer = feedback.layers[i];
    layer.response = layers[i].response;
    layer.threshold = thresholdOf(settings, image, layers[i].response, layers[i].pixels);
    layer.firstPrediction = next;
    layer.predictionCount = static_cast<uint32_t>(placed[i]);
    std::copy_n(layers[i].predictions.begin(), placed[i], feedback.predictions + next);
    next += layer.predictionCount;
  }
  return feedback;
}

}  // namespace glint
