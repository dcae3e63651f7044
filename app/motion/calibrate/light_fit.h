// Fits cameras and lights to a recording, step by step. Internal to calibrate/.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A bundle between the first guess and the best fit. The steps throw Error if the recording does
/// not determine what is asked for. The recording and the options must outlive it.
class LightFit {
 public:
  LightFit(const LightRecording& recordingOf, const CalibrationOptions& optionsOf, Bundle start)
      : recording(recordingOf), options(optionsOf), bundle(std::move(start)) {}

  /// Fits everything that the options ask for. The bundle's cameras must be right to some pixels.
  void fromStart();
  /// Labels `moments` again with the fitted cameras, and fits the lights only. Does not change the
  /// cameras.
  void lightsOf(const std::vector<size_t>& moments);
  /// Lists the numbers of lenses that the recording hardly determines in `held`. Those with a wide
  /// prior are reset to it and kept there, and the rest is fitted again. Throws Error if a focal
  /// length is not determined.
  void holdUndetermined();
  /// Frees all numbers of lenses that the options ask for. A fit that explains the dots badly
  /// cannot determine some of them, and has reset these to their priors. Call holdUndetermined()
  /// later.
  void freeLenses();
  /// Forgets the time offsets and estimates them again.
  void findOffsetsAgain();
  /// Fits the time in which each camera reads the rows of its images, and the time offsets again.
  /// Returns false if no camera takes a significant time, or if the motion of the lights is not
  /// known; then the bundle is of no use.
  bool findReadouts();
  /// Fits until nothing changes. If a time offset turns out to be insignificant, it is dropped and
  /// the fit repeated.
  void settle();
  /// Takes over from `other` if the motion of lights is estimated.
  void continueFrom(const LightFit& other) { moving_ = other.moving_; }

  const LightRecording& recording;
  const CalibrationOptions& options;
  Bundle bundle;
  /// Names of the numbers that holdUndetermined() has listed.
  std::vector<std::string> held;

 private:
  void findOffsets();
  bool dropOffsets();
  void settleOnce();
  void scaleBase();
  /// Returns the standard deviations of the numbers of each camera's lens.
  std::vector<std::array<double, lensNumbers>> lensSigmas() const;
  void refuseUnknownFocals() const;
  bool moving_ = false;
};

/// Returns the median standard deviation of the sights, px.
double medianSigma(const Bundle& bundle);

}  // namespace glint::motion
