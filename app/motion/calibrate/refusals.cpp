#include "app/motion/calibrate/refusals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/figures.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// How far the dots of one camera spread, px, as medians.
struct Spread {
  /// Distance of the target's middle from its median place.
  double middles;
  /// Distance of a dot from the straight line through all dots.
  double across;
};

Spread spreadOf(const LightRecording& recording, const Target& target, size_t camera) {
  // Number of views of the whole target that are needed to judge its motion. Raising it judges
  // fewer cameras.
  constexpr size_t kLeast = 10;
  std::vector<Eigen::Vector2d> dots;
  std::vector<double> x, y;
  for (const Moment& moment : recording.moments) {
    const auto& view = moment.views[camera].dots;
    if (view.size() != target.lights.size()) continue;
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    for (const Dot& dot : view) sum += dot.at, dots.push_back(dot.at);
    x.push_back(sum.x() / static_cast<double>(view.size()));
    y.push_back(sum.y() / static_cast<double>(view.size()));
  }
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (x.size() < kLeast) return {kFar, kFar};
  const Eigen::Vector2d middle(base::medianOf(x), base::medianOf(y));
  std::vector<double> middles, across;
  for (size_t i = 0; i < x.size(); ++i)
    middles.push_back((Eigen::Vector2d(x[i], y[i]) - middle).norm());
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (const Eigen::Vector2d& dot : dots) mean += dot / static_cast<double>(dots.size());
  Eigen::Matrix2d scatter = Eigen::Matrix2d::Zero();
  for (const Eigen::Vector2d& dot : dots) scatter += (dot - mean) * (dot - mean).transpose();
  const Eigen::Vector2d normal =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(scatter).eigenvectors().col(0);
  for (const Eigen::Vector2d& dot : dots) across.push_back(std::abs(normal.dot(dot - mean)));
  return {base::medianOf(std::move(middles)), base::medianOf(std::move(across))};
}

}  // namespace

void refuseNarrowMotion(const LightRecording& recording, const Target& target) {
  // The target rests if it stays within kStill (px) of its median place. It moves along a line if
  // dots stay within kStraight of it, as a share of the image's width. Lenses bend lines, so some
  // deviation is allowed. Raising either refuses more recordings.
  constexpr double kStill = 2, kStraight = 0.003;
  bool still = true, straight = true;
  for (size_t c = 0; c < recording.sizes.size(); ++c) {
    const Spread spread = spreadOf(recording, target, c);
    still = still && spread.middles < kStill;
    straight = straight && spread.across < kStraight * recording.sizes[c].width;
  }
  if (still)
    throw Error(
        fmt::format("{} did not move, which says nothing of where cameras are; move it through the "
                    "whole volume",
                    target.name()));
  if (straight)
    throw Error(
        fmt::format("{} moved along a straight line, which does not determine where cameras are, "
                    "nor their lenses; move it through the whole volume, and turn it",
                    target.name()));
}

void refuseStrangers(const Bundle& bundle, const LightRecording& recording, const Target& target) {
  // Permanent reflections in the image of a camera that rarely sees the target are more than half
  // of its dots, so a camera may be good although few dots fit.
  constexpr double kLeastShare = 1.0 / 3;
  const auto figures =
      cameraFigures(bundle, recording, target, std::vector<bool>(recording.moments.size(), true));
  const auto worst = std::min_element(figures.begin(), figures.end(),
                                      [](const CameraFigures& a, const CameraFigures& b) {
                                        return shareThatFits(a) < shareThatFits(b);
                                      });
  if (shareThatFits(*worst) >= kLeastShare) return;
  // The others agree with each other if at least this share of the dots of each of them fits.
  // Raising it names fewer cameras.
  constexpr double kAgree = 0.6;
  const bool named = figures.size() > 2 &&
                     std::all_of(figures.begin(), figures.end(), [&](const CameraFigures& f) {
                       return &f == &*worst || shareThatFits(f) >= kAgree;
                     });
  if (!named) {
    size_t offered = 0, fit = 0;
    for (const CameraFigures& f : figures) offered += f.offered, fit += f.dots;
    throw Error(fmt::format(
        "of {} dots only {} fit one rig; check that the recordings belong together and began "
        "together (--offset), that no image is mirrored, and that few other lights are in the "
        "images",
        offered, fit));
  }
  throw Error(fmt::format(
      "of {} dots of camera {} only {} fit the other cameras, which agree; check that its image is "
      "not mirrored, and that its recording belongs to the others and began with them (--offset)",
      worst->offered, worst - figures.begin(), worst->dots));
}

void refuseTwins(const Bundle& bundle) {
  // Two cameras stand in one place if their distance is below this share of the distance to the
  // lights. Raising it refuses more recordings.
  constexpr double kLeast = 0.002;
  double distance = 0;
  for (const BundleItem& item : bundle.items)
    distance += bundle.cameras[0].pose.apply(item.ends[0]).norm() /
                static_cast<double>(bundle.items.size());
  for (size_t i = 0; i < bundle.cameras.size(); ++i)
    for (size_t j = i + 1; j < bundle.cameras.size(); ++j)
      if ((bundle.cameras[i].pose.centre() - bundle.cameras[j].pose.centre()).norm() <
          kLeast * distance)
        throw Error(fmt::format(
            "cameras {} and {} stand in one place; check that no recording was given twice, or "
            "move one of them",
            i, j));
}

}  // namespace glint::motion
