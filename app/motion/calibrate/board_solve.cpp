#include "app/motion/calibrate/board_solve.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/board_bundle.h"
#include "app/motion/calibrate/board_start.h"
#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/calibrate/doubts.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/image_fields.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// One moment in this many is kept back. Raising it keeps fewer moments back.
constexpr size_t kBack = 5;
// A view is left out if the rms of its residuals exceeds this many standard deviations of a corner.
// Raising it keeps worse views.
constexpr double kCornerGate = 5;

/// Returns the standard deviation of a corner along x or y, px, estimated from the median length of
/// the residuals.
double cornerSigma(const BoardBundle& bundle) {
  // Median length of a vector of two standard normal numbers.
  constexpr double kMedian = 1.1774;
  std::vector<double> lengths;
  for (const BoardSight& s : bundle.sights)
    for (size_t i = 0; i < s.corners.size(); ++i)
      if (const auto r = residualOf(bundle, s, i)) lengths.push_back(r->norm());
  return std::max(1e-3, base::medianOf(std::move(lengths)) / kMedian);
}

double viewRms(const BoardBundle& bundle, const BoardSight& sight) {
  double sum = 0;
  for (size_t i = 0; i < sight.corners.size(); ++i) {
    const auto r = residualOf(bundle, sight, i);
    if (!r) return 1e9;
    sum += r->squaredNorm();
  }
  return std::sqrt(sum / (2 * static_cast<double>(sight.corners.size())));
}

/// Adjusts the bundle, removes views that do not agree with the others, and adjusts again.
void settleBoard(BoardBundle& bundle) {
  // Residual beyond which a corner counts less: in standard deviations, and in px for the first
  // fit, before they are known.
  constexpr double kHuberSigmas = 3, kStart = 2;
  if (!adjust(bundle, kStart, 1)) throw Error("the board's views agree with no cameras");
  for (int round = 0; round < 2; ++round) {
    const double sigma = cornerSigma(bundle);
    std::erase_if(bundle.sights,
                  [&](const BoardSight& s) { return viewRms(bundle, s) > kCornerGate * sigma; });
    if (!adjust(bundle, kHuberSigmas * sigma, sigma))
      throw Error("the board's views agree with no cameras");
  }
}

/// Returns the bundle with only the sights of moments that are kept back, or with only the others
/// if `back` is false. All places stay.
BoardBundle partOf(const BoardBundle& bundle, bool back) {
  BoardBundle part = bundle;
  std::erase_if(part.sights,
                [&](const BoardSight& s) { return (s.place % kBack == kBack - 1) != back; });
  return part;
}

std::vector<CameraFigures> figuresOf(const BoardBundle& bundle, const BoardRecording& recording,
                                     double sigma) {
  std::vector<CameraFigures> figures(bundle.cameras.size());
  for (const BoardSight& s : bundle.sights) {
    CameraFigures& f = figures[s.camera];
    for (size_t i = 0; i < s.corners.size(); ++i) {
      const auto r = residualOf(bundle, s, i);
      if (!r) continue;
      ++f.dots;
      f.mean += r->norm();
      f.rms += r->squaredNorm();
      f.within += r->norm() < 1;
      f.fields |= fieldAt(s.corners[i], recording.sizes[s.camera]);
    }
  }
  for (const size_t place : bundle.moments)
    for (size_t c = 0; c < figures.size(); ++c)
      figures[c].offered += recording.moments[place].views[c].which.size();
  for (CameraFigures& f : figures) {
    const double n = static_cast<double>(std::max<size_t>(1, f.dots));
    f.mean /= n;
    f.misfit = std::sqrt(f.rms / (2 * n)) / sigma;
    f.rms = std::sqrt(f.rms / n);
    f.within /= static_cast<double>(std::max<size_t>({1, f.dots, f.offered}));
  }
  return figures;
}

