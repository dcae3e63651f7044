#include "app/study/advice/sampled_pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <opencv2/imgproc.hpp>

#include "app/capture/mask/mask.h"
#include "gpu/detect/feedback.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

std::unique_ptr<gpu::Detector> makeDetector(const gpu::Device& device,
                                            const gpu::ImageFormat& format) {
  return std::make_unique<gpu::Detector>(device, gpu::FrameFormat{format, 1},
                                         gpu::DetectorOptions{.timing = gpu::Timing::none});
}

cv::Mat viewOf(const gpu::ImageView& image) {
  const gpu::ImageFormat& format = image.format;
  const int depth = format.bits == 8 ? CV_8U : CV_16U;
  return {static_cast<int>(format.height), static_cast<int>(format.width),
          CV_MAKETYPE(depth, static_cast<int>(format.channels)), image.data, image.rowPitch};
}

/// Returns a grey picture of the means of blocks of a frame.
gpu::FrameLease smaller(const gpu::Device& device, const gpu::FrameSlot& frame, uint32_t block) {
  const cv::Mat full = viewOf(frame.layer(0));
  cv::Mat grey = full;
  // The weights of the luminance (docs/detection.md), for blue, green and red.
  if (full.channels() == 3)
    cv::transform(full, grey, cv::Matx13f(19.0F / 256, 183.0F / 256, 54.0F / 256));
  const int side = static_cast<int>(block);
  const cv::Size size(full.cols / side, full.rows / side);
  const gpu::ImageFormat format{static_cast<uint32_t>(size.width),
                                static_cast<uint32_t>(size.height), 1, frame.format.image.bits};
  auto slot = std::move(gpu::makeSlots(device, {format, 1}, 1).front());
  cv::Mat means;
  cv::resize(grey(cv::Rect(0, 0, size.width * side, size.height * side)), means, size, 0, 0,
             cv::INTER_AREA);
  means.copyTo(viewOf(slot->room(0)));
  slot->set(0, *frame.stamps.front());
  slot->stamps.front()->neutral = false;
  return slot;
}

/// Returns a mask of blocks. A block is measured if any of its pixels is.
gpu::LayerMask smaller(const gpu::LayerMask& mask, uint32_t block) {
  if (mask.empty()) return {};
  gpu::LayerMask blocks{mask.width / block, mask.height / block, {}};
  blocks.pixels.assign(size_t{blocks.width} * blocks.height, 0);
  for (uint32_t y = 0; y < blocks.height * block; ++y)
    for (uint32_t x = 0; x < blocks.width * block; ++x)
      if (mask.pixels[size_t{y} * mask.width + x] != 0)
        blocks.pixels[size_t{y / block} * blocks.width + x / block] = 1;
  return blocks;
}

/// Returns the settings that find in a picture of blocks what `settings` find in the frame.
std::shared_ptr<const Settings> smaller(const Settings& settings, uint32_t block) {
  auto made = std::make_shared<Settings>(settings);
  const double side = block;
  Settings::Detect& detect = made->detect;
  made->response.radius = std::max(settings.response.radius / side, 0.5);
  detect.separation /= side;
  detect.minRadius /= side;
  detect.maxRadius /= side;
  detect.minMass /= side * side;
  made->refine.radius = static_cast<int>(std::ceil(settings.refine.radius / side));
  return made;
}

/// Returns a marker of a picture of blocks as one of the frame.
shared::Detection larger(shared::Detection d, uint32_t block) {
  const auto side = static_cast<float>(block);
  const float shift = (side - 1) / 2;  // from the first pixel of a block to its middle, px
  d.peakX = d.peakX * block + block / 2;
  d.peakY = d.peakY * block + block / 2;
  d.x = d.x * side + shift;
  d.y = d.y * side + shift;
  d.extentX = d.extentX * side + shift;
  d.extentY = d.extentY * side + shift;
  d.mass *= side * side;
  for (float* length : {&d.radius, &d.sigmaX, &d.sigmaY, &d.extent}) *length *= side;
  return d;
}

}  // namespace

SampledPictures::SampledPictures(const gpu::Device& device, std::vector<gpu::FrameLease> frames)
    : pictures_(std::move(frames)),
      frame_(pictures_.front()->format.image),
      block_(1),
      detector_(makeDetector(device, frame_)) {}

SampledPictures::SampledPictures(const gpu::Device& device,
                                 const std::vector<gpu::FrameLease>& frames, uint32_t block)
    : frame_(frames.front()->format.image), block_(block) {
  for (const gpu::FrameLease& frame : frames) pictures_.push_back(smaller(device, *frame, block));
  detector_ = makeDetector(device, pictures_.front()->format.image);
}

const gpu::Masks& SampledPictures::masksOf(const Settings::Detect& detect) {
  if (pixelsOf(detect) != pixelsOf(masked_)) {
    gpu::LayerMask mask = capture::measuredPixels(detect, 0, 1, frame_);
    if (block_ > 1) mask = smaller(mask, block_);
    masks_ = std::make_shared<const std::vector<gpu::LayerMask>>(1, std::move(mask));
    masked_ = detect;
  }
  return masks_;
}

gpu::ResponseStatistics SampledPictures::statisticsOf(const gpu::DetectionConfig& config,
                                                      size_t i) {
  const Settings& settings = *config.settings;
  const bool sampled = !settings.detect.threshold;
  for (const Statistics& known : known_)
    if (known.picture == i && known.response == settings.response && known.sampled == sampled &&
        known.masks == config.masks && settings.filters.empty())
      return known.values;
  const gpu::ResponseStatistics own = detector_->measure(pictures_[i], config).front();
  if (settings.filters.empty())
    known_.push_back({i, settings.response, sampled, config.masks, own});
  return own;
}

gpu::LayerMeasurement SampledPictures::measure(const std::shared_ptr<const Settings>& settings,
                                               size_t i) {
  gpu::checkLimits(*settings);
  const gpu::DetectionConfig config{.settings = block_ > 1 ? smaller(*settings, block_) : settings,
                                    .masks = masksOf(settings->detect),
                                    .reusesPlanes = true};
  detector_->prepareNow(config);
  const gpu::ResponseStatistics own = statisticsOf(config, i);
  const std::vector<gpu::LayerExpectation> expected{{own.values, own.pixels, {}, own.ground}};
  detector_->submit(pictures_[i], config,
                    gpu::makeFeedback(*config.settings, pictures_[i]->format.image, expected));
  gpu::LayerMeasurement measured = std::move(detector_->collect()->layers.front());
  if (block_ > 1)
    for (shared::Detection& d : measured.markers) d = larger(d, block_);
  return measured;
}

}  // namespace glint::study
