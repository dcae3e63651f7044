// The numbers that steer how cameras are found that stand elsewhere than the rig says.
//
// Most members name the source of their value. "Tuned on" names the simulation that guards it, the
// scenes of tests/space. "Choice" means that the value is a plausible round number and no
// measurement of it is recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>

namespace glint::motion {

/// How it is noticed that a camera was moved (CameraMoveDetector). Tuned on tests/space (cameras
/// that move), where no source is named.
struct CameraMoveOptions {
  /// px from the place of a point within which a camera's nearest dot is taken for it. Raising it
  /// notices larger moves, and takes more dots of other markers.
  double dotReach = 40;

  /// Offsets of dots from their points that make a window, whose median is compared with those
  /// before. Raising it notices moves later and more surely.
  size_t window = 150;

  /// px. Half of a window's offsets must lie this near to their median, or it tells nothing. So
  /// near must the medians of two windows be that confirm each other. Raising it accepts noisier
  /// windows.
  double together = 1;

  /// px by which the median must differ from the usual one. Raising it notices only larger moves.
  /// A calibrated rig is better than 1 px.
  double moved = 1;

  /// Cameras from which on a camera that stood wrong from the first set on is corrected. With fewer
  /// of them nobody knows which one stands wrong.
  size_t minCameras = 4;

  /// Share of a camera's offset up to which others may be aside when it is said to stand wrong. The
  /// points that it helps to place are aside for others, too, by a share of its own offset. Raising
  /// it corrects more cameras, and sooner a wrong one.
  double othersShare = 0.6;
};

/// When a camera is said to be in doubt (CameraDoubts).
struct CameraDoubtOptions {
  /// px. A camera whose residuals, beyond the stated sigmas, are larger is in doubt. Raising it
  /// speaks of fewer cameras. It is where `glint calibrate` calls a rig poor.
  double poor = 1.5;

  /// Points in a camera's image that say at the end whether it fits. Raising it speaks later.
  /// Choice.
  uint64_t minPoints = 60;

  /// Points that are needed while a run goes on. Before that, a CameraMoveDetector knows more.
  /// Choice.
  uint64_t minPointsEarly = 250;

  /// Dots from which on a camera is in doubt if hardly any of them fits another camera's. Raising
  /// it speaks later. Choice.
  uint64_t minDots = 1000;

  /// Dots that are needed for that while a run goes on. Choice: three times as many.
  uint64_t minDotsEarly = 3000;

  /// Share of the points in a camera's image of which it must have the dot. Raising it suspects
  /// more cameras. Bodies hide half of the points at most from a camera that stands right, so this
  /// leaves room.
  double minFitting = 0.15;
};

/// How the pose of a camera that was moved is found (correctionOf()).
struct RigCorrectionOptions {
  /// rad: the standard deviation of the turn that is expected. Raising it lets few points turn the
  /// camera further. Choice: one degree.
  double turn = std::numbers::pi / 180;

  /// mm: the standard deviation of the shift that is expected, of each coordinate. Choice.
  double shift = 10;

  /// px from the common offset within which dots count at first. Raising it lets more dots of other
  /// markers in. Choice.
  double firstReach = 4;

  /// Standard deviations of the residuals within which dots count once the pose is about right.
  double reach = 3;

  /// px within which they count in any case. Choice.
  double minReach = 0.5;

  /// px: the noise of a coordinate counts as at least this. Raising it trusts the expected turn and
  /// shift more. Choice: very good dots.
  double minNoise = 0.05;

  /// Standard deviations from which on a residual counts like its length, not its square (Huber).
  /// Raising it lets wrong dots pull more. Choice: near to the usual 1.345.
  double huber = 1.5;

  /// Dots that must be left. Raising it corrects fewer cameras. Choice.
  size_t minPoints = 40;

  /// Steps of Gauss-Newton. Those in the second half use only the dots that fit. Choice.
  int rounds = 12;

  /// Chi squared of the change of the pose above which it is further than the rig's covariance
  /// allows: of six degrees of freedom, 99.9 %.
  double beyondChi2 = 22.458;
};

/// How the rig is compared with the points (RigCheck).
struct RigCheckOptions {
  /// Every so many sets the cameras are compared with each other. Raising it saves time. Choice.
  uint64_t interval = 4;

  /// px from the border within which a camera is not compared, because a marker that is missing
  /// there may have left the image. It is more than CameraMoveOptions::dotReach.
  double margin = 45;

  CameraMoveOptions moves;
  CameraDoubtOptions doubts;
  RigCorrectionOptions correction;
};

}  // namespace glint::motion
