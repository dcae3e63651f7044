#include "app/motion/calibrate/advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/image_fields.h"

namespace glint::motion {
namespace {

/// Returns the third of an image that has the fewest covered fields: its name (left, right, upper
/// or lower) and the share of it that is covered.
std::pair<std::string, double> emptiestThird(uint64_t fields) {
  constexpr std::array<const char*, 4> kWords{"left", "right", "upper", "lower"};
  std::array<double, 4> counts{};
  for (int y = 0; y < kImageFields; ++y)
    for (int x = 0; x < kImageFields; ++x) {
      if (((fields >> (y * kImageFields + x)) & 1) == 0) continue;
      counts[0] += x < 3;
      counts[1] += x >= 5;
      counts[2] += y < 3;
      counts[3] += y >= 5;
    }
  const auto least = std::min_element(counts.begin(), counts.end());
  return {kWords[static_cast<size_t>(least - counts.begin())], *least / (3.0 * kImageFields)};
}

/// Returns a camera whose residuals are much larger than the others', or few of whose dots fit, or
/// nothing if there is none.
std::optional<size_t> oddCamera(const Calibration& calibration) {
  // A camera is odd if its misfit exceeds that of the median camera by more than this factor.
  constexpr double kOdd = 2;
  // A camera is also odd if its share of dots that fit is below this share of the median camera's.
  // Raising it takes more cameras for odd.
  constexpr double kFew = 0.75;
  std::vector<double> misfits, shares;
  for (const CameraFigures& f : calibration.cameras) {
    misfits.push_back(f.misfit);
    shares.push_back(shareThatFits(f));
  }
  const auto worst = std::max_element(misfits.begin(), misfits.end());
  const auto fewest = std::min_element(shares.begin(), shares.end());
  if (*fewest < kFew * base::medianOf(shares)) return static_cast<size_t>(fewest - shares.begin());
  std::vector<double> sorted = misfits;
  std::sort(sorted.begin(), sorted.end());
  if (*worst > kOdd * sorted[(sorted.size() - 1) / 2])
    return static_cast<size_t>(worst - misfits.begin());
  return std::nullopt;
}

/// Returns a camera that is too far out of step for its offset to be estimated well from the motion
/// between frames, or nothing if there is none.
std::optional<size_t> farOutOfStep(const Calibration& calibration, bool timed) {
  // Maximum offset: s for recordings with times, because a hand's motion follows a parabola only
  // that long; otherwise frames.
  const double most = timed ? 0.025 : 1.25;
  for (size_t c = 0; c < calibration.cameras.size(); ++c)
    if (const CameraFigures& f = calibration.cameras[c];
        std::abs(f.timeOffset - f.wholeFrames) > most)
      return c;
  return std::nullopt;
}

}  // namespace

std::string adviceOf(const Calibration& calibration, const Target& target, bool timed) {
  const char* const what = target.name();
  if (const auto late = farOutOfStep(calibration, timed))
    return timed ? fmt::format("calibrate again with {:.3f} s more for camera {} (--offset)",
                               calibration.cameras[*late].timeOffset, *late)
                 : fmt::format(
                       "begin camera {} with the others: so far out of step, it is "
                       "allowed for in part only",
                       *late);
  if (calibration.disturbed)
    return fmt::format("record again, and let nobody touch {}",
                       calibration.cameras.size() > 2
                           ? fmt::format("camera {}", calibration.disturbed->camera)
                           : "the cameras");
  if (!calibration.doubts.empty()) return calibration.doubts.front().mend;
  if (const auto odd = oddCamera(calibration))
    return fmt::format(
        "camera {} fits worse than the others: check its focus, and whether it saw other lights",
        *odd);
  // A third of an image is called empty if less than this share of it is covered.
  constexpr double kEmpty = 0.4;
  size_t camera = 0;
  std::pair<std::string, double> third{"", 1};
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    const auto least = emptiestThird(calibration.cameras[c].fields);
    if (least.second < third.second) third = least, camera = c;
  }
  if (third.second < kEmpty)
    return fmt::format("move {} through the {} third of camera {}'s image", what, third.first,
                       camera);
  const size_t few = target.isBoard ? 30 : 300;
  if (calibration.found < few) return fmt::format("record {} for longer", what);
  return "";
}

}  // namespace glint::motion
