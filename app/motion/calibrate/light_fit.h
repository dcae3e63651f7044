// Cameras and lights fitted to a recording, step by step. Internal to calibrate/.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A bundle on its way from a start to the best fit. All steps throw Error where the recording does
/// not determine what is asked for.
class LightFit {
 public:
  LightFit(const LightRecording& recordingOf, const CalibrationOptions& optionsOf, Bundle start)
      : recording(recordingOf), options(optionsOf), bundle(std::move(start)) {}

  /// All that is asked for, from cameras that are good to some pixels.
  void fromStart();
  /// Again on `moments`, from cameras that are fitted: lights first, cameras held.
  void lightsOf(const std::vector<size_t>& moments);
  /// Numbers that data say little of go back to what was known before, and stay.
  void holdUndetermined();
  /// Fits to the end; again where an offset in time turned out to be none.
  void settle();
  void continueFrom(const LightFit& other) { moving_ = other.moving_; }

  const LightRecording& recording;
  const CalibrationOptions& options;
  Bundle bundle;
  std::vector<std::string> held;  ///< what holdUndetermined() has put back

 private:
  void findOffsets();
  bool dropOffsets();
  void settleOnce();
  void scaleBase();
  /// Standard deviations of the cameras' numbers.
  std::vector<std::array<double, lensNumbers>> lensSigmas() const;
  void refuseUnknownFocals() const;
  bool moving_ = false;
};

/// px, of the sights' standard deviations.
double medianSigma(const Bundle& bundle);

}  // namespace glint::motion
