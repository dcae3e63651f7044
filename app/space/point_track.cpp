#include "app/space/point_track.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "app/track/kalman.h"

namespace glint {
namespace {

// mm/s^2, of a marker whose motion is not known yet.
constexpr double kAcceleration = 2e4;
// mm^2/s^5: from what creeps to what is hit.
constexpr double kLeastJerk = 1e4, kMostJerk = 1e15;

}  // namespace

PointTrack::PointTrack(const TakenRays& first, uint64_t frame, double time, double speed,
                       double jerk)
    : filter_(first.estimate.at, first.stated.images, speed, kAcceleration),
      logJerk_(std::log(jerk)) {
  measure(first, frame, time);
}

uint64_t camerasOf(const std::vector<Sight>& sights) {
  uint64_t cameras = 0;
  for (const Sight& sight : sights) cameras |= uint64_t{1} << sight.camera;
  return cameras;
}

void PointTrack::confirm(uint64_t id) {
  id_ = last_.point = id;
  for (auto* rows : {&rows_, &missed_})
    for (SpaceRow& row : *rows) row.point = id;
}

uint64_t PointTrack::firstOpen(uint64_t otherwise) const {
  if (id_ == 0 && !rows_.empty()) return rows_.front().frame;
  return missed_.empty() ? otherwise : missed_.front().frame;
}

double PointTrack::jerk() const {
  return std::exp(logJerk_);
}

void PointTrack::predict(double dt) {
  filter_.predict(dt, jerk());
}

/// Innovations that are larger than predicted raise the jerk, others lower it, as far as the
/// prediction and not the measurement made them uncertain.
void PointTrack::learnJerk(const TakenRays& taken) {
  constexpr double kGain = 0.25, kMost = 8;
  const Eigen::Matrix3d total = filter_.covariance() + taken.stated.images;
  const Eigen::Vector3d off = taken.estimate.at - filter_.position();
  const double ratio = off.dot(total.inverse() * off) / 3;
  const double share = filter_.covariance().trace() / total.trace();
  logJerk_ += kGain * share * (std::min(ratio, kMost) - 1);
  logJerk_ = std::clamp(logJerk_, std::log(kLeastJerk), std::log(kMostJerk));
}

void PointTrack::measure(const TakenRays& taken, uint64_t frame, double time) {
  if (measured_ >= 3) learnJerk(taken);
  if (measured_ > 0) filter_.update(taken.estimate.at, taken.stated.images);
  SpaceRow row{.frame = frame,
               .time = time,
               .point = id_,
               .state = TrackState::measured,
               .at = taken.estimate.at,
               .velocity = filter_.velocity(),
               .covariance = taken.stated.images + taken.stated.rig,
               .cameras = camerasOf(taken.sights),
               .residual = taken.estimate.residual,
               .flags = taken.flags};
  bridge(row);
  ++measured_;
  lastFrame_ = frame;
  last_ = row;
  rows_.push_back(std::move(row));
}

void PointTrack::correct(const SpaceRig& rig, const Sight& sight) {
  const auto seen = rig[sight.camera].see(filter_.position() + sight.shift);
  if (seen) filter_.update(sight.pixel - seen->pixel, seen->slope, sight.total);
}

void PointTrack::miss(uint64_t frame, double time, uint64_t cameras, unsigned flags) {
  missed_.push_back({.frame = frame,
                     .time = time,
                     .point = id_,
                     .state = TrackState::predicted,
                     .at = filter_.position(),
                     .velocity = filter_.velocity(),
                     .covariance = filter_.covariance() + rigShare,
                     .cameras = cameras,
                     .flags = flags});
}

/// Rows of a gap become what both its ends say together. A place between two known ones is
/// Hermite's cubic; its covariance that of two independent predictions, of which the one from the
/// far end is as good as the one from the near end was after the same time.
void PointTrack::bridge(const SpaceRow& to) {
  const size_t count = missed_.size();
  const double span = to.time - last_.time;
  std::vector<SpaceRow> bridged = missed_;
  for (size_t i = 0; i < count; ++i) {
    SpaceRow& row = bridged[i];
    row.point = id_;
    if (!(span > 0)) continue;
    const double s = std::clamp((row.time - last_.time) / span, 0.0, 1.0);
    for (int k = 0; k < 3; ++k) {
      const Motion motion =
          between({last_.at[k], last_.velocity[k]}, {to.at[k], to.velocity[k]}, span, s);
      row.at[k] = motion.position;
      row.velocity[k] = motion.velocity;
    }
    const Eigen::Matrix3d &near = missed_[i].covariance, &far = missed_[count - 1 - i].covariance;
    row.covariance = near * (near + far).inverse() * far;
    row.covariance = (row.covariance + row.covariance.transpose()).eval() / 2;
  }
  std::move(bridged.begin(), bridged.end(), std::back_inserter(rows_));
  missed_.clear();
}

}  // namespace glint
