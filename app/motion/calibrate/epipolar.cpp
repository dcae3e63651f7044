#include "app/motion/calibrate/epipolar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "app/motion/geometry/decomposition.h"

namespace glint::motion {
namespace {

using Correspondence = std::pair<Eigen::Vector2d, Eigen::Vector2d>;
using Correspondences = std::vector<Correspondence>;

/// One moment as both cameras see it.
struct Candidate {
  size_t moment;
  const View *first, *second;
  // Possible ends. Those of the second camera are listed in both orders.
  std::vector<Ends> firstEnds, secondEnds;
};

/// Returns the transform that moves the points' centre to the origin and scales their mean distance
/// from it to sqrt 2.
Eigen::Matrix3d normaliser(const Correspondences& points, bool second) {
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (const auto& p : points) mean += second ? p.second : p.first;
  mean /= static_cast<double>(points.size());
  double distance = 0;
  for (const auto& p : points) distance += ((second ? p.second : p.first) - mean).norm();
  const double scale =
      std::sqrt(2.0) * static_cast<double>(points.size()) / std::max(distance, 1e-9);
  Eigen::Matrix3d m;
  m << scale, 0, -scale * mean.x(), 0, scale, -scale * mean.y(), 0, 0, 1;
  return m;
}

/// Returns the eigenvector of the smallest eigenvalue as a 3x3 matrix, row by row.
template <int kWidth>
Eigen::Matrix3d leastVector(const Eigen::Matrix<double, kWidth, kWidth>& normal) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, kWidth, kWidth>> solver(normal);
  const Eigen::Matrix<double, kWidth, 1> v = solver.eigenvectors().col(0);
  Eigen::Matrix3d m;
  m << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
  return m;
}

/// Returns the fundamental matrix by the normalised eight-point algorithm.
Eigen::Matrix3d fundamentalOf(const Correspondences& points) {
  const Eigen::Matrix3d left = normaliser(points, false), right = normaliser(points, true);
  Eigen::Matrix<double, 9, 9> normal = Eigen::Matrix<double, 9, 9>::Zero();
  for (const auto& [a, b] : points) {
    const Eigen::Vector3d p = left * a.homogeneous(), q = right * b.homogeneous();
    Eigen::Matrix<double, 9, 1> row;
    row << q.x() * p, q.y() * p, p;
    normal += row * row.transpose();
  }
  SingularValues svd = singularValuesOf(leastVector<9>(normal));
  svd.values.z() = 0;
  const Eigen::Matrix3d f = svd.left * svd.values.asDiagonal() * svd.right.transpose();
  const Eigen::Matrix3d back = right.transpose() * f * left;
  return back / back.norm();
}

/// Returns the homography from the first camera's pixels to the second's by the normalised linear
/// method.
Eigen::Matrix3d homographyOf(const Correspondences& points) {
  const Eigen::Matrix3d left = normaliser(points, false), right = normaliser(points, true);
  Eigen::Matrix<double, 9, 9> normal = Eigen::Matrix<double, 9, 9>::Zero();
  for (const auto& [a, b] : points) {
    const Eigen::Vector3d p = left * a.homogeneous(), q = right * b.homogeneous();
    Eigen::Matrix<double, 9, 1> row;
    row << p, Eigen::Vector3d::Zero(), -q.x() * p;
    normal += row * row.transpose();
    row << Eigen::Vector3d::Zero(), p, -q.y() * p;
    normal += row * row.transpose();
  }
  return right.inverse() * leastVector<9>(normal) * left;
}

/// Returns the squared Sampson distance of two matching pixels from F, px^2.
double sampson(const Eigen::Matrix3d& f, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector3d line = f * a.homogeneous(), other = f.transpose() * b.homogeneous();
  const double error = b.homogeneous().dot(line);
  const double slope = line.head<2>().squaredNorm() + other.head<2>().squaredNorm();
  return error * error / std::max(slope, 1e-300);
}

/// The best pairing of the ends of a moment: the sum of their squared distances, each cut off at
/// `limit`, and the indices of the ends in both cameras.
struct Pairing {
  double cost = 0;
  size_t first = 0, second = 0;
};

Pairing bestPairing(const Candidate& c, const Eigen::Matrix3d& f, double limit) {
  std::array<double, kMostDots * kMostDots> distance;
  const size_t columns = c.second->dots.size();
  for (size_t a = 0; a < c.first->dots.size(); ++a)
    for (size_t b = 0; b < columns; ++b)
      distance[a * columns + b] =
          std::min(limit, sampson(f, c.first->dots[a].at, c.second->dots[b].at));
  Pairing best{1e300, 0, 0};
  for (size_t i = 0; i < c.firstEnds.size(); ++i)
    for (size_t j = 0; j < c.secondEnds.size(); ++j) {
      double cost = 0;
      for (size_t e = 0; e < c.firstEnds[i].dots.size(); ++e)
        cost += distance[c.firstEnds[i].dots[e] * columns + c.secondEnds[j].dots[e]];
      if (cost < best.cost) best = {cost, i, j};
    }
  return best;
}

void append(Correspondences& points, const Candidate& c, size_t first, size_t second) {
  for (size_t e = 0; e < c.firstEnds[first].dots.size(); ++e)
    points.emplace_back(c.first->dots[c.firstEnds[first].dots[e]].at,
                        c.second->dots[c.secondEnds[second].dots[e]].at);
}

double costOf(const std::vector<Candidate>& candidates, size_t step, const Eigen::Matrix3d& f,
              double limit) {
  double sum = 0;
  for (size_t i = 0; i < candidates.size(); i += step)
    sum += bestPairing(candidates[i], f, limit).cost;
  return sum;
}

/// Returns all points of the moments whose best pairing agrees with F.
Correspondences agreeing(const std::vector<Candidate>& candidates, const Eigen::Matrix3d& f,
                         double limit, std::vector<PairSighting>* sightings = nullptr) {
  Correspondences points;
  for (const Candidate& c : candidates) {
    const Pairing best = bestPairing(c, f, limit);
    // The sum reaches the limit if a single end is cut off, so every end must be below it.
    if (!(best.cost < limit)) continue;
    const size_t before = points.size();
    append(points, c, best.first, best.second);
    if (sightings == nullptr) continue;
    PairSighting& s = sightings->emplace_back();
    s.moment = c.moment;
    for (size_t i = before; i < points.size(); ++i) {
      s.first.push_back(points[i].first);
      s.second.push_back(points[i].second);
    }
  }
  return points;
}

/// Returns the possible ends in both cameras. There are none if one does not see the whole target.
Candidate candidateOf(const Moment& moment, size_t index, const Target& target, size_t first,
                      size_t second) {
  const auto& views = moment.views;
  Candidate c{index, &views[first], &views[second], wholeSightings(views[first], target),
              wholeSightings(views[second], target)};
  if (target.lights.size() == 2)
    for (size_t i = 0, n = c.secondEnds.size(); i < n; ++i)
      c.secondEnds.push_back({{c.secondEnds[i].dots[1], c.secondEnds[i].dots[0]}});
  return c;
}

std::vector<Candidate> candidatesOf(const LightRecording& recording, const Target& target,
                                    const std::vector<size_t>& moments, size_t first,
                                    size_t second) {
  std::vector<Candidate> all;
  for (const size_t m : moments) {
    Candidate c = candidateOf(recording.moments[m], m, target, first, second);
    if (!c.firstEnds.empty() && !c.secondEnds.empty()) all.push_back(std::move(c));
  }
  return all;
}

/// Returns the largest squared distance of a point from its epipolar line, px^2.
double limitOf(const FrameExtent& size) {
  // The distance as a share of the image's diagonal. It allows for lens distortion. Raising it
  // accepts more wrong points.
  constexpr double kTolerance = 0.006;
  const double tolerance = kTolerance * std::hypot(size.width, size.height);
  return tolerance * tolerance;
}

Eigen::Matrix3d refined(const std::vector<Candidate>& candidates, Eigen::Matrix3d f, double limit,
                        size_t least) {
  for (int round = 0; round < 5; ++round) {
    const Correspondences points = agreeing(candidates, f, limit);
    if (points.size() < least) break;
    const Eigen::Matrix3d next = fundamentalOf(points);
    if (costOf(candidates, 1, next, limit) >= costOf(candidates, 1, f, limit)) break;
    f = next;
  }
  return f;
}

bool isPlanar(const Correspondences& points, double limit) {
  Correspondences kept = points;
  Eigen::Matrix3d h = Eigen::Matrix3d::Identity();
  const auto within = [&](const Correspondence& p) {
    return ((h * p.first.homogeneous()).hnormalized() - p.second).squaredNorm() < limit;
  };
  for (int round = 0; round < 4 && kept.size() >= 8; ++round) {
    h = homographyOf(kept);
    kept.clear();
    std::copy_if(points.begin(), points.end(), std::back_inserter(kept), within);
  }
  // The points are planar if a homography explains more than this share of them.
  constexpr double kMost = 0.9;
  return static_cast<double>(kept.size()) > kMost * static_cast<double>(points.size());
}

}  // namespace

