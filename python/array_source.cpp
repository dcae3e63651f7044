#include "python/array_source.h"

#include <utility>

namespace glint::python {

ArraySource::ArraySource(const gpu::ImageFormat& format, std::string name,
                         std::optional<uint64_t> count, double rate, Next next)
    : format_(format), name_(std::move(name)), count_(count), rate_(rate), next_(std::move(next)) {}

capture::Reading ArraySource::read(const gpu::ImageView& image) {
  const std::optional<double> time = next_(image);
  if (!time) return {};
  return {gpu::CameraState::frame, {.sequence = FrameNumber(read_++), .time = *time}};
}

}  // namespace glint::python
