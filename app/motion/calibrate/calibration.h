// Options and results of a calibration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/frame_shifts.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Distortion terms of a lens that are estimated. `full` means k1, k2 and k3. All but `none`
/// estimate p1 and p2, too. `fisheye` means k1 to k4 of a fisheye lens, which only boards
/// determine.
enum class LensTerms { none, k1, k1k2, full, fisheye };

/// Standard deviations of the numbers of a lens before anything is measured. They are weak: each is
/// about what lenses of cameras without a fisheye differ by. Raising one lets a lens follow wrong
/// dots more easily; lowering it pulls unusual lenses to the usual ones.
struct LensPriors {
  /// Distance of the centre from the middle of the image in x and in y, as a share of the image's
  /// width. Sensors are glued to within some percent of it.
  double centre = 0.04;
  /// k1. Lenses of webcams and action cameras without a fisheye have -0.4 to 0.1.
  double radial1 = 0.3;
  /// k2 and k3, which mostly undo a part of k1.
  double radial = 0.2;
  /// p1 and p2. A sensor that is tilted by the angle t (rad) against the lens gives t / 3 to t / 2,
  /// so this is a third of a degree.
  double tangential = 0.002;
  /// fy / fx - 1. Calibrated webcams lie between -0.006 and 0.006.
  double aspect = 0.004;
};

/// Limits that decide when an explanation of a recording is doubted, and which one is better.
struct RivalOptions {
  /// Residual of the fit, in standard deviations, above which other explanations are tried. If no
  /// sigmas are given, it is the residual in px divided by `doubtfulPixels`. Raising it tries them
  /// less often. With right sigmas the residual is 1 within some hundredths.
  double doubtfulMisfit = 1.2;
  /// Residual, px, of a fit without given sigmas that is as doubtful as a misfit of 1. Detected
  /// lights are rarely less exact.
  double doubtfulPixels = 0.2;
  /// Share of a camera's dots that must fit. Below it, other explanations are tried. Raising it
  /// tries them more often.
  double fittingShare = 0.75;
  /// A camera that is late by more than this many frames may be late by a whole number of them.
  /// Raising it tries other explanations less often. Up to half a frame is common among cameras
  /// that run freely.
  double doubtfulFrames = 0.7;
  /// Error in moments kept back, as a share of the doubted explanation's, that a better one may
  /// have at most. Raising it takes explanations that are hardly better. In a simulated recording
  /// with a lost frame, the right one leaves 3 %.
  double better = 0.8;
  /// Like `better`, for a camera that moved in the middle of the recording. A move is seen in one
  /// camera and perhaps in a tenth of its dots, so the error falls by little. Raising it to 1 or
  /// more reports moves that explain nothing.
  double moved = 0.995;
  /// Largest error of a dot that counts, px, also for a dot that fits nothing. It should be above
  /// what dots that fit are off by. Raising it prefers explanations that leave fewer dots.
  double stray = 1;
};

struct CalibrationOptions {
  Target target;
  LensTerms terms = LensTerms::k1k2;
  /// Known distance of two cameras for a single light. Without it the scale is arbitrary.
  std::optional<BaseLine> base;
  /// Known lenses to start from, one for each camera, or none.
  std::vector<Lens> intrinsics;
  /// If true, `intrinsics` must be given and are not changed.
  bool fixIntrinsics = false;
  LensPriors priors = {};
  RivalOptions rivals = {};

  /// Returns the numbers of a lens that are not known exactly.
  LensFree freeNumbers() const;
  /// Returns the numbers of a lens that are adjusted. A single light alone hardly determines p1, p2
  /// and fy / fx, so they stay at their priors unless `terms` is full.
  LensFree fittedNumbers() const;
};