EpipolarFit fitEpipolar(const LightRecording& recording, const Target& target,
                        const std::vector<size_t>& moments, size_t first, size_t second,
                        int samples) {
  // Approximate number of moments that judge each sample. Raising it takes longer.
  constexpr size_t kScored = 80;
  // Number of points that must agree: twice as many as a sample has. Raising it refuses more pairs
  // of cameras.
  constexpr size_t kLeast = 16;
  const double limit = limitOf(recording.sizes[second]);
  const auto candidates = candidatesOf(recording, target, moments, first, second);
  EpipolarFit fit;
  fit.tried = candidates.size();
  const size_t ends = target.isWand() ? 2 : 1, sample = 8 / ends;
  if (candidates.size() * ends < kLeast) return fit;

  std::mt19937 random(1);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t step = std::max<size_t>(1, candidates.size() / kScored);
  double least = 1e300;
  Eigen::Matrix3d best = Eigen::Matrix3d::Zero();
  for (int i = 0; i < samples; ++i) {
    Correspondences points;
    for (size_t k = 0; k < sample; ++k) {
      const Candidate& c = candidates[below(candidates.size())];
      append(points, c, below(c.firstEnds.size()), below(c.secondEnds.size()));
    }
    const Eigen::Matrix3d f = fundamentalOf(points);
    const double cost = costOf(candidates, step, f, limit);
    if (!(cost < least)) continue;
    least = cost;
    best = f;
  }
  best = refined(candidates, best, limit, kLeast);
  fit.fundamental = best;
  fit.cost = costOf(candidates, 1, best, limit);
  const Correspondences points = agreeing(candidates, best, limit, &fit.sightings);
  if (points.size() < kLeast) fit.sightings.clear();
  fit.planar = isPlanar(points, limit);
  return fit;
}

double epipolarCost(const Moment& moment, const FrameExtent& size, const Target& target,
                    const Eigen::Matrix3d& fundamental, size_t first, size_t second) {
  const Candidate candidate = candidateOf(moment, 0, target, first, second);
  if (candidate.firstEnds.empty() || candidate.secondEnds.empty()) return 0;
  return bestPairing(candidate, fundamental, limitOf(size)).cost;
}

}  // namespace glint::motion
