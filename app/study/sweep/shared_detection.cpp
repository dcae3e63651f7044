#include "app/study/sweep/shared_detection.h"

#include <chrono>
#include <thread>
#include <utility>

#include "gpu/detect/limits.h"

namespace glint::study {

void turnTo(const session::Measuring& measuring, session::Detectors& detectors) {
  // The time between two checks of the detectors, which make kernels and buffers meanwhile.
  constexpr std::chrono::milliseconds kMakes{1};
  if (*detectors.measuring().settings == *measuring.settings) return;
  detectors.request(measuring);
  while (!detectors.ready()) std::this_thread::sleep_for(kMakes);
  detectors.adopt();
}

void expectFirst(std::vector<gpu::LayerExpectation>& expectations,
                 const capture::CameraGroups& groups, session::Detectors& detectors,
                 const capture::FrameSet& set) {
  std::vector<size_t> first;
  for (size_t i = 0; i < expectations.size(); ++i)
    if (expectations[i].pixels == 0 && set.stampOf(groups.places[i])) first.push_back(i);
  if (first.empty()) return;
  const std::vector<gpu::ResponseStatistics> own = detectors.measure(set);
  for (const size_t i : first)
    expectations[i] = {.response = own[i].values,
                       .pixels = own[i].pixels,
                       .predictions = {},
                       .ground = own[i].ground};
}

SharedDetection::SharedDetection(const gpu::Device& device, const capture::CameraGroups& groups,
                                 std::vector<std::shared_ptr<const Settings>> variants,
                                 std::shared_ptr<const motion::SettingImages> images, bool stills)
    : groups_(groups),
      variants_(std::move(variants)),
      forgets_(stills || variants_.front()->live.lag == 0),
      alone_(device, groups, {variants_.front()}, std::move(images)),
      expectations_(groups.places.size()) {
  for (const auto& settings : variants_) gpu::checkLimits(*settings);
  for (size_t g = 0; g < groups.formats.size(); ++g)
    detectors_.push_back(std::make_unique<gpu::VariantDetector>(device, groups.formats[g],
                                                                variants_, alone_.masks(g)));
}

void SharedDetection::submit(const capture::FrameSet& set) {
  set_ = set;
  if (forgets_)
    for (gpu::LayerExpectation& camera : expectations_) camera.pixels = 0;
  expectFirst(expectations_, groups_, alone_, set);
  for (size_t g = 0; g < detectors_.size(); ++g) {
    if (!set.groups[g]) continue;
    std::vector<gpu::LayerExpectation> layers(groups_.formats[g].layers);
    for (size_t i = 0; i < groups_.places.size(); ++i)
      if (groups_.places[i].group == g) layers[groups_.places[i].layer] = expectations_[i];
    detectors_[g]->submit(set.groups[g], layers);
  }
}

std::vector<std::vector<session::TrackerInput>> SharedDetection::collect() {
  std::vector<std::vector<gpu::LayerMeasurement>> all(variants_.size());
  for (auto& cameras : all) {
    cameras.resize(groups_.places.size());
    for (gpu::LayerMeasurement& camera : cameras) camera.state = gpu::CameraState::none;
  }
  std::vector<bool> isLeft(variants_.size(), false);
  for (size_t g = 0; g < detectors_.size(); ++g) {
    auto measured = detectors_[g]->collect();
    for (size_t v = 0; v < measured.size(); ++v) {
      if (!measured[v]) {
        isLeft[v] = true;
        continue;
      }
      for (size_t i = 0; i < groups_.places.size(); ++i)
        if (groups_.places[i].group == g)
          all[v][i] = std::move((*measured[v])[groups_.places[i].layer]);
    }
  }
  std::vector<std::vector<session::TrackerInput>> inputs(variants_.size());
  for (size_t v = 0; v < variants_.size(); ++v) {
    if (isLeft[v]) {
      turnTo({variants_[v]}, alone_);
      alone_.submit(set_, expectations_, false);
      all[v] = alone_.collect().cameras;
    }
    for (const gpu::LayerMeasurement& camera : all[v])
      inputs[v].push_back(session::inputOf(set_.set, camera));
  }
  // The variants have the response in common. Its ground may be missing from the result of a
  // variant with a fixed threshold, so such a result is used only if it is the first one.
  for (size_t v = 0; v < variants_.size(); ++v)
    for (size_t i = 0; i < expectations_.size(); ++i) {
      const session::TrackerInput& own = inputs[v][i];
      if (own.state != gpu::CameraState::frame || (v > 0 && variants_[v]->detect.threshold))
        continue;
      expectations_[i] = {.response = own.response.values,
                          .pixels = own.response.pixels,
                          .predictions = {},
                          .ground = own.response.ground};
    }
  set_ = {};
  return inputs;
}

}  // namespace glint::study
