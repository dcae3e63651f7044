#include "app/sinks/paced_video.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace glint {
namespace {

constexpr double kUsualRate = 25;  // frames a second, where times do not tell
constexpr double kHighestRate = 1000;

}  // namespace

void PacedVideo::write(const ImageView& image, double time, std::vector<std::byte> beside) {
  if (!begun()) {
    const size_t pitch = size_t{image.format.width} * image.format.bytesPerPixel();
    first_ = {image.format, std::vector<std::byte>(pitch * image.format.height), std::move(beside),
              time};
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(first_->pixels.data() + pitch * y, image.row(y), pitch);
    return;
  }
  if (!video_)
    open(time > first_->time ? std::min(1 / (time - first_->time), kHighestRate) : kUsualRate);
  video_->write(image, time, beside);
}

void PacedVideo::open(double rate) {
  claim_.keep();
  const ImageFormat& format = first_->format;
  video_.emplace(path_, format, rate, options_);
  video_->write({format, first_->pixels.data(), size_t{format.width} * format.bytesPerPixel()},
                first_->time, first_->beside);
  first_.reset();
}

void PacedVideo::finish() {
  if (first_) open(kUsualRate);
  if (!video_) return;
  video_->finish();
  claim_.confirm();
}

}  // namespace glint
