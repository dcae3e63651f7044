#include "app/motion/space/point_track.h"

#include <algorithm>

#include <Eigen/LU>

#include "app/motion/track/kalman.h"

namespace glint::motion {

PointTrack::PointTrack(const TakenRays& first, uint64_t frame, double time, double speed,
                       double jerk, const PointMotionOptions& options)
    : filter_(first.estimate.at, first.stated.images, speed, options.acceleration),
      jerk_(jerk, options.jerk),
      knownSets_(options.knownSets) {
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

void PointTrack::label(const std::string& body, const std::string& marker) {
  const auto put = [&](SpaceRow& row) {
    row.body = body;
    row.label = marker;
  };
  if (!missed_.empty()) return put(missed_.back());
  put(last_);
  if (!rows_.empty()) put(rows_.back());
}

uint64_t PointTrack::firstOpen(uint64_t otherwise) const {
  if (id_ == 0 && !rows_.empty()) return rows_.front().frame;
  return missed_.empty() ? otherwise : missed_.front().frame;
}

double PointTrack::jerk() const {
  return jerk_.value();
}

void PointTrack::predict(double dt) {
  filter_.predict(dt, jerk());
  rays.clear();
}

void PointTrack::release(double speed, double span) {
  if (measured_ == 1)
    filter_.loosen(span, speed);
  else
    filter_.strike(span, speed);
  released_ = true;
}

void PointTrack::measure(const TakenRays& taken, uint64_t frame, double time) {
  if (!std::exchange(released_, false) && established())
    jerk_.learn(taken.estimate.at - filter_.position(), filter_.covariance(), taken.stated.images);
  rays = taken.sights;
  byImages = taken.stated.images;
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
  rays = {sight};
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

// Makes the rows of a gap final, now that both of its ends are known. Positions in the gap lie on a
// cubic Hermite curve. Their covariance is that of two independent predictions, one from each end.
// The prediction back from the far end is assumed to be as good as the one from the near end over
// the same time.
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

}  // namespace glint::motion
