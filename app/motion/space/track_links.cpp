#include "app/motion/space/track_links.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace glint::motion {
namespace {

// Maximum difference between the coordinates of the same dot, px. They may differ because they were
// written and read as text. Raising it takes more dots for the same.
constexpr double kSameDot = 1e-3;

// The measured rows, sorted by x.
class MeasuredRows {
 public:
  explicit MeasuredRows(std::span<const TrackRow> rows) {
    for (const TrackRow& row : rows)
      if (row.state == TrackState::measured) rows_.push_back(&row);
    std::sort(rows_.begin(), rows_.end(),
              [](const TrackRow* a, const TrackRow* b) { return a->x < b->x; });
  }

  // Returns the track that has a dot at this pixel, or 0.
  TrackId at(const Eigen::Vector2d& pixel) const {
    auto row = std::lower_bound(rows_.begin(), rows_.end(), pixel.x() - kSameDot,
                                [](const TrackRow* one, double x) { return one->x < x; });
    for (; row != rows_.end() && (*row)->x <= pixel.x() + kSameDot; ++row)
      if (std::abs((*row)->y - pixel.y()) <= kSameDot) return (*row)->track;
    return {};
  }

 private:
  std::vector<const TrackRow*> rows_;
};

}  // namespace

void TrackLinks::learn(const PointTracker& points, size_t camera, std::span<const TrackRow> rows) {
  const MeasuredRows measured(rows);
  std::map<uint64_t, Link> links;
  std::set<TrackId> seen;
  for (const PointTrack& point : points.tracks()) {
    if (point.id() == 0) continue;
    if (const auto before = cameras_[camera].find(point.id()); before != cameras_[camera].end())
      links[point.id()] = {before->second.track, true};
    for (const Sight& sight : point.rays) {
      if (sight.camera != camera) continue;
      const TrackId track = measured.at(sight.pixel);
      if (track == TrackId()) continue;
      links[point.id()] = {track, false};
      seen.insert(track);
    }
  }
  std::erase_if(links, [&](const auto& one) {
    // The track belongs to another point now.
    return one.second.lost && seen.contains(one.second.track);
  });
  cameras_[camera] = std::move(links);
}

std::vector<PredictedPlace> TrackLinks::predict(const PointTracker& points, size_t camera,
                                                double time) const {
  std::vector<PredictedPlace> all;
  const SpaceCamera& own = points.rig()[camera];
  const double step = time - points.clock().time();
  for (const PointTrack& point : points.tracks()) {
    const auto link = cameras_[camera].find(point.id());
    if (link == cameras_[camera].end() || !link->second.lost || !(step >= 0)) continue;
    PointFilter filter = point.filter();
    filter.predict(step, point.jerk());
    const auto at = own.see(filter.position());
    if (!at || !own.holds(at->pixel, 0)) continue;
    const Eigen::Vector2d variance =
        (at->slope * filter.covariance() * at->slope.transpose()).diagonal() +
        own.rigVariance(at->pixel) +
        Eigen::Vector2d::Constant(points.floor().variance(camera) +
                                  options_.halfHidden * options_.halfHidden);
    if (!(variance.maxCoeff() < options_.maxSigma * options_.maxSigma)) continue;
    const Eigen::Vector2d speed = at->slope * filter.velocity();
    const Eigen::Vector2d ofSpeed =
        (at->slope * filter.velocityCovariance() * at->slope.transpose()).diagonal();
    all.push_back({link->second.track, at->pixel.x(), at->pixel.y(), variance.x(), variance.y(),
                   speed.x(), speed.y(), ofSpeed.x(), ofSpeed.y()});
  }
  return all;
}

}  // namespace glint::motion
