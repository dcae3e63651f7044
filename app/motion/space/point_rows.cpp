// The part of PointTracker that turns tracks into rows, poses and notes about cameras.
#include <algorithm>

#include <Eigen/LU>
#include <fmt/format.h>

#include "app/motion/space/point_tracker.h"
#include "app/motion/space/rig_correction.h"

namespace glint::motion {

namespace {

// Calculates the place of a track's point without one of its cameras, since a camera that stands
// wrong would pull the point along. From the place by all rays, this is a single step of
// Gauss-Newton.
class PlaceWithout {
 public:
  PlaceWithout(const SpaceRig& rig, const PointTrack& track) : at_(track.last().at) {
    for (const Sight& sight : track.rays) {
      const auto seen = rig[sight.camera].see(at_ + sight.shift);
      if (!seen) continue;
      const Eigen::Matrix<double, 3, 2> weighted =
          seen->slope.transpose() * sight.total.cwiseInverse().asDiagonal();
      rays_.push_back(
          {sight.camera, weighted * seen->slope, weighted * (sight.pixel - seen->pixel)});
      matrix_ += rays_.back().matrix;
      right_ += rays_.back().right;
    }
  }

  // Returns nothing if the rays of the other cameras are parallel.
  std::optional<Eigen::Vector3d> operator()(size_t camera) const {
    constexpr double kParallel = 1e-14;  // see estimate()
    const auto own = std::find_if(rays_.begin(), rays_.end(),
                                  [&](const Ray& ray) { return ray.camera == camera; });
    if (own == rays_.end()) return at_;
    const Eigen::Matrix3d rest = matrix_ - own->matrix;
    const double trace = rest.trace();
    if (!(rest.determinant() > kParallel * trace * trace * trace)) return std::nullopt;
    return at_ + rest.inverse() * (right_ - own->right);
  }

