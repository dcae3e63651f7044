#include "app/motion/space/point_stitcher.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/motion/geometry/align.h"

namespace glint::motion {
namespace {

// The neighbours of an ended point that are visible now: position and velocity then, and position
// now.
struct CommonPlaces {
  std::vector<Eigen::Vector3d> then, velocity, now;
  // Standard deviations, mm. They are larger for points farther from the ended one, so that near
  // ones count most.
  std::vector<double> sigmas;
};

// Returns the nearest neighbours that are visible now. `others` are sorted by distance, and `now`
// by id.
CommonPlaces commonOf(const PointPlace& last, std::span<const PointPlace> others,
                      std::span<const PointPlace> now, const PointStitcherOptions& options) {
  CommonPlaces both;
  for (const PointPlace& other : others) {
    const auto found =
        std::lower_bound(now.begin(), now.end(), other.id,
                         [](const PointPlace& place, uint64_t id) { return place.id < id; });
    if (found == now.end() || found->id != other.id) continue;
    both.then.push_back(other.at);
    both.velocity.push_back(other.velocity);
    both.now.push_back(found->at);
    both.sigmas.push_back(options.minSigma + (other.at - last.at).norm());
    if (both.then.size() == options.fitted) break;
  }
  return both;
}

template <class T>
std::vector<T> without(std::vector<T> values, size_t index) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
  return values;
}

// Returns the rms error along each axis (mm), weighted by nearness. `squares` are squared
// distances.
double scatter(const std::vector<double>& squares, const std::vector<double>& sigmas) {
  double sum = 0, weights = 0;
  for (size_t i = 0; i < squares.size(); ++i) {
    const double weight = 1 / (sigmas[i] * sigmas[i]);
    sum += weight * squares[i];
    weights += weight;
  }
  return std::sqrt(sum / (3 * weights));
}

// Returns the density of a three-dimensional Student's t distribution, mm^-3.
double studentDensity(double distance2, double sigma, double freedom) {
  const double scale = std::pow(sigma, 3) * std::pow(freedom * std::numbers::pi, 1.5);
  return std::tgamma((freedom + 3) / 2) / std::tgamma(freedom / 2) / scale *
         std::pow(1 + distance2 / (sigma * sigma) / freedom, -(freedom + 3) / 2);
}

}  // namespace

// Returns the density of markers around a place, per mm^3.
double PointStitcher::densityAround(const Eigen::Vector3d& at,
                                    std::span<const PointPlace> others) const {
  std::vector<double> distances;
  for (const PointPlace& other : others) distances.push_back((other.at - at).norm());
  const size_t count = std::min(options_.densityNeighbours, distances.size());
  if (count == 0) return options_.minDensity;
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(distances.begin(), last, distances.end());
  const double radius = std::max(*last, options_.minRadius);
  return std::max(options_.minDensity, static_cast<double>(count) /
                                           (4.0 / 3 * std::numbers::pi * radius * radius * radius));
}

void PointStitcher::remember(const PointPlace& last, double clock, std::vector<PointPlace> others) {
  if (!(maxGap_ > 0)) return;
  std::erase_if(others, [&](const PointPlace& other) { return other.id == last.id; });
  std::stable_sort(others.begin(), others.end(), [&](const PointPlace& a, const PointPlace& b) {
    return (a.at - last.at).squaredNorm() < (b.at - last.at).squaredNorm();
  });
  if (others.size() > options_.neighbours) others.resize(options_.neighbours);
  ended_.push_back({last, clock, std::move(others)});
}

void PointStitcher::forget(uint64_t id) {
  std::erase_if(ended_, [&](const Ended& ended) { return ended.last.id == id; });
}

