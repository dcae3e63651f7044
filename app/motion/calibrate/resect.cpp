#include "app/motion/calibrate/resect.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include <Eigen/Eigenvalues>
#include <opencv2/calib3d.hpp>

#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/plane_start.h"

namespace glint::motion {
namespace {

// Maximum error of a dot before (kWide) and after (kNarrow) the camera has been fitted, as a share
// of the image's diagonal. Raising them accepts more wrong dots.
constexpr double kWide = 0.025, kNarrow = 0.01;

/// A moment in which the camera may see the whole target.
struct Seen {
  const BundleItem* item;
  const View* view;
  // Possible assignments of dots to the item's ends.
  std::vector<std::vector<size_t>> orders;
};

std::vector<Seen> seenBy(const Bundle& bundle, const LightRecording& recording,
                         const Target& target, size_t index) {
  std::vector<Seen> all;
  for (const BundleItem& item : bundle.items) {
    const View& view = recording.moments[item.moment].views[index];
    Seen seen{&item, &view, {}};
    for (const Ends& ends : wholeSightings(view, target)) {
      seen.orders.push_back(ends.dots);
      if (target.lights.size() == 2) seen.orders.push_back({ends.dots[1], ends.dots[0]});
    }
    if (!seen.orders.empty()) all.push_back(std::move(seen));
  }
  return all;
}

/// Returns the cost of a moment's best assignment, and its index. The cost is the sum over the ends
/// of the squared error, each cut off at `limit`, px^2.
std::pair<double, size_t> bestOrder(const Seen& seen, const Lens& lens, const Pose& pose,
                                    double limit) {
  std::array<Eigen::Vector2d, 2> pixels;
  for (size_t e = 0; e < seen.item->ends.size(); ++e) {
    const Projection p = project(lens, pose, seen.item->ends[e]);
    if (p.depth <= 0) return {limit * static_cast<double>(seen.item->ends.size()), 0};
    pixels[e] = p.pixel;
  }
  std::pair<double, size_t> best{1e300, 0};
  for (size_t o = 0; o < seen.orders.size(); ++o) {
    double cost = 0;
    for (size_t e = 0; e < seen.orders[o].size(); ++e)
      cost += std::min(limit, (seen.view->dots[seen.orders[o][e]].at - pixels[e]).squaredNorm());
    if (cost < best.first) best = {cost, o};
  }
  return best;
}

double costOf(const std::vector<Seen>& all, size_t step, const Lens& lens, const Pose& pose,
              double limit) {
  double sum = 0;
  for (size_t i = 0; i < all.size(); i += step) sum += bestOrder(all[i], lens, pose, limit).first;
  return sum;
}

/// Returns the poses from which a camera sees three points at the given pixels.
std::vector<Pose> posesOf(const Lens& lens, const std::vector<cv::Point3d>& points,
                          const std::vector<cv::Point2d>& pixels) {
  const cv::Matx33d matrix(lens.fx, 0, lens.cx, 0, lens.fy, lens.cy, 0, 0, 1);
  const cv::Vec<double, 5> distortion(lens.k1, lens.k2, lens.p1, lens.p2, lens.k3);
  std::vector<cv::Mat> rotations, translations;
  cv::solveP3P(points, pixels, matrix, distortion, rotations, translations, cv::SOLVEPNP_AP3P);
  std::vector<Pose> poses;
  for (size_t i = 0; i < rotations.size(); ++i) {
    const auto three = [](const cv::Mat& m) {
      return Eigen::Vector3d(m.at<double>(0), m.at<double>(1), m.at<double>(2));
    };
    const Pose pose{three(rotations[i]), three(translations[i])};
    if (pose.rotation.allFinite() && pose.translation.allFinite()) poses.push_back(pose);
  }
  return poses;
}

struct Found {
  Lens lens;
  Pose pose;
  double cost = 1e300;
};

/// Tries random samples of three points with each of `focals`, and returns the best result.
Found sample(const std::vector<Seen>& all, const Lens& lens, const std::vector<double>& focals,
             double limit) {
  // The number of samples of three points if each camera sees the target alone. With other dots,
  // fewer samples take the right ones, so there are more samples, up to a limit. Raising these
  // numbers, or that of the moments that judge each sample (kScored), takes longer.
  constexpr double kSamples = 60, kMostSamples = 600;
  constexpr size_t kScored = 60;
  double orders = 0;
  for (const Seen& seen : all) orders += static_cast<double>(seen.orders.size());
  const double ends = static_cast<double>(all.front().item->ends.size());
  // The orders per moment, of which there are one or two if the target is seen alone.
  const double crowd = orders / static_cast<double>(all.size()) / ends;
  const auto samples =
      static_cast<int>(std::clamp(kSamples * crowd * crowd, kSamples, kMostSamples));
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t step = std::max<size_t>(1, all.size() / kScored);
  Found best;
  for (int i = 0; i < samples; ++i) {
    std::vector<cv::Point3d> points;
    std::vector<cv::Point2d> pixels;
    while (points.size() < 3) {
      const Seen& seen = all[below(all.size())];
      const auto& order = seen.orders[below(seen.orders.size())];
      for (size_t e = 0; e < order.size() && points.size() < 3; ++e) {
        const Eigen::Vector3d& at = seen.item->ends[e];
        points.emplace_back(at.x(), at.y(), at.z());
        pixels.emplace_back(seen.view->dots[order[e]].at.x(), seen.view->dots[order[e]].at.y());
      }
    }
    for (const double focal : focals) {
      Lens tried = lens;
      tried.fy = focal * lens.fy / lens.fx;
      tried.fx = focal;
      for (const Pose& pose : posesOf(tried, points, pixels)) {
        const double cost = costOf(all, step, tried, pose, limit);
        if (cost < best.cost) best = {tried, pose, cost};
      }
    }
  }
  return best;
}

/// Adjusts this camera alone on the moments that agree with it. Returns their number, or 0 if that
/// fails.
size_t refine(Found& found, const std::vector<Seen>& all, const BundleCamera& start, double limit) {
  Bundle bundle;
  bundle.itemsFixed = true;
  bundle.cameras = {start};
  bundle.cameras[0].lens = found.lens;
  bundle.cameras[0].pose = found.pose;
  bundle.length = all.front().item->ends.size() > 1 ? 1 : 0;
  for (const Seen& seen : all) {
    const auto [cost, order] = bestOrder(seen, found.lens, found.pose, limit);
    if (!(cost < limit)) continue;
    for (size_t e = 0; e < seen.orders[order].size(); ++e)
      bundle.sights.push_back({0,
                               bundle.items.size(),
                               e,
                               static_cast<double>(e),
                               seen.view->dots[seen.orders[order][e]].at,
                               {1, 1},
                               0});
    bundle.items.push_back(*seen.item);
    bundle.items.back().velocity.clear();
  }
  if (bundle.items.size() < 4 || !std::isfinite(adjust(bundle, 20, 3, true))) return 0;
  found.lens = bundle.cameras[0].lens;
  found.pose = bundle.cameras[0].pose;
  return bundle.items.size();
}

/// Refines in four steps, the last two of which accept smaller errors only. Returns the number of
/// moments that agree in the end.
size_t refineInSteps(Found& found, const std::vector<Seen>& all, const BundleCamera& start,
                     double diagonal) {
  size_t agreed = 0;
  for (const double share : {kWide, kWide, kNarrow, kNarrow})
    agreed = refine(found, all, start, std::pow(share * diagonal, 2));
  return agreed;
}

/// A plane that contains all ends.
struct Plane {
  Eigen::Vector3d middle, normal;
};

std::optional<Plane> planeOf(const std::vector<Seen>& all) {
  // Points lie in a plane if their spread across it is at most this share of the smaller spread
  // within it.
  constexpr double kFlat = 0.03;
  std::vector<Eigen::Vector3d> ends;
  for (const Seen& seen : all)
    ends.insert(ends.end(), seen.item->ends.begin(), seen.item->ends.end());
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& end : ends) mean += end / static_cast<double>(ends.size());
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& end : ends) scatter += (end - mean) * (end - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(scatter);
  const Eigen::Vector3d spread = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  if (spread[0] > kFlat * spread[1]) return std::nullopt;
  return Plane{mean, solver.eigenvectors().col(0)};
}

/// Returns true if the mirrored pose explains the dots nearly as well. Replaces `found` by it if it
/// explains them better.
bool looksAlike(Found& found, const std::vector<Seen>& all, const BundleCamera& start,
                const Plane& plane, double diagonal) {
  // Two poses look alike if the ratio of their costs is below the first value. They are the same
  // pose if they differ by less than the second, rad.
  constexpr double kAlike = 2, kSame = 0.01;
  Found other = found;
  other.pose = mirroredByPlane(found.pose, plane.middle, plane.normal);
  if (refineInSteps(other, all, start, diagonal) == 0) return false;
  if (then(found.pose.inverse(), other.pose).rotation.norm() < kSame) return false;
  const double limit = std::pow(kNarrow * diagonal, 2);
  double own = costOf(all, 1, found.lens, found.pose, limit);
  double mirrored = costOf(all, 1, other.lens, other.pose, limit);
  if (mirrored < own) {
    std::swap(own, mirrored);
    found = other;
  }
  return mirrored < kAlike * own;
}

}  // namespace