 private:
  struct Ray {
    size_t camera;
    Eigen::Matrix3d matrix;
    Eigen::Vector3d right;
  };
  Eigen::Vector3d at_, right_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d matrix_ = Eigen::Matrix3d::Zero();
  std::vector<Ray> rays_;
};

}  // namespace

// Compares where each camera sees points with where the other cameras say that they are.
void PointTracker::watch(const SpaceSet& set, const DotIndex& dots) {
  for (size_t c = 0; c < rig_->size(); ++c) doubts_.see(c, dots.of(c).size());
  if (stills_ || sets_ % options_.watchInterval != 0) return;
  for (size_t k = 0; k < tracks_.size(); ++k) {
    const PointTrack& track = tracks_[k];
    if (!measured_[k] || track.rays.size() < 2) continue;
    const uint64_t seen = camerasOf(track.rays);
    const PlaceWithout placeWithout(*rig_, track);
    for (size_t c = 0; c < rig_->size(); ++c) {
      const bool own = seen >> c & 1;
      if (dots.of(c).empty() || track.rays.size() < (own ? 3U : 2U)) continue;
      const auto place = placeWithout(c);
      if (!place) continue;
      const Eigen::Vector3d point =
          *place + (set.views[c].time - time_) * track.filter().velocity();
      const auto at = (*rig_)[c].see(point);
      if (!at || !(*rig_)[c].holds(at->pixel, options_.watchMargin)) continue;
      moveDetector_.add(c, frame_, dots, point, at->pixel);
      if (track.id() != 0) doubts_.expect(c, own);
    }
  }
  for (const CameraMove& move : moveDetector_.moves(*rig_))
    if (!rig_->corrects() || !correct(move)) notes_.push_back(move.words() + "; calibrate again");
  for (std::string& doubt : doubts_.fresh(*rig_, moveDetector_, floor_))
    notes_.push_back(std::move(doubt));
}

// Corrects the pose of a camera from the next set on. Returns false if its pose is not clear.
bool PointTracker::correct(const CameraMove& move) {
  auto found = correctionOf(*rig_, move);
  if (!found) return false;
  rig_ = std::make_shared<const SpaceRig>(std::move(found->rig), true);
  geometry_ = PairGeometry(*rig_);
  for (PointTrack& track : tracks_) track.rigCameras = 0;  // the covariance of the old rig
  // A camera that stood wrong from the first frame on pulled the points of all others along, so all
  // are watched again from the beginning.
  for (size_t c = 0; c < rig_->size(); ++c) {
    if (c != move.camera && !move.atFirst) continue;
    moveDetector_.beginAnew(c);
    doubts_.beginAnew(c);
  }
  corrections_.push_back(
      fmt::format("camera {} from frame {} on: turned by {:.3f} degrees, shifted by {:.1f} mm",
                  move.camera, frame_ + 1, found->degrees, found->shift));
  // A camera that was moved has left its place; one that was not should be near to it.
  notes_.push_back(fmt::format("{}; corrected from frame {} on, by {:.3f} degrees and {:.1f} mm{}",
                               move.words(), frame_ + 1, found->degrees, found->shift,
                               move.atFirst && found->beyond
                                   ? ", more than the rig's covariance allows; calibrate again"
                                   : ""));
  return true;
}

// Predicts the bodies for a set without any dot. This changes no state, so final rows do not depend
// on it.
void PointTracker::foretellBodies(uint64_t frame) {
  if (!bodies_ || sets_ == 0) return;
  const double step = static_cast<double>(frame - frame_) * clock_.interval();
  poses_ = bodies_->foretell({frame, time_ + step, step, *rig_, floor_});
}

// Adds the predicted poses of the sets without a dot since `frame`, at `time`, which was the last
// one with any.
void PointTracker::fillPoses(uint64_t frame, double time) {
  for (uint64_t between = frame + 1; between < frame_; ++between) {
    const double step =
        step_ * static_cast<double>(between - frame) / static_cast<double>(frame_ - frame);
    auto rows = bodies_->foretell({between, time + step, step, *rig_, floor_});
    if (rows.empty()) return;
    std::move(rows.begin(), rows.end(), std::back_inserter(finalPoses_));
  }
}

// Follows the bodies among the points, and labels the rows of their markers.
void PointTracker::followBodies() {
  if (!bodies_) return;
  std::vector<BodyPoint> points;
  for (const PointTrack& track : tracks_)
    points.push_back(
        {.id = track.id(),
         .measured = track.isMeasured(),
         .at = track.isMeasured() ? track.last().at : track.filter().position(),
         .covariance = track.isMeasured() ? track.byImages : track.filter().covariance(),
         .sights = &track.rays});
  poses_ = bodies_->update({frame_, time_, step_, *rig_, floor_}, points);
  finalPoses_.insert(finalPoses_.end(), poses_.begin(), poses_.end());
  for (size_t k = 0; k < tracks_.size(); ++k) {
    if (points[k].body < 0) continue;
    const Body& body = bodies_->bodies()[static_cast<size_t>(points[k].body)];
    tracks_[k].label(body.name, body.markers[static_cast<size_t>(points[k].marker)].label);
  }
}

std::vector<SpaceRow> PointTracker::now() const {
  std::vector<SpaceRow> all;
  for (const PointTrack& track : tracks_)
    if (track.id() != 0) all.push_back(track.newest());
  std::sort(all.begin(), all.end(),
            [](const SpaceRow& a, const SpaceRow& b) { return a.point < b.point; });
  return all;
}

std::vector<SpaceRow> PointTracker::takeFinalised() {
  std::vector<SpaceRow> all;
  while (!rows_.empty() && rows_.begin()->first < open_) {
    auto rows = std::move(rows_.begin()->second);
    rows_.erase(rows_.begin());
    std::sort(rows.begin(), rows.end(),
              [](const SpaceRow& a, const SpaceRow& b) { return a.point < b.point; });
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

SpaceFrame PointTracker::takeFrame() {
  SpaceFrame frame;
  frame.frame = std::exchange(fresh_, std::nullopt);
  frame.time = frame.frame || poses_.empty() ? time_ : poses_.front().time;
  frame.rig = rig_;
  frame.corrections = corrections_;
  frame.now = now();
  frame.finalised = takeFinalised();
  frame.refused = takeRefused();
  frame.poses = std::exchange(poses_, {});
  frame.finalPoses = std::exchange(finalPoses_, {});
  frame.notes = std::exchange(notes_, {});
  if (bodies_)
    for (std::string& note : bodies_->takeNotes()) frame.notes.push_back(std::move(note));
  return frame;
}

std::vector<RefusedRow> PointTracker::takeRefused() {
  return std::exchange(refused_, {});
}

}  // namespace glint::motion
