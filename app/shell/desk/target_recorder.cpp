#include "app/shell/desk/target_recorder.h"

#include <utility>

namespace glint::shell {
namespace {

void addMarkers(motion::PointTable& table, size_t camera, const gpu::LayerMeasurement& measured) {
  if (!measured.stamp) return;
  for (const shared::Detection& marker : measured.markers)
    table.rows.push_back(
        {.camera = camera,
         .frame = static_cast<long>(measured.stamp->sequence.value()),
         .time = measured.stamp->time,
         .dot = {{marker.x, marker.y},
                 Eigen::Vector2d(marker.sigmaX, marker.sigmaY).cwiseMax(motion::kLeastSigma)}});
}

}  // namespace

void TargetRecorder::begin(motion::Target target) {
  const std::lock_guard lock(mutex_);
  running_ = true;
  target_ = std::move(target);
  table_ = {};
  table_.timed = table_.sigmasKnown = true;
  seen_ = {};
  sets_.clear();
}

void TargetRecorder::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

bool TargetRecorder::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void TargetRecorder::accept(const motion::FramePtr& frame) {
  const std::lock_guard lock(mutex_);
  if (sizes_.empty() && frame->session)
    for (const gpu::ImageFormat& image : frame->session->images)
      sizes_.push_back({static_cast<int>(image.width), static_cast<int>(image.height)});
  if (!running_ || !frame->measured() || !sets_.insert(frame->set).second) return;
  seen_.cameras.resize(frame->cameras.size());
  size_t cameras = 0;
  for (size_t c = 0; c < frame->cameras.size(); ++c) {
    const size_t first = table_.rows.size();
    addMarkers(table_, c, frame->cameras[c].measured);
    motion::View view;
    for (size_t i = first; i < table_.rows.size(); ++i) view.dots.push_back(table_.rows[i].dot);
    const auto sightings = motion::wholeSightings(view, target_);
    if (sightings.empty()) continue;
    ++cameras;
    ++seen_.cameras[c].seen;
    for (const motion::Ends& ends : sightings)
      for (const size_t dot : ends.dots) seen_.cameras[c].mark(view.dots[dot].at, sizes_[c]);
  }
  ++seen_.frames;
  seen_.shared += cameras > 1;
}

motion::TargetSeen TargetRecorder::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

motion::PointTable TargetRecorder::table() const {
  const std::lock_guard lock(mutex_);
  return table_;
}

std::vector<motion::FrameExtent> TargetRecorder::sizes() const {
  const std::lock_guard lock(mutex_);
  return sizes_;
}

motion::Target TargetRecorder::target() const {
  const std::lock_guard lock(mutex_);
  return target_;
}

}  // namespace glint::shell
