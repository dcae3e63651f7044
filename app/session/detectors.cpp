#include "app/session/detectors.h"

#include <algorithm>
#include <utility>

#include "config/error.h"
#include "config/setting_key.h"

namespace glint::session {
namespace {

/// Returns true if both lists of filters read the same pictures.
bool sameInputs(const FilterUses& a, const FilterUses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.inputs == y.inputs;
  });
}

/// Sets those members that may differ from frame to frame.
const gpu::DetectionConfig& adjusted(gpu::DetectionConfig& config, const gpu::PlaneSet& planes,
                                     bool timed) {
  config.planes = planes;
  config.timed = timed;
  return config;
}

}  // namespace

Detectors::Detectors(const gpu::Device& device, const capture::CameraGroups& groups,
                     const Measuring& measuring,
                     std::shared_ptr<const motion::SettingImages> images,
                     const gpu::DetectorOptions& options)
    : groups_(groups), images_(std::move(images)) {
  now_ = requestOf(measuring);
  for (size_t g = 0; g < groups_.formats.size(); ++g) {
    detectors_.push_back(std::make_unique<gpu::Detector>(device, groups_.formats[g], options));
    detectors_.back()->prepareNow(now_.groups[g]);
  }
}

std::vector<size_t> Detectors::camerasOf(size_t group) const {
  std::vector<size_t> cameras;
  for (size_t i = 0; i < groups_.places.size(); ++i)
    if (groups_.places[i].group == group) cameras.push_back(i);
  return cameras;
}

/// Makes a request. Pictures that are the same as in the present one are reused.
Detectors::Request Detectors::requestOf(const Measuring& measuring) const {
  const Settings& settings = *measuring.settings;
  gpu::checkLimits(settings);
  if (!images_ && pixelsOf(settings.detect) != pixelsOf(Settings().detect))
    throw UsageError(fmt::format("this session was given no masks, but {}, {} or {} asks for one",
                                 "detect.mask"_key, "detect.region"_key, "detect.ignore"_key));
  const size_t count = groups_.places.size();
  const bool first = now_.groups.empty();
  const bool sameMask =
      !first && pixelsOf(now_.measuring.settings->detect) == pixelsOf(settings.detect);
  const bool sameFilters = !first && sameInputs(now_.measuring.settings->filters, settings.filters);
  Request request{measuring, {}};
  for (size_t g = 0; g < groups_.formats.size(); ++g) {
    gpu::DetectionConfig config{.settings = measuring.settings,
                                .masks = first ? nullptr : now_.groups[g].masks,
                                .rejected = measuring.rejected,
                                .planes = measuring.planes,
                                .images = first ? nullptr : now_.groups[g].images,
                                .timed = false};
    if (images_ && !sameMask) {
      auto masks = images_->masks(settings.detect, camerasOf(g), count, groups_.formats[g].image);
      config.masks = masks.empty()
                         ? nullptr
                         : std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks));
    }
    if (images_ && !sameFilters)
      config.images = images_->filterImages(settings.filters, camerasOf(g), count);
    request.groups.push_back(std::move(config));
  }
  return request;
}

void Detectors::request(const Measuring& measuring) {
  next_.reset();
  next_ = requestOf(measuring);
}

bool Detectors::ready() {
  try {
    // Every detector must start to prepare what it lacks.
    bool all = true;
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

std::vector<gpu::ResponseStatistics> Detectors::measure(const capture::FrameSet& set) {
  std::vector<gpu::ResponseStatistics> cameras(groups_.places.size());
  for (size_t g = 0; g < detectors_.size(); ++g) {
    if (!set.groups[g]) continue;
    const auto layers = detectors_[g]->measure(
        set.groups[g], adjusted(now_.groups[g], now_.measuring.planes, false));
    for (const size_t i : camerasOf(g)) cameras[i] = layers[groups_.places[i].layer];
  }
  return cameras;
}

void Detectors::submit(const capture::FrameSet& set,
                       const std::vector<gpu::LayerExpectation>& expectations, bool keepsPlanes) {
  submit(set, expectations, keepsPlanes, submitted_++ % kTimed == 0);
}

void Detectors::submitAgain(const capture::FrameSet& set,
                            const std::vector<gpu::LayerExpectation>& expectations) {
  submit(set, expectations, true, true);
}

void Detectors::submit(const capture::FrameSet& set,
                       const std::vector<gpu::LayerExpectation>& expectations, bool keepsPlanes,
                       bool timed) {
  for (size_t g = 0; g < detectors_.size(); ++g) {
    if (!set.groups[g]) continue;
    std::vector<gpu::LayerExpectation> layers(groups_.formats[g].layers);
    for (const size_t i : camerasOf(g)) layers[groups_.places[i].layer] = expectations[i];
    const gpu::PlaneSet planes = keepsPlanes ? now_.measuring.planes : gpu::PlaneSet();
    detectors_[g]->submit(
        set.groups[g], adjusted(now_.groups[g], planes, timed),
        gpu::makeFeedback(*now_.measuring.settings, groups_.formats[g].image, layers));
  }
}

Detectors::Result Detectors::collect() {
  Result result;
  result.cameras.resize(groups_.places.size());
  for (gpu::LayerMeasurement& camera : result.cameras) camera.state = gpu::CameraState::none;
  for (size_t g = 0; g < detectors_.size(); ++g) {
    std::optional<gpu::FrameResult> measured = detectors_[g]->collect();
    result.planes.push_back(measured ? std::move(measured->planes) : nullptr);
    if (!measured) continue;  // no camera of the group had a frame
    for (const size_t i : camerasOf(g))
      result.cameras[i] = std::move(measured->layers[groups_.places[i].layer]);
    result.times.insert(result.times.end(), measured->times.begin(), measured->times.end());
  }
  return result;
}

}  // namespace glint::session
