#include "app/advice/frame_sample.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/mask/mask.h"
#include "config/error.h"
#include "gpu/detect/feedback.h"
#include "gpu/detect/limits.h"

namespace glint {
namespace {

/// Returns `count` places spread evenly over a recording. The middle one comes second.
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

std::shared_ptr<FrameSlot> makeSlot(const Device& device, const ImageFormat& format) {
  return std::move(makeSlots(device, {format, 1}, 1).front());
}

/// Waits for the next frame. Returns false at the end of the source.
bool readNext(Source& source, FrameSlot& slot) {
  for (;;) {
    const Reading reading = source.read(slot.room(0));
    if (reading.state == CameraState::frame) {
      slot.set(0, reading.stamp);
      return true;
    }
    if (reading.state == CameraState::ended) return false;
    if (!source.isLive()) return false;  // interrupted
  }
}

}  // namespace

FrameSample::FrameSample(const Device& device, Source& source, const SampleOptions& options)
    : format_(source.format()) {
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
    } catch (const Error& error) {  // a damaged file: the frames before it will do
      problem = error.what();
      return false;
    }
    frames_.push_back(std::move(slot));
    return true;
  };
  if (seeks) {
    for (const uint64_t place : placesIn(*length, most)) take(place);
    if (frames_.empty()) take(0);  // the file states a wrong length
  } else {
    for (uint64_t n = 0; n < most * options.stride && take(std::nullopt); ++n)
      if (n % options.stride != 0) frames_.pop_back();
  }
  if (frames_.empty()) throw Error(fmt::format("cannot probe '{}': {}", source.name(), problem));
  detector_ = std::make_unique<Detector>(device, FrameFormat{format_, 1},
                                         DetectorOptions{.timing = Timing::none});
}

FrameSample::~FrameSample() = default;

LayerMeasurement FrameSample::measure(const Settings& settings, size_t frame) {
  checkLimits(settings);
  if (pixelsOf(settings.detect) != pixelsOf(masked_)) {
    masks_ = std::make_shared<const std::vector<LayerMask>>(
        1, measuredPixels(settings.detect, 0, 1, format_));
    masked_ = settings.detect;
  }
  const DetectionConfig config{.settings = settings, .masks = masks_};
  detector_->prepareNow(config);
  const std::vector<ResponseStatistics> own = detector_->measure(frames_[frame], config);
  const std::vector<LayerExpectation> expected{
      {own.front().values, own.front().pixels, {}, own.front().ground}};
  detector_->submit(frames_[frame], config, makeFeedback(settings, format_, expected));
  return std::move(detector_->collect()->layers.front());
}

MarkersByFrame FrameSample::measureFirst(const Settings& settings, size_t frames) {
  MarkersByFrame found;
  for (size_t i = 0; i < std::min(frames, frames_.size()); ++i)
    found.push_back(measure(settings, i).markers);
  return found;
}

}  // namespace glint