/// Figures about how well one camera fits. Pixels are lengths of residuals.
struct CameraFigures {
  /// Mean and root mean square residual, px.
  double mean = 0, rms = 0;
  /// Number of residuals below 1 px, as a share of `offered`.
  double within = 0;
  /// Dots that were identified as lights.
  size_t dots = 0;
  /// Dots that should be lights, in moments in which the target was found or two cameras see all of
  /// it. A view counts at most as many as the target has lights. Dots that are probably no lights
  /// (View::strays) do not count unless they were identified.
  size_t offered = 0;
  /// Time offset and its standard deviation, s (frames if there are no times). 0 if the camera is
  /// in step.
  double timeOffset = 0, timeSigma = 0;
  /// Part of `timeOffset` that comes from whole frames: see Calibration::shifts.
  double wholeFrames = 0;
  /// BundleCamera::readout and its standard deviation, s (frames if there are no times). 0 if all
  /// rows are taken at once.
  double readout = 0, readoutSigma = 0;
  /// Standard deviation of the focal length, px.
  double focalSigma = 0;
  /// Fields of the image that had lights in them, as bits: see image_fields.h.
  uint64_t fields = 0;
  /// Calibration::misfit of this camera alone.
  double misfit = 0;
};

/// Returns the share of a camera's offered dots that were identified as lights, or 1 if it has
/// none.
inline double shareThatFits(const CameraFigures& f) {
  return f.offered > 0 ? static_cast<double>(f.dots) / static_cast<double>(f.offered) : 1;
}

/// Residuals and wand lengths in moments that the fit has not used.
struct HeldOut {
  std::vector<CameraFigures> cameras;
  /// Number of these moments with the target.
  size_t moments = 0;
  /// Measured length of the wand in each of them, mm.
  std::vector<double> lengths = {};
  /// Mean and root mean square residual of all cameras, px.
  double mean = 0, rms = 0;
  /// Mean and standard deviation of the lengths, and the largest error of one, mm.
  double lengthMean = 0, lengthSigma = 0, lengthWorst = 0;
};

/// A camera that was moved during the calibration.
struct MovedCamera {
  size_t camera = 0;
  /// The last known time before the move: s, or frame number without times (LightRecording::timed).
  double time = 0;
  /// Rms shift of the lights in the camera's image between before and after, px.
  double pixels = 0;
};

/// A stated fact that disagrees with the recording: what is wrong, as half a sentence, and what to
/// do about it.
struct Doubt {
  std::string what, mend;
};

struct Calibration {
  /// The cameras in the frame of the first one, with covariance. If the recording has no times, the
  /// time offsets and readouts are 0, because they are known in frames only.
  Rig rig;
  /// True if lengths are in mm. Otherwise the distance of two cameras was set to 1000.
  bool scaled = false;
  /// Figures of the final fit on all moments.
  std::vector<CameraFigures> cameras;
  HeldOut heldOut;
  /// Number of all moments, and of those with the target.
  size_t moments = 0, found = 0;
  /// Root of the mean squared residual in units of sigma: 1 if the given sigmas are right. If none
  /// were given, it is the estimated sigma, px. If it is above 1, the covariance was widened
  /// accordingly.
  double misfit = 1;
  /// Names of lens numbers that the recording does not determine. They have kept their initial
  /// values or are near them. The covariance of the rig contains their priors.
  std::vector<std::string> held;
  /// Positions of all ends in the final fit, in the frame of `rig`, mm.
  std::vector<Eigen::Vector3d> lights;
  /// Median standard deviation of the dots, px.
  double dotSigma = 0;
  /// The transform from the frame of `rig` to that of the board in its first place.
  std::optional<Pose> board;
  /// A camera that was moved during the calibration.
  std::optional<MovedCamera> disturbed;
  /// How the frames of each camera were counted, or none if they were counted as given.
  std::vector<FrameShift> shifts;
  std::vector<Doubt> doubts;
  /// Cameras of which dots that never move were left out.
  std::vector<size_t> still;
  /// Number of moments in which cameras i and j both saw a light of the target, at [i][j].
  std::vector<std::vector<size_t>> shared;
};

/// Sets the prior of camera `index` of a recording: the given lens if there is one, or else a lens
/// without distortion, whose centre is in the middle of an image of this size.
void setPrior(BundleCamera& camera, const CalibrationOptions& options, const FrameExtent& size,
              size_t index);

/// Returns the calibration in a moved world: see moved() of a rig.
Calibration moved(Calibration calibration, const Pose& motion);

}  // namespace glint::motion