Resected resect(Bundle& bundle, const LightRecording& recording, const Target& target, size_t index,
                const std::vector<double>& likely) {
  // Minimum number of moments that agree with the camera, and their minimum share of those in which
  // it sees the target. Raising either places fewer cameras.
  constexpr size_t kLeast = 8;
  constexpr double kLeastShare = 1.0 / 3;
  const auto all = seenBy(bundle, recording, target, index);
  if (all.size() < kLeast) return Resected::none;
  BundleCamera& camera = bundle.cameras[index];
  const FrameExtent& size = recording.sizes[index];
  const double diagonal = std::hypot(size.width, size.height);
  std::vector<double> focals{camera.lens.fx};
  if (camera.free[focal]) {
    focals = likely;
    for (const double ratio : kFocalPerWidth) focals.push_back(ratio * size.width);
  }
  Found found = sample(all, camera.lens, focals, std::pow(kWide * diagonal, 2));
  const size_t agreed = refineInSteps(found, all, camera, diagonal);
  if (agreed < kLeast ||
      static_cast<double>(agreed) < kLeastShare * static_cast<double>(all.size()))
    return Resected::none;
  const auto plane = planeOf(all);
  if (plane && looksAlike(found, all, camera, *plane, diagonal)) return Resected::alike;
  camera.lens = found.lens;
  camera.pose = found.pose;
  return Resected::placed;
}

}  // namespace glint::motion
