#include "app/motion/space/rig_check.h"

#include <algorithm>
#include <optional>

#include <Eigen/LU>
#include <fmt/format.h>

#include "app/motion/space/rig_correction.h"

namespace glint::motion {
namespace {

// Calculates the position of a track's point without the ray of one camera. A camera in a wrong
// place would otherwise pull the point along. Starting from the position by all rays, a single
// Gauss-Newton step is enough.
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

  // Returns the position without the ray of `camera`, or nothing if the remaining rays are
  // parallel.
  std::optional<Eigen::Vector3d> operator()(size_t camera) const {
    // Limit below which rays count as parallel; see estimate().
    constexpr double kParallel = 1e-14;
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

RigCheck::RigCheck(std::shared_ptr<const SpaceRig> rig, const RigCheckOptions& options)
    : rig_(std::move(rig)),
      options_(options),
      moves_(rig_->size(), options.moves),
      doubts_(rig_->size(), options.doubts),
      misses_(options.misses) {}

void RigCheck::count(const DotIndex& dots) {
  for (size_t c = 0; c < rig_->size(); ++c) doubts_.see(c, dots.of(c).size());
  misses_.see(*rig_, dots);
}

std::vector<std::string> RigCheck::doubts(const NoiseFloor& floor) const {
  std::vector<std::string> all = doubts_.sentences(*rig_, moves_, floor);
  if (std::string text = misses_.sentence(); !text.empty()) all.push_back(std::move(text));
  return all;
}

bool RigCheck::compare(const SpaceSet& set, const DotIndex& dots,
                       std::span<const PointTrack> tracks, const SetClock& clock,
                       const NoiseFloor& floor) {
  for (const PointTrack& track : tracks) {
    if (track.lastMeasured() != clock.frame() || track.rays.size() < 2) continue;
    const uint64_t seen = camerasOf(track.rays);
    const PlaceWithout placeWithout(*rig_, track);
    for (size_t c = 0; c < rig_->size(); ++c) {
      const bool own = seen >> c & 1;
      if (dots.of(c).empty() || track.rays.size() < (own ? 3U : 2U)) continue;
      const auto place = placeWithout(c);
      if (!place) continue;
      const Eigen::Vector3d point =
          *place + (set.views[c].time - clock.time()) * track.filter().velocity();
      const auto at = (*rig_)[c].see(point);
      if (!at || !(*rig_)[c].holds(at->pixel, options_.margin)) continue;
      moves_.add(c, clock.frame(), dots, point, at->pixel);
      if (track.id() != 0) doubts_.expect(c, own);
    }
  }
  bool corrected = false;
  for (const CameraMove& move : moves_.moves(*rig_)) {
    if (rig_->corrects() && correct(move, clock.frame()))
      corrected = true;
    else
      notes_.push_back(move.words() + "; calibrate again");
  }
  for (std::string& doubt : doubts_.fresh(*rig_, moves_, floor)) notes_.push_back(std::move(doubt));
  return corrected;
}

// Corrects the pose of a camera for the sets after `frame`. Returns false if the new pose cannot be
// determined.
bool RigCheck::correct(const CameraMove& move, uint64_t frame) {
  auto found = correctionOf(*rig_, move, options_.correction);
  if (!found) return false;
  rig_ = std::make_shared<const SpaceRig>(std::move(found->rig), true);
  // A camera that stood in a wrong place from the first frame on pulled the points of all other
  // cameras along, so all of them are observed again from the beginning.
  for (size_t c = 0; c < rig_->size(); ++c) {
    if (c != move.camera && !move.atFirst) continue;
    moves_.restart(c);
    doubts_.restart(c);
  }
  corrections_.push_back(
      fmt::format("camera {} from frame {} on: turned by {:.3f} degrees, shifted by {:.1f} mm",
                  move.camera, frame + 1, found->degrees, found->shift));
  // A camera that was moved may be anywhere. One that was not moved should be near its place in the
  // rig, so a large correction is mentioned.
  notes_.push_back(fmt::format("{}; corrected from frame {} on, by {:.3f} degrees and {:.1f} mm{}",
                               move.words(), frame + 1, found->degrees, found->shift,
                               move.atFirst && found->beyond
                                   ? ", more than the rig's covariance allows; calibrate again"
                                   : ""));
  return true;
}

}  // namespace glint::motion
