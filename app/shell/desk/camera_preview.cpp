#include "app/shell/desk/camera_preview.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::shell {
namespace {

constexpr std::chrono::milliseconds kShowEvery{100};

}  // namespace

CameraPreview::CameraPreview(Address source, Settings::Camera request,
                             std::function<void()> changed)
    : BackgroundTask(std::move(changed)), source_(std::move(source)), request_(std::move(request)) {
  start([this] { read(); });
}

std::shared_ptr<const CameraPreview::Picture> CameraPreview::picture() const {
  const std::lock_guard lock(mutex_);
  return picture_;
}

void CameraPreview::read() {
  const auto source = capture::openSource(source_, &interrupt_, request_);
  capture::FrameBuffer buffer(source->format());
  const gpu::ImageView image = buffer.view();
  std::chrono::steady_clock::time_point shown{};
  while (!interrupt_.isSet()) {
    const capture::Reading reading = source->read(image);
    if (reading.state == gpu::CameraState::lost) throw Error(reading.problem);
    if (reading.state == gpu::CameraState::ended) return;
    if (!source->isLive()) std::this_thread::sleep_for(kShowEvery);
    const auto now = std::chrono::steady_clock::now();
    if (reading.state != gpu::CameraState::frame || now - shown < kShowEvery) continue;
    shown = now;
    auto picture = std::make_shared<Picture>(smallPicture(image, kMostWidth, kMostHeight));
    set([&](Progress& progress) {
      ++progress.frames;
      picture_ = std::move(picture);
    });
  }
}

}  // namespace glint::shell
