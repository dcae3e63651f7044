#include "app/motion/calibrate/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Cholesky>

#include "app/base/quantile.h"
#include "app/motion/calibrate/equation.h"

namespace glint::motion {
namespace {

// Time within which the motion of a hand follows a parabola: s, or frames if there are no times.
// Neighbours that are farther away count less. There, the deviation from the parabola (a waving
// hand has a jerk of some 200 m/s^3) is larger than the noise of a place in space.
constexpr double kSmooth = 0.02, kFrames = 1;
// Maximum interval between items, s. If it is longer, no motion is estimated, because neighbours
// say nothing about it. Raising it estimates motion across longer gaps, with larger errors.
constexpr double kFarthest = 0.1;

double timeOf(const LightRecording& recording, const BundleItem& item) {
  return recording.moments[item.moment].time;
}

/// Returns the neighbour's ends in the order of the item's ends. The ends of a wand of two lights
/// look alike, so they may have been swapped.
std::vector<Eigen::Vector3d> inOrder(const BundleItem& item, const BundleItem& neighbour) {
  std::vector<Eigen::Vector3d> ends = neighbour.ends;
  if (ends.size() == 2) {
    const double same = (ends[0] - item.ends[0]).norm() + (ends[1] - item.ends[1]).norm();
    const double swapped = (ends[1] - item.ends[0]).norm() + (ends[0] - item.ends[1]).norm();
    if (swapped < same) std::swap(ends[0], ends[1]);
  }
  return ends;
}

/// Sets velocity and acceleration of `item` from its neighbours `around`, which come `after`
/// seconds later. Sets none if they do not suffice.
void moveOne(BundleItem& item, const std::vector<BundleItem>& around,
             const std::vector<double>& after, double smooth) {
  item.velocity.clear();
  item.acceleration.clear();
  if (around.size() < 2) return;
  // The fit has no constant term, because the parabola runs through the item itself.
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  std::vector<Eigen::Matrix<double, 2, 3>> right(item.ends.size(),
                                                 Eigen::Matrix<double, 2, 3>::Zero());
  for (size_t i = 0; i < around.size(); ++i) {
    const Eigen::Vector2d row(after[i], after[i] * after[i] / 2);
    const double weight = 1 / (1 + std::pow(after[i] / smooth, 6));
    normal += weight * row * row.transpose();
    const auto ends = inOrder(item, around[i]);
    for (size_t e = 0; e < ends.size(); ++e)
      right[e] += weight * row * (ends[e] - item.ends[e]).transpose();
  }
  const Eigen::LDLT<Eigen::Matrix2d> solver(normal);
  if (solver.info() != Eigen::Success || !(solver.rcond() > 1e-12)) return;
  for (const auto& r : right) {
    const Eigen::Matrix<double, 2, 3> found = solver.solve(r);
    item.velocity.push_back(found.row(0).transpose());
    item.acceleration.push_back(found.row(1).transpose());
  }
}

/// Returns the median time between consecutive items.
double medianStep(const Bundle& bundle, const LightRecording& recording) {
  std::vector<double> steps;
  for (size_t i = 0; i + 1 < bundle.items.size(); ++i)
    steps.push_back(timeOf(recording, bundle.items[i + 1]) - timeOf(recording, bundle.items[i]));
  return base::medianOf(std::move(steps));
}

/// Adds a sight for each light of an item that a camera sees: the nearest dot within the gate.
void gateView(Bundle& bundle, const View& view, int height, const Target& target, size_t camera,
              size_t item, double gate) {
  const BundleCamera& c = bundle.cameras[camera];
  // Time within which nothing moves noticeably, s or frames: 10 um at a speed of 0.1 m/s.
  constexpr double kStill = 1e-4;
  const double latest = std::abs(view.delay + c.timeOffset) + std::abs(c.readout) / 2;
  if (bundle.items[item].velocity.empty() && latest > kStill) return;
  std::vector<BundleSight> found;
  for (size_t light = 0; light < target.lights.size(); ++light) {
    std::optional<BundleSight> best;
    double least = gate * gate;
    for (const Dot& dot : view.dots) {
      const BundleSight s{camera, item,      light,      target.lights[light],
                          dot.at, dot.sigma, view.delay, rowOf(dot.at, height)};
      const auto residual = residualOf(bundle, s);
      if (!residual) continue;
      const double square = residual->cwiseQuotient(dot.sigma).squaredNorm();
      if (square < least) least = square, best = s;
    }
    if (!best) continue;
    // A dot that is nearest to two lights is given to neither.
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const BundleSight& s) { return s.pixel == best->pixel; });
    if (same == found.end())
      found.push_back(*best);
    else
      found.erase(same);
  }
  bundle.sights.insert(bundle.sights.end(), found.begin(), found.end());
}

}  // namespace

bool estimateMotion(Bundle& bundle, const LightRecording& recording) {
  auto& items = bundle.items;
  const double step = medianStep(bundle, recording);
  const double smooth = recording.timed ? kSmooth : kFrames;
  const double reach = std::max(smooth, 2.2 * step);
  const bool slow = recording.timed && step > kFarthest;
  std::vector<BundleItem> moved = items;
  size_t moving = 0;
  for (size_t i = 0; i < items.size() && !slow; ++i) {
    std::vector<BundleItem> around;
    std::vector<double> after;
    const double time = timeOf(recording, items[i]);
    const auto add = [&](size_t other) {
      const double later = timeOf(recording, items[other]) - time;
      if (std::abs(later) > reach) return false;
      around.push_back(items[other]);
      after.push_back(later);
      return true;
    };
    for (size_t k = i; k-- > 0 && add(k);) {
    }
    for (size_t k = i + 1; k < items.size() && add(k); ++k) {
    }
    moveOne(moved[i], around, after, smooth);
    moving += !moved[i].velocity.empty();
  }
  const bool enough = 2 * moving >= items.size() && moving > 0;
  items = std::move(moved);
  if (!enough)
    for (BundleItem& item : items) item.velocity.clear(), item.acceleration.clear();
  return enough;
}

void gateSights(Bundle& bundle, const LightRecording& recording, const Target& target, double gate,
                double scale) {
  const size_t cameras = bundle.cameras.size();
  bundle.sights.clear();
  std::vector<BundleItem> kept;
  std::vector<BundleSight> sights;
  for (size_t i = 0; i < bundle.items.size(); ++i) {
    bundle.sights.clear();
    const auto& views = recording.moments[bundle.items[i].moment].views;
    for (size_t c = 0; c < cameras; ++c)
      gateView(bundle, views[c], recording.sizes[c].height, target, c, i, gate * scale);
    std::array<int, 3> seen{};
    for (const BundleSight& s : bundle.sights) ++seen[s.light];
    if (seen[0] < 2 || seen[target.lights.size() - 1] < 2) continue;
    for (BundleSight& s : bundle.sights) {
      s.item = kept.size();
      sights.push_back(s);
    }
    kept.push_back(bundle.items[i]);
  }
  bundle.items = std::move(kept);
  bundle.sights = std::move(sights);
}

}  // namespace glint::motion
