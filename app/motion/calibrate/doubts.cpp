#include "app/motion/calibrate/doubts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// Returns where along the wand a ray passes it: 0 at the first end, 1 at the second, other values
/// beyond. Returns nothing if the ray passes farther away than `reach` (mm), or if it looks along
/// the wand.
std::optional<double> fractionAlong(const BundleItem& item, const Ray& ray, double reach) {
  // Squared sine between ray and wand below which the ray looks along the wand. Raising it ignores
  // more rays.
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

/// Returns the places of dots that lie on the wand's line but are no ends. A place is the distance
/// from the nearer end in wand lengths: positive inwards (up to 0.5), negative outwards (down to
/// -`beyond`).
std::vector<double> fractionsSeen(const Bundle& bundle, const LightRecording& recording,
                                  double beyond = 0) {
  // A dot is on the line if it is at most kPixels (px) off. It belongs to an end if it is at most
  // kEnd wand lengths away from it. Raising kPixels takes more dots to be on the line. Raising kEnd
  // takes more of these for ends.
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

/// Returns the bundle adjusted without the middle light. If its stated place is wrong, it would
/// pull the ends along.
Bundle withoutMiddle(Bundle bundle) {
  std::erase_if(bundle.sights, [](const BundleSight& s) { return s.light == 1; });
  adjust(bundle, 30, kHuber, true);
  return bundle;
}

/// Returns a doubt if the middle light of a wand of three is not where it was stated to be. Throws
/// Error if it is far off.
std::optional<Doubt> doubtOfMiddle(const Bundle& bundle, const LightRecording& recording,
                                   const Target& target) {
  // Limits of the error, as shares of the wand's length. Up to kSlight it counts as a measurement
  // error; raising kSlight reports fewer errors. Above kGross the rig would be wrong; raising
  // kGross refuses fewer rigs.
  constexpr double kSlight = 0.003, kGross = 0.02;
  // Minimum number of such dots. Fewer may lie on the wand's line by chance. Raising it reports
  // fewer errors.
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

/// Returns a doubt if a wand that was stated to have two lights shows a third one between them.
/// Throws Error if the third light is beyond an end, because then the stated length may be between
/// any two of the three.
std::optional<Doubt> doubtOfThird(const Bundle& bundle, const LightRecording& recording,
                                  const Target& target) {
  // Minimum number of dots on the line, as a share of the views of the wand. Fewer may lie there by
  // chance. Raising it reports fewer errors.
  constexpr double kOften = 0.5;
  // Distance beyond an end within which a third light is sought, in wand lengths. Raising it finds
  // lights farther out, and more dots that lie there by chance.
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

/// Returns a doubt if hardly any dot of a camera fits at the beginning or at the end of the
/// recording, although most do at other times. A camera that was moved by more than findMoves()
/// looks for leaves no other trace.
std::optional<Doubt> doubtOfEnds(const Bundle& bundle, const LightRecording& recording,
                                 const Target& target) {
  // The beginning and the end are this part of the recording. Raising it finds later and earlier
  // moves, from fewer dots.
  constexpr size_t kPart = 16;
  // Number of dots that are needed there, and the share of them that must not fit. Raising either
  // reports fewer cameras.
  constexpr size_t kLeast = 10;
  constexpr double kMissing = 0.7;
  // Share of the dots that must fit over the whole recording. Below it, the grade says so itself.
  constexpr double kMost = 0.75;
  const size_t moments = recording.moments.size();
  const auto all = cameraFigures(bundle, recording, target, std::vector<bool>(moments, true));
  for (const bool end : {false, true}) {
    std::vector<bool> counts(moments);
    for (size_t m = 0; m < moments / kPart; ++m) counts[end ? moments - 1 - m : m] = true;
    const auto part = cameraFigures(bundle, recording, target, counts);
    for (size_t c = 0; c < part.size(); ++c)
      if (part[c].offered >= kLeast && shareThatFits(part[c]) < 1 - kMissing &&
          shareThatFits(all[c]) > kMost)
        return Doubt{
            fmt::format("hardly any dot of camera {} fits at the {}", c, end ? "end" : "beginning"),
            fmt::format("record again, and let nobody touch camera {}", c)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Doubt> doubtsOfCentres(const std::vector<BundleCamera>& cameras,
                                   const std::vector<FrameExtent>& sizes) {
  // Maximum distance of a lens centre from its prior, as a share of the image's width. The centres
  // of real lenses are off by some hundredths. Raising it reports fewer cameras.
  constexpr double kFar = 0.1;
  std::vector<Doubt> doubts;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const BundleCamera& camera = cameras[c];
    if (camera.placeOf) continue;
    const auto [width, height] = sizes[c];
    const double off =
        std::hypot(camera.lens.cx - camera.prior.cx, camera.lens.cy - camera.prior.cy);
    if (off > kFar * width)
      doubts.push_back(
          {fmt::format("the centre of camera {}'s lens is {:.0f} px from where that of "
                       "a {}x{} image is",
                       c, off, width, height),
           fmt::format("check the size of camera {}'s image", c)});
  }
  return doubts;
}

std::optional<Doubt> doubtOfFisheyes(const std::vector<BundleCamera>& cameras,
                                     const UsedPixels& pixels) {
  // A lens counts as a fisheye if it shows something farther than kWide (rad) from its axis, at
  // less than kBent of the distance from the centre that a lens without distortion would give it.
  // An equidistant fisheye reaches 0.75 at 48 degrees; webcams, and action cameras without a
  // fisheye, stay above 0.8. Raising the angle or lowering the share reports fewer lenses.
  constexpr double kWide = 0.78, kBent = 0.75;
  std::vector<size_t> fisheyes;
  double widest = 0;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const Lens& lens = cameras[c].lens;
    if (lens.fisheye) continue;
    double farthest = 0, bent = 1;
    for (const Eigen::Vector2d& pixel : pixels[c]) {
      const auto at = undistort(lens, pixel);
      if (!at || at->norm() <= farthest) continue;
      farthest = at->norm();
      bent =
          std::hypot((pixel.x() - lens.cx) / lens.fx, (pixel.y() - lens.cy) / lens.fy) / farthest;
    }
    const double angle = std::atan(farthest);
    if (!(angle > kWide && bent < kBent)) continue;
    fisheyes.push_back(c);
    widest = std::max(widest, angle);
  }
  if (fisheyes.empty()) return std::nullopt;
  return Doubt{
      fmt::format(
          "{} {} has a fisheye lens, and sees lights up to {:.0f} degrees off its axis: the "
          "rig describes such a lens only where lights were seen",
          fisheyes.size() == 1 ? "camera" : "each of the cameras", fmt::join(fisheyes, ", "),
          widest * 180 / std::numbers::pi),
      "calibrate with a board and --lens fisheye, or set the cameras to a linear view"};
}

std::vector<Doubt> doubtsOf(const Bundle& bundle, const LightRecording& recording,
                            const Target& target) {
  std::vector<Doubt> doubts = doubtsOfCentres(bundle.cameras, recording.sizes);
  UsedPixels pixels(bundle.cameras.size());
  for (const BundleSight& sight : bundle.sights)
    pixels[bundle.takenBy(sight.camera)].push_back(sight.pixel);
  if (auto doubt = doubtOfFisheyes(bundle.cameras, pixels)) doubts.push_back(std::move(*doubt));
  if (auto doubt = doubtOfMiddle(bundle, recording, target)) doubts.push_back(std::move(*doubt));
  if (auto doubt = doubtOfThird(bundle, recording, target)) doubts.push_back(std::move(*doubt));
  if (auto doubt = doubtOfEnds(bundle, recording, target)) doubts.push_back(std::move(*doubt));
  return doubts;
}

std::optional<Doubt> doubtOfMarkers(const BoardRecording& recording, const Board& board) {
  // Maximum error of a marker's side, as a share of it. Blur moves the edges by less.
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
