#include "app/motion/space/camera_doubts.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace glint::motion {

/// Returns the sentence for a camera, or an empty text if it is not in doubt.
std::string CameraDoubts::sentence(size_t camera, const SpaceRig& rig,
                                   const CameraMoveDetector& moves, const NoiseFloor& floor) const {
  const Camera& own = cameras_[camera];
  const Lens& lens = rig[camera].camera().lens;
  if (const double aside = moves.asideAtFirst(camera); aside > options_.poor)
    return fmt::format(
        "camera {} sees points about {:.2g} px ({:.1g} degrees) from where the rig says since the "
        "first frame; calibrate again",
        camera, aside, std::atan(aside / ((lens.fx + lens.fy) / 2)) * 180 / std::numbers::pi);
  const auto expected = static_cast<double>(own.expected);
  const auto fitting = static_cast<double>(own.fitting);
  if (own.expected >= options_.minPoints && own.dots > own.expected &&
      fitting < options_.minFitting * expected)
    return fmt::format(
        "camera {} sees {} dots and fits {} of the points that others place: it stands elsewhere "
        "than the rig says, or is another camera",
        camera, own.dots,
        own.fitting > 0 ? fmt::format("{:.0f} %", 100 * fitting / expected) : "none");
  // If cameras were exchanged, there may be no points at all that would show which ones.
  if (!floor.learned(camera) && rig.size() > 2 && own.dots >= options_.minDots)
    return fmt::format(
        "camera {} sees {} dots, but hardly any that two other cameras see, too: it or they stand "
        "elsewhere than the rig says, or are other cameras",
        camera, own.dots);
  if (floor.learned(camera) && std::sqrt(floor.variance(camera)) > options_.poor)
    return fmt::format(
        "camera {} sees points {:.1f} px beyond its sigmas from where the rig says; calibrate "
        "again",
        camera, std::sqrt(floor.variance(camera)));
  return {};
}

std::vector<std::string> CameraDoubts::sentences(const SpaceRig& rig,
                                                 const CameraMoveDetector& moves,
                                                 const NoiseFloor& floor) const {
  std::vector<std::string> all;
  for (size_t c = 0; c < cameras_.size(); ++c)
    if (std::string text = sentence(c, rig, moves, floor); !text.empty())
      all.push_back(std::move(text));
  return all;
}

std::vector<std::string> CameraDoubts::fresh(const SpaceRig& rig, const CameraMoveDetector& moves,
                                             const NoiseFloor& floor) {
  std::vector<std::string> all;
  for (size_t c = 0; c < cameras_.size(); ++c) {
    const Camera& own = cameras_[c];
    const bool sure = own.expected >= options_.minPointsEarly ||
                      own.dots >= options_.minDotsEarly || moves.asideAtFirst(c) > 0;
    if (own.reported || !sure || moves.willReport(c)) continue;
    std::string text = sentence(c, rig, moves, floor);
    if (text.empty()) continue;
    cameras_[c].reported = true;
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace glint::motion
