#include "app/motion/space/body_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>

#include <Eigen/Geometry>

#include "app/motion/geometry/align.h"

namespace glint::motion {
namespace {

/// A triangle of markers.
struct Triple {
  // The longest side is between the first two.
  std::array<size_t, 3> markers;
  double area;  // mm^2
  bool flat;
};

// Returns triangles of markers, those that determine the attitude best first. Flat ones are left
// out unless there are no others.
std::vector<Triple> triplesOf(const Body& body, const BodySearchOptions& options) {
  std::vector<Triple> all;
  const auto at = [&](size_t i) { return body.markers[i].at; };
  for (size_t a = 0; a < body.markers.size(); ++a)
    for (size_t b = a + 1; b < body.markers.size(); ++b)
      for (size_t c = b + 1; c < body.markers.size(); ++c) {
        std::array<size_t, 3> order{a, b, c};
        const double ab = (at(a) - at(b)).norm(), ac = (at(a) - at(c)).norm(),
                     bc = (at(b) - at(c)).norm();
        if (ac >= ab && ac >= bc) order = {a, c, b};
        if (bc > ab && bc > ac) order = {b, c, a};
        const double longest = std::max({ab, ac, bc});
        const double area = (at(b) - at(a)).cross(at(c) - at(a)).norm() / 2;
        all.push_back({order, area, !(2 * area > options.minFlatness * longest * longest)});
      }
  const auto isFlat = [](const Triple& triple) { return triple.flat; };
  if (!std::all_of(all.begin(), all.end(), isFlat)) std::erase_if(all, isFlat);
  std::stable_sort(all.begin(), all.end(),
                   [](const Triple& x, const Triple& y) { return x.area > y.area; });
  if (all.size() > options.maxTriples) all.resize(options.maxTriples);
  return all;
}

// Searches for one body; see findBody().
class Finder {
 public:
  Finder(const Body& body, const SearchCloud& cloud, double slack, const BodySearchOptions& options)
      : body_(body), cloud_(cloud), slack_(slack), options_(options) {}

  std::vector<BodyGuess> find() {
    for (const Triple& triple : triplesOf(body_, options_))
      for (size_t i = 0; i < cloud_.size(); ++i) begin(triple, static_cast<int>(i));
    std::vector<BodyGuess> all;
    for (auto& [points, guess] : guesses_) all.push_back(std::move(guess));
    std::stable_sort(all.begin(), all.end(), [](const BodyGuess& a, const BodyGuess& b) {
      return a.found != b.found ? a.found > b.found : a.misfit < b.misfit;
    });
    return all;
  }

 private:
  double side(size_t a, size_t b) const {
    return (body_.markers[a].at - body_.markers[b].at).norm();
  }
  double tolerance(double sigma) const {
    return options_.gate * std::sqrt(sigma * sigma + 2 * body_.sigma * body_.sigma) + slack_;
  }
  bool fits(const SearchCloud::Neighbour& pair, double length) const {
    return std::abs(pair.distance - length) < tolerance(pair.sigma);
  }

  // Tries all ways in which the first marker of a triangle is point `first`.
  void begin(const Triple& triple, int first) {
    const auto [a, b, c] = triple.markers;
    const double ab = side(a, b), ac = side(a, c), bc = side(b, c);
    const auto& near = cloud_.near(static_cast<size_t>(first));
    for (const auto& second : near) {
      if (!fits(second, ab)) continue;
      for (const auto& third : near) {
        if (third.point == second.point || !fits(third, ac)) continue;
        const auto& others = cloud_.near(static_cast<size_t>(second.point));
        const auto last = std::find_if(others.begin(), others.end(),
                                       [&](const auto& n) { return n.point == third.point; });
        if (last == others.end() || !fits(*last, bc)) continue;
        std::vector<int> points(body_.markers.size(), -1);
        points[a] = first;
        points[b] = second.point;
        points[c] = third.point;
        complete(std::move(points), triple);
      }
    }
  }

  // Aligns the body with the points of its markers. Returns nothing if they do not determine a
  // pose.
  std::optional<Alignment> lay(const std::vector<int>& points) const {
    std::vector<Eigen::Vector3d> from, to;
    std::vector<double> sigmas;
    for (size_t m = 0; m < points.size(); ++m) {
      if (points[m] < 0) continue;
      from.push_back(body_.markers[m].at);
      to.push_back(cloud_[static_cast<size_t>(points[m])].at);
      sigmas.push_back(sigmaOf(points[m]));
    }
    return alignRigid(from, to, sigmas);
  }

  // Returns the standard deviation of a marker's position along each axis if the marker is this
  // point, mm.
  double sigmaOf(int point) const {
    return std::sqrt(cloud_[static_cast<size_t>(point)].covariance.trace() / 3 +
                     body_.sigma * body_.sigma + 1e-6);
  }

