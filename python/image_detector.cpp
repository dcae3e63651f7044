#include "python/image_detector.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/filter/file_images.h"
#include "app/session/detectors.h"
#include "config/error.h"
#include "gpu/device.h"
#include "python/devices.h"
#include "python/image_copy.h"

namespace glint {

struct ImageDetector::Parts {
  Parts(const Settings& settings, const ImageFormat& imageFormat, size_t cameraCount)
      : device(keptDevice(settings.device)),
        format(imageFormat),
        cameras(cameraCount),
        copier(*device),
        groups(groupCameras(std::vector(cameras, format))),
        detectors(*device, groups, {.settings = std::make_shared<const Settings>(settings)},
                  fileImages(), {.timing = Timing::none}),
        expectations(cameras) {
    for (const FrameFormat& group : groups.formats)
      pools.emplace_back(*device, group, 2, nullptr, Upload::early);
  }

  const std::shared_ptr<const Device> device;
  const ImageFormat format;
  const size_t cameras;
  std::mutex mutex;  // of all below
  RowCopier copier;
  const CameraGroups groups;
  std::vector<FramePool> pools;  // a group each
  Detectors detectors;
  std::vector<LayerExpectation> expectations;  // a camera each
  bool known = false;                          // they are of the image before
  uint64_t next = 0;                           // number of the next image
  std::optional<uint64_t> inFlight;            // the frame that it is called
};

ImageDetector::ImageDetector(const Settings& settings, const ImageFormat& format, size_t cameras) {
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

const ImageFormat& ImageDetector::format() const {
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
  // Filters remember the image before this one: whose number is one less.
  const uint64_t number = alone ? p.next + 1 : p.next;
  std::vector<std::shared_ptr<FrameSlot>> slots;  // a group each
  for (FramePool& pool : p.pools) slots.push_back(pool.take());
  const size_t bytes = p.format.pixels() * p.format.bytesPerPixel();
  for (size_t i = 0; i < p.cameras; ++i) {
    const CameraGroups::Place& place = p.groups.places[i];
    FrameSlot& slot = *slots[place.group];
    copyImage(images.pixels + i * bytes, slot.layer(place.layer), p.copier,
              [&](uint32_t rows) { slot.written(place.layer, rows); });
    slot.set(place.layer, FrameStamp{.sequence = FrameNumber(number), .time = time});
  }
  const FrameSet set{.set = SetIndex(number), .epoch = {}, .groups = {slots.begin(), slots.end()}};
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

std::shared_ptr<const Frame> ImageDetector::collect() {
  refuseForked();
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (!p.inFlight) throw Error("there is no image to collect: submit() one first");
  const uint64_t number = *std::exchange(p.inFlight, std::nullopt);
  Detectors::Result result = p.detectors.collect();
  const auto frame = std::make_shared<Frame>();
  for (size_t i = 0; i < p.cameras; ++i) {
    LayerMeasurement& measured = result.cameras[i];
    p.expectations[i] = {measured.response, measured.pixels, {}, measured.ground};
    measured.stamp->sequence = FrameNumber(number);
    frame->cameras.emplace_back().measured = std::move(measured);
  }
  p.known = true;
  return frame;
}

}  // namespace glint
