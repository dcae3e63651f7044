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

/// The emptiest third of an image: a word and its share.
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

/// A camera whose residuals are out of all proportion, or of whose dots few fit; or none.
std::optional<size_t> oddCamera(const Calibration& calibration) {
  // A camera is odd if its misfit exceeds the median camera's by this factor ...
  constexpr double kOdd = 2;
  // ... or if less than this share of the median camera's dots are lights.
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

/// The camera that is out of step by more than motion between frames allows for well; or none.
std::optional<size_t> farOutOfStep(const Calibration& calibration, bool timed) {
  const double most = timed ? 0.025 : 1.25;  // s: a hand moves along a parabola so long; frames
  for (size_t c = 0; c < calibration.cameras.size(); ++c)
    if (std::abs(calibration.cameras[c].timeOffset) > most) return c;
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
    return fmt::format("record again, and let nobody touch camera {}",
                       calibration.disturbed->camera);
  if (!calibration.doubts.empty()) return calibration.doubts.front().mend;
  if (const auto odd = oddCamera(calibration))
    return fmt::format(
        "camera {} fits worse than the others: check whether it moved, or whether it saw other "
        "lights",
        *odd);
  constexpr double kEmpty = 0.4;  // covered share below which a third of an image is called empty
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
