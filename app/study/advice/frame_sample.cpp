#include "app/study/advice/frame_sample.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/capture/mask/mask.h"
#include "config/error.h"
#include "gpu/detect/feedback.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

/// Returns `count` frame numbers spread evenly over a recording, or fewer if it is shorter. The
/// middle one comes second.
std::vector<uint64_t> placesIn(uint64_t length, size_t count) {
  std::vector<uint64_t> places;
  const uint64_t most = std::min<uint64_t>(length, count);
  for (uint64_t i = 0; i < most; ++i) places.push_back((2 * i + 1) * length / (2 * most));
  if (places.size() > 2) {
    const auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
    std::rotate(places.begin() + 1, middle, middle + 1);
  }
  return places;
}

std::shared_ptr<gpu::FrameSlot> makeSlot(const gpu::Device& device,
                                         const gpu::ImageFormat& format) {
  return std::move(gpu::makeSlots(device, {format, 1}, 1).front());
}

/// Waits for the next frame. Returns false at the end of the source, or after an interrupt.
bool readNext(capture::Source& source, gpu::FrameSlot& slot) {
  for (;;) {
    const capture::Reading reading = source.read(slot.room(0));
    if (reading.state == gpu::CameraState::frame) {
      slot.set(0, reading.stamp);
      return true;
    }
    if (reading.state == gpu::CameraState::ended) return false;
    if (!source.isLive()) return false;  // The reading was interrupted.
  }
}

}  // namespace

FrameSample::FrameSample(const gpu::Device& device, capture::Source& source,
                         const capture::Interrupt* interrupt, const SampleOptions& options)
    : format_(source.format()), interrupt_(interrupt) {
  const size_t most =
      format_.pixels() > options.largePixels ? options.framesIfLarge : options.frames;
  const std::optional<uint64_t> length = source.frameCount();
  const bool seeks = source.canSeek() && length && *length > 0;
  std::string problem = "it gave no frame";
  const auto take = [&](std::optional<uint64_t> place) {
    auto slot = makeSlot(device, format_);
    try {
      if (place) source.seek(FrameNumber(*place));
      if (!readNext(source, *slot)) return false;
      // The file is damaged. The frames that were read so far are enough.
    } catch (const Error& error) {
      problem = error.what();
      return false;
    }
    frames_.push_back(std::move(slot));
    return true;
  };
  if (seeks) {
    for (const uint64_t place : placesIn(*length, most)) take(place);
    if (frames_.empty()) take(0);  // The file states a wrong length.
  } else {
    for (uint64_t n = 0; n < most * options.stride && take(std::nullopt); ++n)
      if (n % options.stride != 0) frames_.pop_back();
  }
  if (frames_.empty()) throw Error("cannot probe '{}': {}", source.name(), problem);
  detector_ = std::make_unique<gpu::Detector>(device, gpu::FrameFormat{format_, 1},
                                              gpu::DetectorOptions{.timing = gpu::Timing::none});
}

FrameSample::~FrameSample() = default;

gpu::LayerMeasurement FrameSample::measure(const std::shared_ptr<const Settings>& settings,
                                           size_t frame) {
  if (interrupt_ && interrupt_->isSet())
    throw capture::Interrupted("interrupted while settings were tried");
  gpu::checkLimits(*settings);
  if (pixelsOf(settings->detect) != pixelsOf(masked_)) {
    masks_ = std::make_shared<const std::vector<gpu::LayerMask>>(
        1, capture::measuredPixels(settings->detect, 0, 1, format_));
    masked_ = settings->detect;
  }
  const gpu::DetectionConfig config{.settings = settings, .masks = masks_};
  detector_->prepareNow(config);
  const std::vector<gpu::ResponseStatistics> own = detector_->measure(frames_[frame], config);
  const std::vector<gpu::LayerExpectation> expected{
      {own.front().values, own.front().pixels, {}, own.front().ground}};
  detector_->submit(frames_[frame], config, gpu::makeFeedback(*settings, format_, expected));
  return std::move(detector_->collect()->layers.front());
}

MarkersByFrame FrameSample::measureFirst(const Settings& settings, size_t frames) {
  const auto shared = std::make_shared<const Settings>(settings);
  MarkersByFrame found;
  for (size_t i = 0; i < std::min(frames, frames_.size()); ++i)
    found.push_back(measure(shared, i).markers);
  return found;
}

}  // namespace glint::study
