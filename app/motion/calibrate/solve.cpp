#include "app/motion/calibrate/solve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/calibrate/doubts.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
#include "app/motion/calibrate/light_fit.h"
#include "app/motion/calibrate/rivals.h"
#include "app/motion/calibrate/smooth_lights.h"
#include "app/motion/calibrate/still_lights.h"
#include "config/error.h"

namespace glint::motion {
namespace {

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
  for (const BundleSight& s : bundle.sights) sees[bundle.takenBy(s.camera)][s.item] = true;
  return countShared(sees);
}

/// Replaces the place of a camera that was moved by its other place, the last of the rig, and
/// removes that. The covariance is that of the cameras that are left.
void standAfterMove(Rig& rig, Eigen::MatrixXd& covariance, size_t camera) {
  rig.cameras[camera].pose = rig.cameras.back().pose;
  rig.cameras.pop_back();
  std::vector<Eigen::Index> rows;
  for (size_t c = 0; c < rig.cameras.size(); ++c)
    for (int n = 0; n < kCameraNumbers; ++n)
      rows.push_back(
          static_cast<Eigen::Index>(c == camera ? rig.cameras.size() : c) * kCameraNumbers + n);
  covariance = Eigen::MatrixXd(covariance(rows, rows));
}

/// Fills in the final results of the fit.
void conclude(Calibration& result, const LightFit& fit) {
  const Bundle& bundle = fit.bundle;
  const LightRecording& recording = fit.recording;
  result.found = bundle.items.size();
  const double misfit = misfitOf(bundle);
  result.misfit = recording.sigmasKnown ? misfit : misfit * medianSigma(bundle);
  result.cameras = cameraFigures(bundle, recording, fit.options.target,
                                 std::vector<bool>(recording.moments.size(), true));
  result.rig = rigOf(bundle, recording);
  if (!recording.timed)
    for (RigCamera& camera : result.rig.cameras) camera.timeOffset = camera.readout = 0;
  // Numbers that were reset to their prior are as uncertain as the prior says.
  Bundle judged = bundle;
  for (BundleCamera& camera : judged.cameras)
    if (!camera.placeOf) camera.free = fit.options.freeNumbers();
  const auto covariance = covarianceOf(judged);
  if (!covariance) throw Error("the recording does not determine the cameras");
  const double widen = std::max(1.0, misfit * misfit);
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers;
    result.cameras[c].focalSigma = std::sqrt(widen * (*covariance)(at, at));
    result.cameras[c].timeSigma =
        std::sqrt(widen * (*covariance)(at + kTimeNumber, at + kTimeNumber));
    result.cameras[c].readoutSigma =
        std::sqrt(widen * (*covariance)(at + kReadoutNumber, at + kReadoutNumber));
  }
  Eigen::MatrixXd ofRig = widen * rigCovariance(bundle.cameras, *covariance);
  if (result.disturbed) standAfterMove(result.rig, ofRig, result.disturbed->camera);
  setCovariance(result.rig, ofRig);
  for (const BundleItem& item : bundle.items)
    result.lights.insert(result.lights.end(), item.ends.begin(), item.ends.end());
  result.dotSigma = medianSigma(bundle);
  result.shared = sharedMoments(bundle);
  result.doubts = doubtsOf(bundle, recording, fit.options.target);
  // The figures of a camera's other place are among those of the camera.
  result.cameras.resize(result.rig.cameras.size());
  result.heldOut.cameras.resize(result.rig.cameras.size());
  result.shared.resize(result.rig.cameras.size());
  for (auto& row : result.shared) row.resize(result.rig.cameras.size());
}

/// Adds shifts of whole frames to the time offsets of cameras.
void countFrames(Calibration& result, const std::vector<FrameShift>& shifts,
                 const LightRecording& recording) {
  result.shifts = shifts;
  for (size_t c = 0; c < shifts.size(); ++c) {
    CameraFigures& f = result.cameras[c];
    f.wholeFrames = -shifts[c].before * frameInterval(recording);
    f.timeOffset += f.wholeFrames;
    if (recording.timed) result.rig.cameras[c].timeOffset += f.wholeFrames;
  }
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
  LightRecording recording = movingOf(given, options.target, result.still);
  markStrays(recording, options.target);
  const BestExplanation best = explain(recording, options);
  result.moments = recording.moments.size();
  result.scaled = options.target.isWand() || options.base;
  result.held = best.fit->held();
  result.heldOut = best.fit->heldOut();
  result.disturbed = best.moved;
  conclude(result, best.fit->whole());
  countFrames(result, best.shifts, recording);
  return result;
}

}  // namespace glint::motion
