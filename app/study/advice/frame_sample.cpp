#include "app/study/advice/frame_sample.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/error.h"

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
    : device_(device), interrupt_(interrupt), options_(options), format_(source.format()) {
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
  pictures_.try_emplace(1, device, frames_);
}

/// Returns the side of the blocks of pixels in the pictures for a survey, px. 1: the frames.
uint32_t FrameSample::blockFor(const Settings& settings) const {
  uint32_t block = 1;
  const uint32_t side = std::min(format_.width, format_.height);
  if (settings.filters.empty() && settings.response.kind == ResponseKind::dog)
    while (settings.response.radius / (2 * block) >= options_.leastSurveyed &&
           side / (2 * block) >= options_.leastSide)
      block *= 2;
  return block;
}

void FrameSample::checkInterrupt() const {
  if (interrupt_ && interrupt_->isSet())
    throw capture::Interrupted("interrupted while settings were tried");
}

gpu::LayerMeasurement FrameSample::measure(const Settings& settings, size_t frame) {
  checkInterrupt();
  return pictures_.at(1).measure(std::make_shared<const Settings>(settings), frame);
}

MarkersByFrame FrameSample::measureFirst(const Settings& settings, size_t frames) {
  MarkersByFrame found;
  for (size_t i = 0; i < std::min(frames, frames_.size()); ++i)
    found.push_back(measure(settings, i).markers);
  return found;
}

std::vector<shared::Detection> FrameSample::survey(const Settings& settings, size_t frame) {
  checkInterrupt();
  const uint32_t block = blockFor(settings);
  auto pictures = pictures_.find(block);
  if (pictures == pictures_.end())
    pictures = pictures_.try_emplace(block, device_, frames_, block).first;
  return pictures->second.measure(std::make_shared<const Settings>(settings), frame).markers;
}

}  // namespace glint::study
