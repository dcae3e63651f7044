#include "app/session/detectors.h"

#include <utility>

#include "app/mask/mask.h"

namespace glint {
namespace {

/// The masks of the cameras of one group, in the order of its layers.
std::vector<LayerMask> masksOf(const CameraGroups& groups, size_t group, const std::string& mask) {
  std::vector<LayerMask> masks;
  const std::vector<std::string> paths = maskPaths(mask, groups.places.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    if (groups.places[i].group == group)
      masks.push_back(loadMask(paths[i], groups.formats[group].image));
  }
  return masks;
}

}  // namespace

Detectors::Detectors(const Device& device, const CameraGroups& groups, const Measuring& measuring)
    : device_(device), groups_(groups) {
  make(measuring);
}

void Detectors::make(const Measuring& measuring) {
  checkLimits(measuring.settings);
  std::vector<std::unique_ptr<Detector>> made;
  for (size_t i = 0; i < groups_.formats.size(); ++i) {
    made.push_back(std::make_unique<Detector>(
        device_, groups_.formats[i],
        DetectorOptions{.maxMarkers = peaksToMeasure(measuring.settings),
                        .masks = masksOf(groups_, i, measuring.settings.detect.mask),
                        .rejected = measuring.rejected}));
  }
  detectors_ = std::move(made);
  measuring_ = measuring;
}

void Detectors::apply(const Measuring& measuring) {
  make(measuring);
}

std::vector<Detectors::Response> Detectors::measure(const FrameSet& set) {
  std::vector<Response> responses(groups_.places.size());
  for (size_t g = 0; g < detectors_.size(); ++g) {
    const auto layers = detectors_[g]->measure(set.groups[g], measuring_.settings);
    for (size_t i = 0; i < groups_.places.size(); ++i) {
      const auto [group, layer] = groups_.places[i];
      if (group == g) responses[i] = {layers[layer], detectors_[g]->measuredPixels(layer)};
    }
  }
  return responses;
}

void Detectors::submit(const FrameSet& set, const std::vector<LayerExpectation>& expectations) {
  for (size_t g = 0; g < detectors_.size(); ++g) {
    std::vector<LayerExpectation> layers(groups_.formats[g].layers);
    for (size_t i = 0; i < groups_.places.size(); ++i) {
      if (groups_.places[i].group == g) layers[groups_.places[i].layer] = expectations[i];
    }
    detectors_[g]->submit(set.groups[g], measuring_.settings,
                          makeFeedback(measuring_.settings, groups_.formats[g].image, layers));
  }
}

Detectors::Result Detectors::collect() {
  Result result;
  result.cameras.resize(groups_.places.size());
  for (size_t g = 0; g < detectors_.size(); ++g) {
    FrameResult measured = *detectors_[g]->collect();
    for (size_t i = 0; i < groups_.places.size(); ++i) {
      const auto [group, layer] = groups_.places[i];
      if (group == g) result.cameras[i] = std::move(measured.layers[layer]);
    }
    result.times.insert(result.times.end(), measured.times.begin(), measured.times.end());
  }
  return result;
}

}  // namespace glint
