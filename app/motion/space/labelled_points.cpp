#include "app/motion/space/labelled_points.h"

#include <algorithm>
#include <limits>

#include "app/motion/geometry/triangulate.h"
#include "app/motion/space/estimate.h"

namespace glint::motion {
namespace {

std::optional<Estimate> pointOf(const SpaceRig& rig, const std::vector<Sight>& sights) {
  std::vector<Sighting> sightings;
  for (const Sight& sight : sights)
    sightings.push_back({sight.camera, sight.pixel, sight.total.cwiseSqrt()});
  const auto start = triangulate(rig.rig(), sightings);
  return start ? estimate(rig, sights, start->at) : std::nullopt;
}

/// Returns the index of the sight without which the others fit best.
size_t worstOf(const SpaceRig& rig, const std::vector<Sight>& sights) {
  size_t worst = 0;
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < sights.size(); ++i) {
    std::vector<Sight> others = sights;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto found = pointOf(rig, others);
    if (!found || found->chi2 >= least) continue;
    least = found->chi2;
    worst = i;
  }
  return worst;
}

/// Returns true if no dot is more than `most` standard deviations off the point's image. Two rays
/// leave one degree of freedom, which `chi2` shows.
bool meet(const SpaceRig& rig, const std::vector<Sight>& sights, const Estimate& point,
          double most) {
  if (sights.size() == 2) return point.chi2 <= most * most;
  return std::ranges::all_of(
      sights, [&](const Sight& sight) { return chi2Of(rig, sight, point.at) <= most * most; });
}

}  // namespace

LabelledPoints::LabelledPoints(std::shared_ptr<const SpaceRig> rig, std::vector<std::string> labels,
                               bool sigmasKnown, const LabelledOptions& options)
    : rig_(std::move(rig)),
      labels_(std::move(labels)),
      sigmasKnown_(sigmasKnown),
      options_(options),
      found_(labels_.size()) {}

uint64_t LabelledPoints::points() const {
  return static_cast<uint64_t>(std::ranges::count(found_, true));
}

SpaceFrame LabelledPoints::update(const SpaceSet& set) {
  constexpr double kApartTimes = 1e-4;  // s: see kTimesApart
  SpaceFrame frame;
  frame.frame = set.frame;
  frame.rig = rig_;
  std::vector<std::vector<Sight>> seen(labels_.size());
  for (size_t camera = 0; camera < set.views.size(); ++camera)
    for (const SpaceDot& dot : set.views[camera].dots) {
      if (dot.label < 0) continue;
      const Eigen::Vector2d sigma =
          sigmasKnown_ ? dot.sigma : Eigen::Vector2d::Constant(options_.sigma);
      Sight sight{.camera = camera, .pixel = dot.at, .variance = sigma.cwiseAbs2(), .total = {}};
      sight.total = sight.variance + (*rig_)[camera].rigVariance(dot.at);
      seen[static_cast<size_t>(dot.label)].push_back(sight);
    }
  if (!set.empty()) frame.time = set.time();
  const NoiseFloor none(rig_->size(), {.start = 0});
  for (size_t i = 0; i < seen.size(); ++i) {
    std::vector<Sight>& sights = seen[i];
    if (sights.empty()) continue;
    if (sights.size() == 1) {
      ++alone_;
      continue;
    }
    auto point = pointOf(*rig_, sights);
    while (sights.size() > 2 && !(point && meet(*rig_, sights, *point, options_.most))) {
      sights.erase(sights.begin() + static_cast<std::ptrdiff_t>(worstOf(*rig_, sights)));
      ++leftOut_;
      point = pointOf(*rig_, sights);
    }
    if (!point || !meet(*rig_, sights, *point, options_.most)) {
      ++apart_;
      continue;
    }
    found_[i] = true;
    const StatedCovariance stated = statedCovariance(*rig_, none, sights, *point);
    SpaceRow row;
    row.frame = set.frame;
    row.time = frame.time;
    row.point = i + 1;
    row.at = point->at;
    row.velocity.setConstant(std::numeric_limits<double>::quiet_NaN());
    row.covariance = stated.images + stated.rig;
    row.cameras = camerasOf(sights);
    row.residual = point->residual;
    row.flags = (set.spread() > kApartTimes ? kTimesApart : 0U) |
                (rig_->hasCovariance() ? 0U : static_cast<unsigned>(kRigUnknown));
    row.label = labels_[i];
    frame.now.push_back(row);
  }
  frame.finalised = frame.now;
  return frame;
}

}  // namespace glint::motion
