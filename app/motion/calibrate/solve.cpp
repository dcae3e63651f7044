#include "app/motion/calibrate/solve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/calibrate/disturbed.h"
#include "app/motion/calibrate/doubts.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
#include "app/motion/calibrate/light_fit.h"
#include "app/motion/calibrate/refusals.h"
#include "app/motion/calibrate/skew_lens.h"
#include "app/motion/calibrate/start.h"
#include "app/motion/calibrate/still_lights.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// One moment in this many is kept back. Raising it keeps fewer moments back.
constexpr size_t kHeldOut = 5;

/// Returns true if each dot that counts has a ray. Outside the area of dots the distortion may fold
/// the image.
bool hasRays(const Bundle& bundle, size_t camera) {
  return std::all_of(bundle.sights.begin(), bundle.sights.end(), [&](const BundleSight& s) {
    return s.camera != camera || undistort(bundle.cameras[camera].lens, s.pixel);
  });
}

/// Throws Error if a lens is implausible or fewer than half of `whole` moments agree with the rig.
void refuseAbsurd(const LightFit& fit, size_t whole) {
  const Bundle& bundle = fit.bundle;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const Lens& l = bundle.cameras[c].lens;
    if (!isPlausible(l, fit.recording.sizes[c]) || !hasRays(bundle, c))
      throw Error(
          fmt::format("the best fit for camera {} is implausible (f {:.0f} px, centre ({:.0f}, "
                      "{:.0f}), k1 {:.2f}, k2 {:.2f}); check the size of its image, or record "
                      "more, all over it",
                      c, l.fx, l.cx, l.cy, l.k1, l.k2));
  }
  if (2 * bundle.items.size() < whole)
    throw Error(fmt::format(
        "only {} of {} moments agree with one rig; check that no camera moved, that the recordings "
        "began together (--offset), and the wand's length",
        bundle.items.size(), whole));
}

/// Returns the number of moments in which at least two cameras see the whole target.
size_t countWhole(const LightRecording& recording, const Target& target) {
  return static_cast<size_t>(
      std::count_if(recording.moments.begin(), recording.moments.end(),
                    [&](const Moment& moment) { return isShared(moment, target); }));
}

// Minimum number of moments in which two cameras see the whole target. Raising it refuses more
// recordings.
constexpr size_t kLeastWhole = 30;

void checkEnough(const LightRecording& recording, const CalibrationOptions& options) {
  if (recording.sizes.size() < 2)
    throw Error("one camera alone cannot be calibrated by lights; two or more must see them");
  if (recording.sizes.size() == 2 && !options.target.isWand() && options.intrinsics.empty())
    throw Error(
        "two cameras and a single light do not tell the focal lengths; give them with "
        "--intrinsics, wave a wand, or add a camera");
  const size_t whole = countWhole(recording, options.target);
  if (whole < kLeastWhole)
    throw Error(fmt::format("two cameras see {} in {} moments only; at least {} are needed",
                            options.target.isWand() ? "the whole wand" : "the light", whole,
                            kLeastWhole));
}

/// Returns the recording without lights that stand still, and sets `still` to the cameras that had
/// any. If too little is left, the target itself stands still; then everything is kept, and the
/// recording is refused elsewhere.
LightRecording movingOf(const LightRecording& recording, const Target& target,
                        std::vector<size_t>& still) {
  LightRecording moving = recording;
  still = removeStillLights(moving);
  if (still.empty() || countWhole(moving, target) >= kLeastWhole) return moving;
  still.clear();
  return recording;
}

std::vector<std::vector<size_t>> sharedMoments(const Bundle& bundle) {
  std::vector<std::vector<bool>> sees(bundle.cameras.size(),
                                      std::vector<bool>(bundle.items.size()));
  for (const BundleSight& s : bundle.sights) sees[s.camera][s.item] = true;
  return countShared(sees);
}

/// Replaces each rotation vector by the shortest one for the same rotation.
void normaliseRotations(Bundle& bundle) {
  for (BundleCamera& c : bundle.cameras) c.pose.rotation = then(c.pose, {}).rotation;
}

/// Fills in the final results of the fit.
void conclude(Calibration& result, LightFit& fit) {
  Bundle& bundle = fit.bundle;
  const LightRecording& recording = fit.recording;
  result.found = bundle.items.size();
  const double misfit = misfitOf(bundle);
  result.misfit = recording.sigmasKnown ? misfit : misfit * medianSigma(bundle);
  result.cameras = cameraFigures(bundle, recording, fit.options.target,
                                 std::vector<bool>(recording.moments.size(), true));
  result.rig = rigOf(bundle, recording);
  const auto covariance = covarianceOf(bundle);
  if (!covariance) throw Error("the recording does not determine the cameras");
  const double widen = std::max(1.0, misfit * misfit);
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers;
    result.cameras[c].focalSigma = std::sqrt(widen * (*covariance)(at, at));
    result.cameras[c].timeSigma =
        std::sqrt(widen * (*covariance)(at + kTimeNumber, at + kTimeNumber));
  }
  setCovariance(result.rig, widen * rigCovariance(bundle.cameras, *covariance));
  for (const BundleItem& item : bundle.items)
    result.lights.insert(result.lights.end(), item.ends.begin(), item.ends.end());
  result.dotSigma = medianSigma(bundle);
  result.shared = sharedMoments(bundle);
  result.disturbed = findMoved(bundle, recording, fit.options.target);
  result.doubts = doubtsOf(bundle, recording, fit.options.target);
  if (fit.options.terms < LensTerms::full && !fit.options.fixIntrinsics && !result.disturbed)
    result.skewLens = skewLens(bundle);
}

}  // namespace

Calibration moved(Calibration calibration, const Pose& motion) {
  calibration.rig = moved(calibration.rig, motion, 1);
  for (Eigen::Vector3d& light : calibration.lights) light = motion.apply(light);
  return calibration;
}

Calibration calibrate(const LightRecording& given, const CalibrationOptions& options) {
  checkEnough(given, options);
  Calibration result;
  const LightRecording recording = movingOf(given, options.target, result.still);
  LightRecording training = recording;
  training.moments.clear();
  std::vector<bool> heldOut(recording.moments.size());
  std::vector<size_t> all(recording.moments.size());
  std::iota(all.begin(), all.end(), size_t{0});
  for (const size_t m : all) {
    heldOut[m] = m % kHeldOut == kHeldOut - 1;
    if (!heldOut[m]) training.moments.push_back(recording.moments[m]);
  }
  LightFit known(training, options, startRig(training, options));
  known.fromStart();
  refuseStrangers(known.bundle, training, options.target);
  known.holdUndetermined();
  refuseAbsurd(known, countWhole(training, options.target));

  result.moments = recording.moments.size();
  result.scaled = options.target.isWand() || options.base;
  result.held = known.held;
  LightFit whole(recording, options, known.bundle);
  whole.continueFrom(known);
  whole.lightsOf(all);
  result.heldOut = heldOutFigures(whole.bundle, recording, options.target, heldOut);
  whole.settle();
  normaliseRotations(whole.bundle);
  refuseStrangers(whole.bundle, recording, options.target);
  refuseTwins(whole.bundle);
  refuseAbsurd(whole, countWhole(recording, options.target));
  conclude(result, whole);
  return result;
}

}  // namespace glint::motion
