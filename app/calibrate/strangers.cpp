#include "app/calibrate/strangers.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/calibrate/figures.h"
#include "config/error.h"

namespace glint {

void refuseStrangers(const Bundle& bundle, const LightRecording& recording, const Target& target) {
  // Reflections that are always there, where the target is seen seldom, take more than half.
  constexpr double kLeastShare = 1.0 / 3;
  const auto figures = cameraFigures(bundle, recording, target,
                                     std::vector<bool>(recording.moments.size(), true));
  const auto worst = std::min_element(figures.begin(), figures.end(),
                                      [](const CameraFigures& a, const CameraFigures& b) {
                                        return shareThatFits(a) < shareThatFits(b);
                                      });
  if (shareThatFits(*worst) >= kLeastShare) return;
  throw Error(fmt::format(
      "of {} dots of camera {} only {} fit the other cameras; check that its image is not mirrored, "
      "that it did not move, and that its recording belongs to the others and began with them "
      "(--offset)",
      worst->offered, worst - figures.begin(), worst->dots));
}

}  // namespace glint