HeldOut heldOutOf(const BoardBundle& fitted, const BoardRecording& recording) {
  BoardBundle back = partOf(fitted, true);
  for (BundleCamera& camera : back.cameras) camera.free.fill(false), camera.freePose = false;
  HeldOut held;
  held.cameras.resize(back.cameras.size());
  if (back.sights.empty() || !adjust(back, 1, 1)) return held;
  const double sigma = cornerSigma(back);
  std::erase_if(back.sights,
                [&](const BoardSight& s) { return viewRms(back, s) > kCornerGate * sigma; });
  held.cameras = figuresOf(back, recording, sigma);
  averageCameras(held);
  std::vector<bool> places(back.places.size());
  for (const BoardSight& s : back.sights) places[s.place] = true;
  held.moments = static_cast<size_t>(std::count(places.begin(), places.end(), true));
  return held;
}

void refuseAbsurdLenses(const BoardBundle& bundle, const BoardRecording& recording) {
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const Lens& l = bundle.cameras[c].lens;
    if (!isPlausible(l, recording.sizes[c]))
      throw Error(
          fmt::format("the best fit for camera {} is implausible (f {:.0f} px, centre "
                      "({:.0f}, {:.0f})); tilt the board more, and show it all over the image",
                      c, l.fx, l.cx, l.cy));
  }
}

std::vector<std::vector<size_t>> sharedViews(const BoardBundle& bundle) {
  std::vector<std::vector<bool>> sees(bundle.cameras.size(),
                                      std::vector<bool>(bundle.places.size()));
  for (const BoardSight& s : bundle.sights) sees[s.camera][s.place] = true;
  return countShared(sees);
}

}  // namespace

Calibration calibrateBoard(const BoardRecording& recording, const Board& board,
                           const CalibrationOptions& options) {
  BoardBundle bundle = startBoard(recording, board, options);
  Calibration result;
  BoardBundle known = partOf(bundle, false);
  settleBoard(known);
  BoardBundle judged = bundle;
  judged.cameras = known.cameras;
  result.heldOut = heldOutOf(judged, recording);
  bundle.cameras = known.cameras;
  settleBoard(bundle);
  refuseAbsurdLenses(bundle, recording);

  const double sigma = cornerSigma(bundle);
  const auto covariance = covarianceOf(bundle, sigma);
  if (!covariance)
    throw Error(
        "the board's views do not determine the cameras; tilt it in different directions, and show "
        "it all over the images");
  result.moments = recording.moments.size();
  result.found = bundle.places.size();
  result.scaled = true;
  result.misfit = result.dotSigma = sigma;
  result.cameras = figuresOf(bundle, recording, sigma);
  result.shared = sharedViews(bundle);
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const BundleCamera& camera = bundle.cameras[c];
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers;
    result.cameras[c].focalSigma = std::sqrt((*covariance)(at, at));
    result.rig.cameras.push_back({fmt::format("cam_{}", c), recording.sizes[c].width,
                                  recording.sizes[c].height, camera.lens, then(camera.pose, {}),
                                  0});
  }
  setCovariance(result.rig, rigCovariance(bundle.cameras, *covariance));
  for (const Pose& place : bundle.places)
    for (const size_t corner : {size_t{0}, board.count() - 1})
      result.lights.push_back(place.apply(board.corner(corner)));
  result.doubts = doubtsOfCentres(bundle.cameras, recording.sizes);
  UsedPixels pixels(bundle.cameras.size());
  for (const BoardSight& sight : bundle.sights)
    std::ranges::copy(sight.corners, std::back_inserter(pixels[sight.camera]));
  if (auto doubt = doubtOfFisheyes(bundle.cameras, pixels))
    result.doubts.push_back(std::move(*doubt));
  if (auto doubt = doubtOfMarkers(recording, board)) result.doubts.push_back(std::move(*doubt));
  if (!bundle.places.empty()) result.board = bundle.places.front().inverse();
  return result;
}

LightRecording recordingOf(const BoardRecording& recording) {
  return {recording.sizes, {}, true, false, 0};
}

}  // namespace glint::motion
