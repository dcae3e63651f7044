#include "tests/space/simulation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/motion/geometry/rotation.h"
#include "app/motion/geometry/triangulate.h"
#include "app/motion/space/space_set.h"
#include "tests/geometry/rigs.h"

namespace glint::test {
namespace {

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Eigen::Vector3d inBox(std::mt19937& random, double x, double y, double z) {
  const double a = uniform(random, -x, x), b = uniform(random, -y, y), c = uniform(random, -z, z);
  return {a, b, c};
}

/// Returns the distance (px) between a dot and the image of a ray, which is sampled at many depths.
double fromLine(const motion::RigCamera& camera, const motion::Ray& ray,
                const Eigen::Vector2d& dot) {
  double best = 1e9;
  Eigen::Vector2d last(0, 0);
  bool any = false;
  for (double depth = 300; depth < 9000; depth *= 1.03) {
    const auto seen = motion::project(camera.lens, camera.pose, ray.origin + depth * ray.direction);
    if (seen.depth <= 0) {
      any = false;
      continue;
    }
    if (any) {
      const Eigen::Vector2d along = seen.pixel - last;
      const double s = std::clamp((dot - last).dot(along) / along.squaredNorm(), 0.0, 1.0);
      best = std::min(best, (dot - last - s * along).norm());
    }
    last = seen.pixel;
    any = true;
  }
  return best;
}

}  // namespace

motion::SpaceSet viewOf(const motion::Rig& rig, const Places& markers, const Viewing& viewing,
                        std::mt19937& random, std::vector<int>* counts) {
  motion::SpaceSet set{viewing.frame, {}};
  const double stated = std::sqrt(
      std::max(0.0, viewing.sigma * viewing.sigma - motion::kSharedNoise * motion::kSharedNoise));
  if (counts) counts->assign(markers.size(), 0);
  for (const motion::RigCamera& camera : rig.cameras) {
    motion::SpaceView& view = set.views.emplace_back();
    view.time = viewing.time;
    for (size_t m = 0; m < markers.size(); ++m) {
      const motion::Projection seen = motion::project(camera.lens, camera.pose, markers[m]);
      const Eigen::Vector3d noise = normalVector(random, viewing.sigma);
      const bool hidden = uniform(random, 0, 1) < viewing.unseen;
      if (hidden || seen.depth <= 0 || seen.pixel.x() < 0 || seen.pixel.y() < 0 ||
          seen.pixel.x() > camera.width - 1 || seen.pixel.y() > camera.height - 1)
        continue;
      view.dots.push_back({seen.pixel + noise.head<2>(), {stated, stated}});
      if (counts) ++(*counts)[m];
    }
    std::shuffle(view.dots.begin(), view.dots.end(), random);
  }
  return set;
}

Places anywhere(size_t count, std::mt19937& random) {
  Places places;
  while (places.size() < count) places.push_back(inBox(random, 1500, 1500, 1000));
  return places;
}

Swarm::Swarm(size_t count, std::mt19937& random) {
  for (size_t i = 0; i < count; ++i)
    swings_.push_back({inBox(random, 1000, 1000, 700), inBox(random, 400, 400, 250),
                       inBox(random, 5, 5, 5), inBox(random, 3.14, 3.14, 3.14)});
}

Places Swarm::at(double time) const {
  Places places;
  for (const Swing& s : swings_) {
    const Eigen::Array3d angle = s.rate.array() * time + s.phase.array();
    places.push_back(s.middle + (s.reach.array() * angle.sin()).matrix());
  }
  return places;
}

motion::Body fourMarkers(std::string name) {
  return {std::move(name),
          {{"a", {0, 0, 0}}, {"b", {100, 0, 0}}, {"c", {20, 80, 0}}, {"d", {40, 30, 60}}},
          0};
}

BodyPose anyPose(std::mt19937& random) {
  const Eigen::Vector3d place = inBox(random, 1500, 1500, 1000);
  return {motion::rotationOf(uniform(random, 0, 3.14) * normalVector(random).normalized()), place};
}

Places placesOf(const motion::Body& body, const BodyPose& pose) {
  Places places;
  for (const motion::Body::Marker& marker : body.markers) places.push_back(pose * marker.at);
  return places;
}

motion::Rig disturbed(motion::Rig rig, double degrees, double mm, std::mt19937& random) {
  for (motion::RigCamera& camera : rig.cameras) {
    const Eigen::Vector3d axis = normalVector(random).normalized();
    const Eigen::Vector3d turn = degrees * std::numbers::pi / 180 * axis;
    const Eigen::Vector3d centre = camera.pose.centre() + mm * normalVector(random).normalized();
    const Eigen::Matrix3d rotation = motion::rotationOf(turn) * camera.pose.matrix();
    camera.pose = {motion::rodriguesOf(rotation), -(rotation * centre)};
  }
  return rig;
}

motion::NoiseFloor noFloor(size_t cameras) {
  motion::NoiseFloor floor(cameras);
  for (size_t c = 0; c < cameras; ++c)
    for (int i = 0; i < 1000; ++i) floor.add(c, 0, 0.01);
  floor.learn();
  return floor;
}

Agreement agreement(const Places& found, const Places& truth, const std::vector<bool>& wanted,
                    double radius) {
  Agreement result;
  std::vector<bool> used(found.size());
  for (size_t m = 0; m < truth.size(); ++m) {
    std::optional<size_t> best;
    for (size_t i = 0; i < found.size(); ++i) {
      if (used[i] || (found[i] - truth[m]).norm() > radius) continue;
      if (!best || (found[i] - truth[m]).norm() < (found[*best] - truth[m]).norm()) best = i;
    }
    if (best) {
      used[*best] = true;
      ++result.right;
      result.squares += (found[*best] - truth[m]).squaredNorm();
    } else if (wanted[m]) {
      ++result.missed;
    }
  }
  result.ghosts = found.size() - result.right;
  return result;
}

Places naivePoints(const motion::Rig& rig, const motion::SpaceSet& set) {
  constexpr double kReach = 5;  // px
  Places points;
  for (const motion::SpaceDot& root : set.views[0].dots) {
    const auto ray = motion::rayOf(rig.cameras[0], root.at);
    if (!ray) continue;
    std::vector<std::vector<motion::Sighting>> groups{{{0, root.at, {1, 1}}}};
    for (size_t c = 1; c < rig.cameras.size(); ++c) {
      std::vector<std::vector<motion::Sighting>> more;
      for (const motion::SpaceDot& dot : set.views[c].dots) {
        if (fromLine(rig.cameras[c], *ray, dot.at) > kReach) continue;
        for (auto group : groups) {
          group.push_back({c, dot.at, {1, 1}});
          more.push_back(std::move(group));
        }
      }
      if (!more.empty()) groups = std::move(more);
    }
    std::optional<motion::SpacePoint> best;
    double least = 1e18;
    for (const auto& group : groups) {
      const auto point = motion::triangulate(rig, group);
      if (!point) continue;
      const double error = point->chi2 / static_cast<double>(group.size());
      if (error < least) best = point, least = error;
    }
    if (best) points.push_back(best->at);
  }
  return points;
}

}  // namespace glint::test
