#include "app/capture/sets/stand_in.h"

#include <algorithm>
#include <cstring>

#include "app/capture/source/interrupt.h"
#include "config/error.h"
#include "gpu/late_colour.h"

namespace glint::capture {
namespace {

/// The most sets that are searched backwards for a frame. A gap is found without decoding, but
/// takes some time.
constexpr uint64_t kMostBack = 1000;

size_t bytesOfRow(const gpu::ImageFormat& format, bool neutral) {
  return size_t{format.width} * (neutral ? 1 : format.bytesPerPixel());
}

}  // namespace

std::optional<SetIndex> StandIn::follow(Source& source, SetIndex set, bool jumped,
                                        const Reading& reading, const gpu::ImageView& image) {
  if (jumped) set_.reset();
  if (reading.state == gpu::CameraState::frame) {
    keep(image, set, reading.stamp.neutral);
    return std::nullopt;
  }
  if (!reading.gap) return std::nullopt;
  if (jumped) seekBefore(source, set, image);
  if (!set_) return std::nullopt;
  const size_t bytes = bytesOfRow(image.format, neutral_);
  for (uint32_t y = 0; y < image.format.height; ++y) {
    const std::byte* row = &bytes_[y * bytes];
    neutral_ ? gpu::colourRow(row, image.format.width, image.row(y))
             : static_cast<void>(std::memcpy(image.row(y), row, bytes));
  }
  return set_;
}

void StandIn::keep(const gpu::ImageView& image, SetIndex set, bool neutral) {
  const size_t bytes = bytesOfRow(image.format, neutral);
  bytes_.resize(bytes * image.format.height);
  for (uint32_t y = 0; y < image.format.height; ++y)
    std::memcpy(&bytes_[y * bytes], neutral ? image.greyRow(y) : image.row(y), bytes);
  set_ = set;
  neutral_ = neutral;
}

/// Finds the camera's latest frame before `set`. If the source breaks there, the camera has no such
/// frame, because the frames that are asked for may be whole nevertheless.
void StandIn::seekBefore(Source& source, SetIndex set, const gpu::ImageView& image) {
  const uint64_t first = set.value() - std::min(set.value(), kMostBack);
  try {
    for (uint64_t before = set.value(); before > first && !set_; --before) {
      source.seek(FrameNumber(before - 1));
      const Reading reading = source.read(image);
      if (reading.state == gpu::CameraState::none && !reading.gap) throw Interrupted("interrupted");
      if (reading.state == gpu::CameraState::frame)
        keep(image, SetIndex(before - 1), reading.stamp.neutral);
    }
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
  }
  source.seek(FrameNumber(set.value() + 1));
}

}  // namespace glint::capture
