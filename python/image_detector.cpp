#include "python/image_detector.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/capture/filter/images.h"
#include "app/session/detectors.h"
#include "config/error.h"
#include "gpu/device.h"
#include "python/devices.h"
#include "python/image_copy.h"

namespace glint::python {

struct ImageDetector::Parts {
  Parts(const Settings& settings, const gpu::ImageFormat& imageFormat, size_t cameraCount)
      : device(keptDevice(settings.device)),
        format(imageFormat),
        cameras(cameraCount),
        copier(*device),
        groups(capture::groupCameras(std::vector(cameras, format))),
        detectors(*device, groups, {.settings = std::make_shared<const Settings>(settings)},
                  capture::fileImages(), {.timing = gpu::Timing::none}),
        expectations(cameras) {
    for (const gpu::FrameFormat& group : groups.formats)
      pools.emplace_back(*device, group, 2, nullptr, gpu::Upload::early);
  }

  const std::shared_ptr<const gpu::Device> device;
  const gpu::ImageFormat format;
  const size_t cameras;
  std::mutex mutex;  // guards the members below
  gpu::RowCopier copier;
  const capture::CameraGroups groups;
  std::vector<gpu::FramePool> pools;  // one for each group
  session::Detectors detectors;
  std::vector<gpu::LayerExpectation> expectations;  // one for each camera
  bool known = false;                // true if `expectations` come from the images before
  uint64_t next = 0;                 // number of the next images
  std::optional<uint64_t> inFlight;  // frame number of the images that wait for collect()
};

ImageDetector::ImageDetector(const Settings& settings, const gpu::ImageFormat& format,
                             size_t cameras) {
  if (cameras > kMostCameras)
    throw UsageError(
        fmt::format("these are images of {} cameras, and at most {} go at once: give those of one "
                    "moment, each (h, w) or (h, w, 3)",
                    cameras, kMostCameras));
  parts_ = std::make_unique<Parts>(settings, format, cameras);
}

ImageDetector::~ImageDetector() {
  if (isForked()) static_cast<void>(parts_.release());
}

const gpu::ImageFormat& ImageDetector::format() const {
  return parts_->format;
}

size_t ImageDetector::cameras() const {
  return parts_->cameras;
}

void ImageDetector::apply(const Settings& settings) {
  refuseForked();
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (*p.detectors.measuring().settings == settings) return;
  p.detectors.request({.settings = std::make_shared<const Settings>(settings)});
  while (!p.detectors.ready()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  p.detectors.adopt();
  p.known = false;
}

void ImageDetector::submit(const Images& images, double time, bool alone) {
  refuseForked();
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (p.inFlight) throw Error("an image is on the device: collect() it before the next submit()");
  // A gap of one in the numbers makes filters forget the images before, if these ones are alone.
  const uint64_t number = alone ? p.next + 1 : p.next;
  std::vector<std::shared_ptr<gpu::FrameSlot>> slots;  // one for each group
  for (gpu::FramePool& pool : p.pools) slots.push_back(pool.take());
  const size_t bytes = p.format.pixels() * p.format.bytesPerPixel();
  for (size_t i = 0; i < p.cameras; ++i) {
    const capture::CameraGroups::Place& place = p.groups.places[i];
    gpu::FrameSlot& slot = *slots[place.group];
    copyImage(images.pixels + i * bytes, slot.layer(place.layer), p.copier,
              [&](uint32_t rows) { slot.written(place.layer, rows); });
    slot.set(place.layer, gpu::FrameStamp{.sequence = FrameNumber(number), .time = time});
  }
  const capture::FrameSet set{
      .set = SetIndex(number), .epoch = {}, .groups = {slots.begin(), slots.end()}};
  const Settings& settings = *p.detectors.measuring().settings;
  const bool own = alone || !p.known || settings.live.lag == 0;
  if (own && !settings.detect.threshold) {
    const auto statistics = p.detectors.measure(set);
    for (size_t i = 0; i < p.cameras; ++i)
      p.expectations[i] = {statistics[i].values, statistics[i].pixels, {}, statistics[i].ground};
  }
  p.detectors.submit(set, p.expectations);
  p.inFlight = alone ? 0 : number;
  p.next = number + 1;
}

std::shared_ptr<const motion::Frame> ImageDetector::collect() {
  refuseForked();
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (!p.inFlight) throw Error("there is no image to collect: submit() one first");
  const uint64_t number = *std::exchange(p.inFlight, std::nullopt);
  session::Detectors::Result result = p.detectors.collect();
  const auto frame = std::make_shared<motion::Frame>();
  for (size_t i = 0; i < p.cameras; ++i) {
    gpu::LayerMeasurement& measured = result.cameras[i];
    p.expectations[i] = {measured.response, measured.pixels, {}, measured.ground};
    measured.stamp->sequence = FrameNumber(number);
    frame->cameras.emplace_back().measured = std::move(measured);
  }
  p.known = true;
  return frame;
}

}  // namespace glint::python
