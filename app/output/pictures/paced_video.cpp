#include "app/output/pictures/paced_video.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace glint::output {

void PacedVideo::write(const gpu::ImageView& image, double time, std::vector<std::byte> beside) {
  if (!begun()) {
    const size_t pitch = size_t{image.format.width} * image.format.bytesPerPixel();
    first_ = {image.format, std::vector<std::byte>(pitch * image.format.height), std::move(beside),
              time};
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(first_->pixels.data() + pitch * y, image.row(y), pitch);
    return;
  }
  if (!video_)
    open(time > first_->time ? std::min(1 / (time - first_->time), rates_.highest) : rates_.usual);
  video_->write(image, time, beside);
}

void PacedVideo::open(double rate) {
  const gpu::ImageFormat& format = first_->format;
  video_.emplace(claim_, format, rate, options_);
  video_->write({format, first_->pixels.data(), size_t{format.width} * format.bytesPerPixel()},
                first_->time, first_->beside);
  first_.reset();
}

void PacedVideo::finish() {
  if (first_) open(rates_.usual);
  if (video_) video_->finish();
}

}  // namespace glint::output
