#include "app/session/pending_change.h"

#include <utility>

#include "config/error.h"
#include "config/setting_key.h"

namespace glint::session {
namespace {

void checkDevice(const Settings& before, const Settings& after) {
  if (before.device.name != after.device.name ||
      before.device.validation != after.device.validation) {
    throw UsageError("the device cannot be changed while the session runs");
  }
}

void checkCameras(const Settings& before, const Settings& after, size_t cameras) {
  for (size_t i = 0; i < cameras; ++i) {
    const auto from = cameraSettings(before, static_cast<int>(i));
    const auto to = cameraSettings(after, static_cast<int>(i));
    if (from.size != to.size || from.format != to.format || from.rate != to.rate ||
        from.colour != to.colour) {
      throw UsageError(fmt::format("{}, {}, {} and {} cannot be changed while the session runs",
                                   "camera.size"_key, "camera.format"_key, "camera.rate"_key,
                                   "camera.colour"_key));
    }
  }
}

}  // namespace

void PendingChange::changeSettings(const std::function<void(Settings&)>& change, Answer& answer) {
  Measuring measuring = newest();
  const auto before = measuring.settings;
  const auto after = std::make_shared<Settings>(*before);
  change(*after);
  checkDevice(*before, *after);
  const bool cameras = after->camera != before->camera || after->cameras != before->cameras;
  if (feeds_.live() && cameras) checkCameras(*before, *after, feeds_.groups().places.size());
  measuring.settings = after;
  request(std::move(measuring), answer);
  if (cameras || after->live != before->live) feeds_.adjust(*after);
}

void PendingChange::reportRejected(bool on, Answer& answer) {
  Measuring measuring = newest();
  measuring.rejected = on;
  request(std::move(measuring), answer);
}

void PendingChange::watchPlanes(const gpu::PlaneSet& planes, Answer& answer) {
  Measuring measuring = newest();
  measuring.planes = planes;
  request(std::move(measuring), answer);
}

void PendingChange::request(Measuring measuring, Answer& answer) {
  try {
    detectors_.request(measuring);
  } catch (const std::exception&) {
    // The pending change stays as it was.
    if (requested_) detectors_.request(*requested_);
    throw;
  }
  requested_ = std::move(measuring);
  if (answer) answers_.push_back(std::exchange(answer, {}));
}

std::vector<Answer> PendingChange::finish() {
  requested_.reset();
  return std::exchange(answers_, {});
}

}  // namespace glint::session
