#include "gpu/detect/feedback.h"

#include <algorithm>

#include "shared/limits.h"

namespace glint::gpu {
namespace {

// The least share of detect.threshold_sigma that is used. Many large markers raise the standard
// deviation, so the full number may be too much.
constexpr double kLeastOfBand = 0.6;

/// Returns the threshold for a band-pass response, whose textures are much weaker than its markers.
/// It is automaticThreshold(), but at most two thirds of the highest response, and at least
/// automaticThreshold() with 0.6 k.
uint32_t bandThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                       uint32_t fullScale) {
  const uint32_t least = automaticThreshold(s, pixels, kLeastOfBand * k, fullScale);
  return std::min(automaticThreshold(s, pixels, k, fullScale),
                  std::max(least, (2 * s.most + 2) / 3));
}

Level levelOf(const Settings& settings, const ImageFormat& image, const LayerExpectation& layer) {
  const auto& fixed = settings.detect.threshold;
  if (fixed) return {fixedThreshold(*fixed, image.fullScale()), 0};
  if (settings.response.kind == ResponseKind::dog)
    return {bandThreshold(layer.response, layer.pixels, settings.detect.thresholdSigma,
                          image.fullScale()),
            0};
  return automaticLevel(layer.response, layer.pixels, layer.ground, settings.detect.thresholdSigma,
                        image.fullScale());
}

}  // namespace

shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers) {
  shared::Feedback feedback{};
  // The layers share the room for predictions: in each round every layer may place one more.
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
    const Level level = levelOf(settings, image, layers[i]);
    layer.threshold = level.threshold;
    layer.prominence = level.prominence;
    layer.firstPrediction = next;
    layer.predictionCount = static_cast<uint32_t>(placed[i]);
    const std::span own(feedback.predictions + next, placed[i]);
    std::copy_n(layers[i].predictions.begin(), placed[i], own.begin());
    std::sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    for (const shared::Prediction& prediction : own)
      layer.widestGate = std::max(layer.widestGate, prediction.gate);
    next += layer.predictionCount;
  }
  return feedback;
}

}  // namespace glint::gpu
