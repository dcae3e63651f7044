#include "app/motion/calibrate/strangers.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/motion/calibrate/figures.h"
#include "config/error.h"

namespace glint::motion {

void refuseStrangers(const Bundle& bundle, const LightRecording& recording, const Target& target) {
  // Reflections that are always there, where the target is seen seldom, take more than half.
  constexpr double kLeastShare = 1.0 / 3;
  const auto figures =
      cameraFigures(bundle, recording, target, std::vector<bool>(recording.moments.size(), true));
  const auto worst = std::min_element(figures.begin(), figures.end(),
                                      [](const CameraFigures& a, const CameraFigures& b) {
                                        return shareThatFits(a) < shareThatFits(b);
                                      });
  if (shareThatFits(*worst) >= kLeastShare) return;
  throw Error(fmt::format(
      "of {} dots of camera {} only {} fit the other cameras; check that its image is not "
      "mirrored, "
      "that it did not move, and that its recording belongs to the others and began with them "
      "(--offset)",
      worst->offered, worst - figures.begin(), worst->dots));
}

void refuseTwins(const Bundle& bundle) {
  // Share of the distance to the lights within which two cameras stand in one place.
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