  // Searches for the points of the other markers, and keeps the guess if it fits.
  void complete(std::vector<int> points, const Triple& triple) {
    auto laid = lay(points);
    if (!laid) return;
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const size_t m : triple.markers) middle += body_.markers[m].at / 3;
    const double size = std::sqrt(triple.area);
    const Eigen::Matrix3d rotation = laid->motion.matrix();
    for (size_t m = 0; m < points.size(); ++m) {
      if (points[m] >= 0) continue;
      const Eigen::Vector3d at = rotation * body_.markers[m].at + laid->motion.translation;
      // The farther a marker is from the triangle, the less certain is its expected place.
      const double lever = 1 + (body_.markers[m].at - middle).norm() / size;
      double best = 1;
      for (const auto& one : cloud_.near(static_cast<size_t>(points[triple.markers[0]]))) {
        if (std::find(points.begin(), points.end(), one.point) != points.end()) continue;
        const double reach = options_.gate * lever * sigmaOf(one.point) + slack_;
        const double off = (cloud_[static_cast<size_t>(one.point)].at - at).norm() / reach;
        if (off < best) best = off, points[m] = one.point;
      }
    }
    keep(std::move(points));
  }

  // Drops markers that do not fit, the worst first, and keeps the rest as a guess.
  void keep(std::vector<int> points) {
    while (true) {
      if (guesses_.contains(points)) return;
      const auto laid = lay(points);
      if (!laid) return;
      const Eigen::Matrix3d rotation = laid->motion.matrix();
      size_t worst = 0, found = 0;
      double most = 0;
      for (size_t m = 0; m < points.size(); ++m) {
        if (points[m] < 0) continue;
        ++found;
        const Eigen::Vector3d at = rotation * body_.markers[m].at + laid->motion.translation;
        const double off = (cloud_[static_cast<size_t>(points[m])].at - at).norm() /
                           (options_.gate * sigmaOf(points[m]) + slack_);
        if (off > most) most = off, worst = m;
      }
      if (most > 1) {
        if (found == 3) return;
        points[worst] = -1;
        continue;
      }
      BodyGuess guess{points, found, laid->motion, laid->rms, 0};
      guess.chance = chanceOf(guess);
      guesses_.emplace(std::move(points), std::move(guess));
      return;
    }
  }

  // Returns BodyGuess::chance. It multiplies the number of choices of markers by the expected
  // numbers of points that fit: the first marker may be any point, the second must lie in a shell
  // around it, the third in a ring around both, and each further one in a cube.
  double chanceOf(const BodyGuess& guess) const {
    std::vector<size_t> markers;
    double sigma = 0;
    for (size_t m = 0; m < guess.points.size(); ++m) {
      if (guess.points[m] < 0) continue;
      markers.push_back(m);
      sigma += sigmaOf(guess.points[m]) / static_cast<double>(guess.found);
    }
    const double width = 2 * (options_.gate * std::numbers::sqrt2 * sigma + slack_);
    const double extent = body_.extent();
    const Eigen::Vector3d at = guess.motion.apply(body_.centre());
    const double density = cloud_.density(at, 2 * extent, guess.found);
    double ways = 1;
    for (size_t i = 0; i < guess.found; ++i)
      ways *= static_cast<double>(guess.points.size() - i) / static_cast<double>(i + 1);
    const double far = side(markers[0], markers[1]);
    const double shell = density * 4 * std::numbers::pi * far * far * width;
    const double ring = density * 2 * std::numbers::pi * extent * width * width;
    return ways * static_cast<double>(cloud_.size()) * shell * ring *
           std::pow(density * width * width * width, static_cast<double>(guess.found) - 3);
  }

  const Body& body_;
  const SearchCloud& cloud_;
  double slack_;  // mm
  const BodySearchOptions& options_;
  // Guesses by the points of the markers.
  std::map<std::vector<int>, BodyGuess> guesses_;
};

}  // namespace

SearchCloud::SearchCloud(std::vector<SearchPoint> points, double reach,
                         const BodySearchOptions& options)
    : points_(std::move(points)), near_(points_.size()) {
  std::vector<size_t> order(points_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return points_[a].at.x() < points_[b].at.x(); });
  double widest = 0;
  for (const SearchPoint& point : points_) widest = std::max(widest, point.covariance.trace());
  const double farthest = reach + options.gate * std::sqrt(2 * widest) + kAlike;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      const SearchPoint &a = points_[order[i]], &b = points_[order[j]];
      const Eigen::Vector3d off = b.at - a.at;
      if (off.x() > farthest) break;
      const double distance = off.norm();
      if (!(distance > 0) || distance > farthest) continue;
      const Eigen::Vector3d along = off / distance;
      const double sigma = std::sqrt(along.dot((a.covariance + b.covariance) * along));
      near_[order[i]].push_back({static_cast<int>(order[j]), distance, sigma});
      near_[order[j]].push_back({static_cast<int>(order[i]), distance, sigma});
    }
  if (points_.empty()) return;
  Eigen::Vector3d least = points_[0].at, most = least;
  for (const SearchPoint& point : points_) {
    least = least.cwiseMin(point.at);
    most = most.cwiseMax(point.at);
  }
  overall_ = static_cast<double>(points_.size()) / (most - least).cwiseMax(options.minSide).prod();
}

double SearchCloud::density(const Eigen::Vector3d& at, double radius, size_t without) const {
  size_t count = 0;
  for (const SearchPoint& point : points_) count += (point.at - at).squaredNorm() < radius * radius;
  const double others = static_cast<double>(std::max(count, without) - without);
  return std::max(overall_, others / (4 * std::numbers::pi / 3 * radius * radius * radius));
}

std::vector<BodyGuess> findBody(const Body& body, const SearchCloud& cloud, double slack,
                                const BodySearchOptions& options) {
  return Finder(body, cloud, slack, options).find();
}

}  // namespace glint::motion
