// What a calibration is asked for, and what it gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

enum class LensTerms { none, k1, k1k2, full };

struct CalibrationOptions {
  Target target;
  LensTerms terms = LensTerms::k1k2;
  std::optional<BaseLine> base;  ///< of a single light; without it the scale is arbitrary
  std::vector<Lens> intrinsics;  ///< a camera each, to start from; empty: unknown
  bool fixIntrinsics = false;    ///< they stay; needs them

  /// Returns the numbers of a lens that are adjusted.
  LensFree freeNumbers() const;
};

/// What is known of one camera's fit. Pixels are lengths of residuals.
struct CameraFigures {
  double mean = 0, rms = 0;  ///< px
  double within = 0;         ///< share within 1 px of all that are offered
  size_t dots = 0;           ///< that are lights
  /// Dots that should be lights: where the target was found or two cameras see it whole, at most as
  /// many a view as it has.
  size_t offered = 0;
  double timeOffset = 0, timeSigma = 0;  ///< s (frames without times); 0: in step
  double focalSigma = 0;                 ///< px
  uint64_t fields = 0;  ///< of the image, those with lights in them: see image_fields.h
  double misfit = 0;    ///< as of Calibration, of this camera alone
};

/// The share of a camera's dots that are lights of the rig; 1 where it has none.
inline double shareThatFits(const CameraFigures& f) {
  return f.offered > 0 ? static_cast<double>(f.dots) / static_cast<double>(f.offered) : 1;
}

/// Residuals and lengths in moments that the fit has not seen.
struct HeldOut {
  std::vector<CameraFigures> cameras;
  size_t moments = 0;                                       ///< with the target in them
  std::vector<double> lengths = {};                         ///< of the wand in each of them, mm
  double mean = 0, rms = 0;                                 ///< px, of all cameras
  double lengthMean = 0, lengthSigma = 0, lengthWorst = 0;  ///< mm; the worst is the largest error
};

/// One that was moved while it was being calibrated.
struct MovedCamera {
  size_t camera = 0;
  double time = 0;    ///< after which, s or frames: see LightRecording::timed
  double pixels = 0;  ///< by how much its lights are shifted afterwards against before, rms
};

/// What was told and does not agree with what was seen: half a sentence, and what to do.
struct Doubt {
  std::string what, mend;
};

struct Calibration {
  Rig rig;                             ///< in the frame of the first camera, with covariance
  bool scaled = false;                 ///< in mm; else the distance of two cameras was set to 1000
  std::vector<CameraFigures> cameras;  ///< of the final fit, on all moments
  HeldOut heldOut;
  size_t moments = 0, found = 0;  ///< all, and those with the target in them
  /// Root of the residuals' mean square against the sigmas': 1 where these are right. Where they
  /// were not given it is the sigma, px. Above 1 the covariance is widened by it.
  double misfit = 1;
  std::vector<std::string>
      held;  ///< numbers that the recording does not determine, kept as they were
  std::vector<Eigen::Vector3d> lights;  ///< all ends of the final fit, in the frame of `rig`, mm
  double dotSigma = 0;                  ///< px, the median of the dots' standard deviations
  /// From the frame of `rig` to that of the board, as it was first seen.
  std::optional<Pose> board;
  std::optional<MovedCamera> disturbed;  ///< while it was being calibrated
  std::optional<size_t> skewLens;        ///< whose p1 and p2 were held, though the dots tell them
  std::vector<Doubt> doubts;
  std::vector<size_t> still;  ///< cameras of which lights that stand still were left out
  /// Moments in which cameras i and j have both seen a light of the target, at [i][j].
  std::vector<std::vector<size_t>> shared;
};

/// In a world that is moved: see moved() of a rig.
Calibration moved(Calibration calibration, const Pose& motion);

}  // namespace glint::motion
