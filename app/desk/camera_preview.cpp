#include "app/desk/camera_preview.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "app/capture/source_kinds.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::chrono::milliseconds kShowEvery{100};

/// Grey of a pixel, as many bits as it has.
uint32_t greyOf(const ImageFormat& format, const std::byte* pixel) {
  const auto value = [&](uint32_t channel) -> uint32_t {
    if (format.bits == 8) return std::to_integer<uint32_t>(pixel[channel]);
    uint16_t wide = 0;
    std::memcpy(&wide, pixel + 2 * size_t{channel}, sizeof wide);
    return wide;
  };
  return format.channels == 1 ? value(0) : (value(0) + 2 * value(1) + value(2)) / 4;
}

CameraPreview::Picture reduced(const ImageView& image) {
  const ImageFormat& format = image.format;
  const uint32_t block =
      std::max({1U, (format.width + CameraPreview::kMostWidth - 1) / CameraPreview::kMostWidth,
                (format.height + CameraPreview::kMostHeight - 1) / CameraPreview::kMostHeight});
  CameraPreview::Picture picture{.width = std::max(1U, format.width / block),
                                 .height = std::max(1U, format.height / block),
                                 .grey = {},
                                 .image = format};
  picture.grey.reserve(size_t{picture.width} * picture.height);
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      uint64_t sum = 0;
      uint32_t count = 0;
      for (uint32_t v = y * block; v < std::min((y + 1) * block, format.height); ++v) {
        const std::byte* row = image.row(v);
        for (uint32_t u = x * block; u < std::min((x + 1) * block, format.width); ++u, ++count)
          sum += greyOf(format, row + size_t{u} * format.bytesPerPixel());
      }
      const uint64_t mean = sum / count;
      picture.grey.push_back(static_cast<uint8_t>(format.bits == 8 ? mean : mean >> 8U));
    }
  }
  return picture;
}

}  // namespace

CameraPreview::CameraPreview(std::string source, Settings::Camera request,
                             std::function<void()> changed)
    : BackgroundTask(std::move(changed)), source_(std::move(source)), request_(std::move(request)) {
  start([this] { read(); });
}

std::shared_ptr<const CameraPreview::Picture> CameraPreview::picture() const {
  const std::lock_guard lock(mutex_);
  return picture_;
}

void CameraPreview::read() {
  const auto source = openSource(source_, &interrupt_, request_);
  const ImageFormat& format = source->format();
  const size_t pitch = size_t{format.width} * format.bytesPerPixel();
  std::vector<std::byte> pixels(pitch * format.height);
  const ImageView image{format, pixels.data(), pitch};
  std::chrono::steady_clock::time_point shown{};
  while (!interrupt_.isSet()) {
    const Reading reading = source->read(image);
    if (reading.state == CameraState::lost) throw Error(reading.problem);
    if (reading.state == CameraState::ended) return;
    if (!source->isLive()) std::this_thread::sleep_for(kShowEvery);
    const auto now = std::chrono::steady_clock::now();
    if (reading.state != CameraState::frame || now - shown < kShowEvery) continue;
    shown = now;
    auto picture = std::make_shared<Picture>(reduced(image));
    set([&](Progress& progress) {
      ++progress.frames;
      picture_ = std::move(picture);
    });
  }
}

}  // namespace glint
