#include "app/motion/calibrate/doubts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/label.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// How far along the wand, 0 to 1, a ray passes it; empty where it passes at a distance, or looks
/// along it.
std::optional<double> fractionAlong(const BundleItem& item, const Ray& ray, double reach) {
  // The square of the sine between ray and wand below which the ray looks along it.
  constexpr double kParallel = 0.1;
  const Eigen::Vector3d along = item.ends[1] - item.ends[0], from = item.ends[0] - ray.origin;
  const double length = along.norm(), cosine = along.dot(ray.direction) / length;
  const double sine = 1 - cosine * cosine;
  if (!(sine > kParallel)) return std::nullopt;
  const double at = (cosine * from.dot(ray.direction) - from.dot(along) / length) / sine;
  const Eigen::Vector3d to = from + at / length * along;
  const double off = (to - to.dot(ray.direction) * ray.direction).norm();
  return off < reach ? std::optional(at / length) : std::nullopt;
}

/// Where on the wand's line dots lie that are no ends: how far from the nearer end inwards, 0 to
/// 0.5 lengths, or outwards, down to -`beyond`.
std::vector<double> fractionsSeen(const Bundle& bundle, const LightRecording& recording,
                                  double beyond = 0) {
  // px by which a dot may be off the wand's line, and the lengths around an end that belong to it.
  constexpr double kPixels = 3, kEnd = 0.08;
  const Rig rig = rigOf(bundle, recording);
  std::vector<double> fractions;
  for (const BundleItem& item : bundle.items)
    for (size_t c = 0; c < rig.cameras.size(); ++c) {
      const RigCamera& camera = rig.cameras[c];
      const double reach = kPixels / camera.lens.fx * camera.pose.apply(item.ends[0]).z();
      for (const Dot& dot : recording.moments[item.moment].views[c].dots) {
        const auto ray = rayOf(camera, dot.at);
        const auto at = ray ? fractionAlong(item, *ray, reach) : std::nullopt;
        if (!at) continue;
        const double inwards = std::min(*at, 1 - *at);
        if (inwards > kEnd || (inwards < -kEnd && inwards > -beyond)) fractions.push_back(inwards);
      }
    }
  return fractions;
}

/// A middle light that is taken for elsewhere pulls the ends with it.
Bundle withoutMiddle(Bundle bundle) {
  std::erase_if(bundle.sights, [](const BundleSight& s) { return s.light == 1; });
  adjust(bundle, 30, kHuber, true);
  return bundle;
}

/// A wand of three says where its middle light is.
std::optional<Doubt> doubtOfMiddle(const Bundle& bundle, const LightRecording& recording,
                                   const Target& target) {
  // Shares of the length: smaller errors are measurement, larger ones make the rig wrong.
  constexpr double kSlight = 0.003, kGross = 0.02;
  // Dots that are needed, because others lie on the wand by chance.
  constexpr size_t kLeast = 30;
  if (target.lights.size() != 3) return std::nullopt;
  const double told = target.lights[1];
  const auto fractions = fractionsSeen(bundle, recording);
  if (fractions.size() < kLeast || std::abs(base::medianOf(fractions) - told) < kSlight)
    return std::nullopt;
  const double seen = base::medianOf(fractionsSeen(withoutMiddle(bundle), recording));
  const std::string what =
      fmt::format("the wand's middle light is seen {:.1f} mm from the nearer end, not {:.1f} mm",
                  seen * target.length, told * target.length);
  if (std::abs(seen - told) > kGross) throw Error(what + "; measure the wand (--wand A,B)");
  return Doubt{what, "measure the wand"};
}

/// A wand that is told to have two lights has a third one. Where that is no end, the length may be
/// of any two.
std::optional<Doubt> doubtOfThird(const Bundle& bundle, const LightRecording& recording,
                                  const Target& target) {
  // Share of the views of the wand in which a third light must be seen. Others lie on it by chance.
  constexpr double kOften = 0.5;
  // Lengths beyond an end within which it is sought.
  constexpr double kBeyond = 2.5;
  if (target.lights.size() != 2) return std::nullopt;
  const auto fractions = fractionsSeen(bundle, recording, kBeyond);
  const double views = static_cast<double>(bundle.sights.size()) / 2;
  if (static_cast<double>(fractions.size()) < kOften * views) return std::nullopt;
  const double at = std::round(base::medianOf(fractions) * target.length);
  if (at < 0)
    throw Error(
        fmt::format("three lights are seen on the wand, so its {:g} mm may be the distance of any "
                    "two: give both distances between them (--wand A,B)",
                    target.length));
  return Doubt{fmt::format("the wand has a third light, {:.0f} mm from one end", at),
               fmt::format("tell of all its lights (--wand {:.0f},{:g})", at, target.length - at)};
}

}  // namespace

std::vector<Doubt> doubtsOf(const Bundle& bundle, const LightRecording& recording,
                            const Target& target) {
  // Share of an image's width. The centres of real lenses are off by some hundredths.
  constexpr double kFar = 0.1;
  std::vector<Doubt> doubts;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const BundleCamera& camera = bundle.cameras[c];
    const auto [width, height] = recording.sizes[c];
    const double off =
        std::hypot(camera.lens.cx - camera.prior.cx, camera.lens.cy - camera.prior.cy);
    if (off > kFar * width)
      doubts.push_back(
          {fmt::format("the centre of camera {}'s lens is {:.0f} px from where that of "
                       "a {}x{} image is",
                       c, off, width, height),
           fmt::format("check the size of camera {}'s image", c)});
  }
  if (auto doubt = doubtOfMiddle(bundle, recording, target)) doubts.push_back(std::move(*doubt));
  if (auto doubt = doubtOfThird(bundle, recording, target)) doubts.push_back(std::move(*doubt));
  return doubts;
}

std::optional<Doubt> doubtOfMarkers(const BoardRecording& recording, const Board& board) {
  // Share of a marker's side by which it may be off, because blur moves its edges.
  constexpr double kOff = 0.08;
  std::vector<double> sides;
  for (const BoardRecording::Moment& moment : recording.moments)
    for (const BoardView& view : moment.views)
      if (view.markerSide > 0) sides.push_back(view.markerSide);
  if (sides.empty()) return std::nullopt;
  const double side = base::medianOf(std::move(sides));
  if (std::abs(side - board.marker) < kOff * board.marker) return std::nullopt;
  return Doubt{fmt::format("the board's markers are seen {:.1f} mm wide beside squares of {:g} mm, "
                           "not {:g} mm",
                           side, board.square, board.marker),
               "measure the board"};
}

}  // namespace glint::motion
