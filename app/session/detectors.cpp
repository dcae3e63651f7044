#include "app/session/detectors.h"

#include <utility>

#include "app/filter/images.h"
#include "app/mask/mask.h"

namespace glint {
namespace {

/// The masks of the cameras of one group, in the order of its layers.
Masks masksOf(const CameraGroups& groups, size_t group, const std::string& mask) {
  if (mask.empty()) return nullptr;
  std::vector<LayerMask> masks;
  const std::vector<std::string> paths = maskPaths(mask, groups.places.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    if (groups.places[i].group == group)
      masks.push_back(loadMask(paths[i], groups.formats[group].image));
  }
  return std::make_shared<const std::vector<LayerMask>>(std::move(masks));
}

/// What filters read from files, for the cameras of one group.
FilterImages imagesOf(const CameraGroups& groups, size_t group, const FilterUses& filters) {
  std::vector<size_t> cameras;
  for (size_t i = 0; i < groups.places.size(); ++i)
    if (groups.places[i].group == group) cameras.push_back(i);
  return loadFilterImages(filters, cameras, groups.places.size());
}

}  // namespace

Detectors::Detectors(const Device& device, const CameraGroups& groups, const Measuring& measuring)
    : groups_(groups), now_(wishOf(measuring)) {
  for (size_t g = 0; g < groups_.formats.size(); ++g) {
    detectors_.push_back(std::make_unique<Detector>(device, groups_.formats[g], DetectorOptions{}));
    detectors_.back()->prepareNow(now_.groups[g]);
  }
}

Detectors::Wish Detectors::wishOf(const Measuring& measuring) const {
  checkLimits(measuring.settings);
  Wish wish{measuring, {}};
  const std::string& mask = measuring.settings.detect.mask;
  const bool sameImages = !now_.groups.empty() && filterFiles(now_.measuring.settings.filters) ==
                                                      filterFiles(measuring.settings.filters);
  const bool sameMask = !now_.groups.empty() && now_.measuring.settings.detect.mask == mask;
  for (size_t g = 0; g < groups_.formats.size(); ++g) {
    wish.groups.push_back({.settings = measuring.settings,
                           .masks = sameMask ? now_.groups[g].masks : masksOf(groups_, g, mask),
                           .rejected = measuring.rejected,
                           .planes = measuring.planes,
                           .images = sameImages
                                         ? now_.groups[g].images
                                         : imagesOf(groups_, g, measuring.settings.filters)});
  }
  return wish;
}

void Detectors::wish(const Measuring& measuring) {
  next_.reset();
  next_ = wishOf(measuring);
}

bool Detectors::ready() {
  try {
    bool all = true;  // every one begins on what it lacks
    for (size_t g = 0; g < detectors_.size(); ++g) all &= detectors_[g]->prepare(next_->groups[g]);
    return all;
  } catch (const std::exception&) {
    next_.reset();
    throw;
  }
}

void Detectors::adopt() {
  now_ = std::move(*next_);
  next_.reset();
}

std::vector<ResponseStatistics> Detectors::measure(const FrameSet& set) {
  std::vector<ResponseStatistics> cameras(groups_.places.size());
  for (size_t g = 0; g < detectors_.size(); ++g) {
    if (!set.groups[g]) continue;
    const auto layers = detectors_[g]->measure(set.groups[g], now_.groups[g]);
    for (size_t i = 0; i < cameras.size(); ++i) {
      if (groups_.places[i].group == g) cameras[i] = layers[groups_.places[i].layer];
    }
  }
  return cameras;
}

void Detectors::submit(const FrameSet& set, const std::vector<LayerExpectation>& expectations,
                       bool keepsPlanes) {
  for (size_t g = 0; g < detectors_.size(); ++g) {
    if (!set.groups[g]) continue;
    std::vector<LayerExpectation> layers(groups_.formats[g].layers);
    for (size_t i = 0; i < groups_.places.size(); ++i) {
      if (groups_.places[i].group == g) layers[groups_.places[i].layer] = expectations[i];
    }
    FrameWish wish = now_.groups[g];
    if (!keepsPlanes) wish.planes = {};
    detectors_[g]->submit(set.groups[g], wish,
                          makeFeedback(now_.measuring.settings, groups_.formats[g].image, layers));
  }
}

Detectors::Result Detectors::collect() {
  Result result;
  result.cameras.resize(groups_.places.size());
  for (LayerMeasurement& camera : result.cameras) camera.state = CameraState::none;
  for (size_t g = 0; g < detectors_.size(); ++g) {
    std::optional<FrameResult> measured = detectors_[g]->collect();
    result.planes.push_back(measured ? std::move(measured->planes) : nullptr);
    if (!measured) continue;  // no camera of the group had a frame
    for (size_t i = 0; i < groups_.places.size(); ++i) {
      if (groups_.places[i].group == g)
        result.cameras[i] = std::move(measured->layers[groups_.places[i].layer]);
    }
    result.times.insert(result.times.end(), measured->times.begin(), measured->times.end());
  }
  return result;
}

}  // namespace glint