// Predicts the place of an ended point, `span` (s) after it was measured.
PointStitcher::Place PointStitcher::predict(const Ended& ended, std::span<const PointPlace> now,
                                            double span) const {
  const CommonPlaces both = commonOf(ended.last, ended.others, now, options_);
  const size_t n = both.then.size();
  const Eigen::Vector3d straight = ended.last.at + span * ended.last.velocity;
  if (n < options_.minFitted) {
    // A lone marker can be anywhere that its velocity, or a change of it, could take it.
    const double reach =
        std::max(options_.minSigma, span * (ended.last.velocity.norm() + options_.speedChange) / 2);
    return {ended.last.at + span / 2 * ended.last.velocity, reach};
  }
  std::vector<double> squares;
  for (size_t i = 0; i < n; ++i)
    squares.push_back((both.now[i] - both.then[i] - span * both.velocity[i]).squaredNorm());
  Place best{straight, std::max(options_.minSigma, scatter(squares, both.sigmas))};
  if (n < options_.minRigid) return best;
  const auto whole = alignRigid(both.then, both.now, both.sigmas);
  if (!whole) return best;
  squares.clear();
  for (size_t i = 0; i < n; ++i) {
    const auto rest =
        alignRigid(without(both.then, i), without(both.now, i), without(both.sigmas, i));
    if (!rest) return best;
    squares.push_back((rest->motion.apply(both.then[i]) - both.now[i]).squaredNorm());
  }
  const double sigma = std::max(options_.minSigma, scatter(squares, both.sigmas));
  if (sigma < best.sigma) best = {whole->motion.apply(ended.last.at), sigma};
  return best;
}

std::vector<uint64_t> PointStitcher::join(std::span<const NewPoint> found,
                                          std::vector<PointPlace> others, double clock) {
  std::vector<uint64_t> ids(found.size());
  if (found.empty()) return ids;
  std::erase_if(ended_, [&](const Ended& ended) {
    return std::all_of(found.begin(), found.end(),
                       [&](const NewPoint& point) { return point.since - ended.clock > maxGap_; });
  });
  std::sort(others.begin(), others.end(),
            [](const PointPlace& a, const PointPlace& b) { return a.id < b.id; });
  while (!ended_.empty() && joinClear(found, ids, others, clock)) {
  }
  return ids;
}

// Joins every pair that is clearly the most likely one. Returns false if there was none.
bool PointStitcher::joinClear(std::span<const NewPoint> found, std::vector<uint64_t>& ids,
                              std::vector<PointPlace>& others, double clock) {
  const size_t width = ended_.size();
  std::vector<double> likely(found.size() * width), byFound(found.size()), byEnded(width);
  for (size_t e = 0; e < width; ++e) {
    const Place place = predict(ended_[e], others, clock - ended_[e].clock);
    for (size_t f = 0; f < found.size(); ++f) {
      const double gap = found[f].since - ended_[e].clock;
      if (ids[f] != 0 || gap <= 0 || gap > maxGap_) continue;
      const double density =
          studentDensity((found[f].now.at - place.at).squaredNorm(), place.sigma, options_.freedom);
      likely[f * width + e] = density;
      byFound[f] += density;
      byEnded[e] += density;
    }
  }
  std::vector<PointPlace> joined;
  for (size_t f = 0; f < found.size(); ++f) {
    const double unseen = options_.unseenShare * densityAround(found[f].now.at, others);
    for (size_t e = 0; e < width && ids[f] == 0; ++e) {
      const double own = likely[f * width + e];
      if (own <= options_.odds * (byFound[f] - own + unseen)) continue;
      if (own <= options_.odds * (byEnded[e] - own + unseen)) continue;
      ids[f] = ended_[e].last.id;
      joined.push_back(found[f].now);
      joined.back().id = ids[f];
    }
  }
  for (const PointPlace& place : joined) {
    std::erase_if(ended_, [&](const Ended& ended) { return ended.last.id == place.id; });
    others.insert(
        std::upper_bound(others.begin(), others.end(), place,
                         [](const PointPlace& a, const PointPlace& b) { return a.id < b.id; }),
        place);
  }
  stitches_ += joined.size();
  return !joined.empty();
}

}  // namespace glint::motion
