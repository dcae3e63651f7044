// Options for detecting cameras that are in another place than the rig says.
//
// Most members name the source of their value. "Tuned on" names the simulation that guards it, the
// scenes of tests/space. "Choice" means that the value is a plausible round number and no
// measurement of it is recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>

namespace glint::motion {

/// Options for detecting that a camera was moved (CameraMoveDetector). Values without a stated
/// source were tuned on tests/space (cameras that move).
struct CameraMoveOptions {
  /// Maximum distance between the predicted place of a point and a camera's nearest dot, px, for
  /// the dot to count as the point. Raising it detects larger moves, and takes more dots of other
  /// markers.
  double dotReach = 40;

  /// Number of offsets between dots and predicted places that form a window. Its median is compared
  /// with the usual one. Raising it detects moves later and with more certainty.
  size_t window = 150;

  /// A window is conclusive if half of its offsets lie within this distance of their median, px.
  /// The medians of two windows confirm each other if they differ by at most as much. Raising it
  /// accepts noisier windows.
  double together = 1;

  /// Minimum difference between the median and the usual one, px. Raising it detects larger moves
  /// only. A calibrated rig is better than 1 px.
  double moved = 1;

  /// Minimum number of cameras for correcting one that was wrong from the first set on. With fewer
  /// cameras it is not clear which one is wrong.
  size_t minCameras = 4;

  /// Maximum offset of the other cameras, as a share of the offset of the camera that is blamed. A
  /// wrong camera pulls the points that it helps to locate, so the others see a share of its
  /// offset. Raising it corrects more cameras, and sometimes a wrong one.
  double othersShare = 0.6;
};

/// Options for saying that a camera is in doubt (CameraDoubts).
struct CameraDoubtOptions {
  /// A camera is in doubt if its residuals exceed the stated sigmas by more than this, px. Raising
  /// it mentions fewer cameras. It is the limit at which `glint calibrate` calls a rig poor.
  double poor = 1.5;

  /// Number of points in a camera's image that are enough for a judgement at the end of a run.
  /// Raising it judges fewer cameras. Choice.
  uint64_t minPoints = 60;

  /// Number of points that are needed for a judgement during a run. Until then, a
  /// CameraMoveDetector knows more. Raising it judges later. Choice.
  uint64_t minPointsEarly = 250;

  /// Number of dots from which on a camera is in doubt if hardly any of them fits a dot of another
  /// camera. Raising it judges fewer cameras. Choice.
  uint64_t minDots = 1000;

  /// Number of dots that are needed for this judgement during a run. Raising it judges later.
  /// Choice: three times as many.
  uint64_t minDotsEarly = 3000;

  /// Minimum share of the points in a camera's image for which the camera has the dot. Raising it
  /// suspects more cameras. Bodies hide at most half of the points from a camera that is in its
  /// place, so this leaves room.
  double minFitting = 0.15;
};

/// How it is found out that the rays of two cameras do not fit (RayMisses). Choices.
struct RayMissOptions {
  /// Dots of the first camera that are needed. Raising it speaks later.
  size_t minDots = 100;

  /// Dots of the first camera that are compared at most. Raising it takes more memory.
  size_t most = 5000;

  /// Share of the dots that make points, above which nothing is said. Raising it speaks of cameras
  /// that see different markers, too.
  double minUsed = 0.5;

  /// Chance that a dot is as near to a line as half of them are, above which this says nothing.
  /// Raising it speaks where cameras see different markers.
  double maxChance = 0.2;

  /// px: rays that miss each other by more do not fit; below that, they fit too many others.
  double poor = 1;
};

/// How the pose of a camera that was moved is found (correctionOf()).
struct RigCorrectionOptions {
  /// Standard deviation of the expected rotation, rad. Raising it lets few points rotate the camera
  /// further. Choice: one degree.
  double turn = std::numbers::pi / 180;

  /// Standard deviation of the expected shift along each axis, mm. Raising it lets few points shift
  /// the camera further. Choice.
  double shift = 10;

  /// Maximum distance of a dot from the common offset, px, for the dot to be used at the beginning.
  /// Raising it lets more dots of other markers in. Choice.
  double firstReach = 4;

  /// Number of standard deviations of the residuals within which dots are used once the pose is
  /// nearly right. Raising it uses more dots, and more wrong ones.
  double reach = 3;

  /// Distance within which dots are used in any case, px. Raising it uses more dots, and more wrong
  /// ones. Choice.
  double minReach = 0.5;

  /// Lower limit for the noise of a coordinate, px. Raising it gives more weight to the expected
  /// rotation and shift. Choice: very good dots.
  double minNoise = 0.05;

  /// Number of standard deviations beyond which a residual counts by its length instead of its
  /// square (Huber). Raising it gives wrong dots more influence. Choice: close to the usual 1.345.
  double huber = 1.5;

  /// Minimum number of dots that remain. Raising it corrects fewer cameras. Choice.
  size_t minPoints = 40;

  /// Number of Gauss-Newton steps. The second half uses only the dots that fit. Raising it takes
  /// longer. Choice.
  int rounds = 12;

  /// Chi squared of the change of a pose above which the change is larger than the rig's covariance
  /// explains: 99.9 % for six degrees of freedom.
  double beyondChi2 = 22.458;
};

/// Options for comparing the rig with the points (RigCheck).
struct RigCheckOptions {
  /// One set in this many is used to compare the cameras with each other. Raising it saves time,
  /// and detects moves later. Choice.
  uint64_t interval = 4;

  /// Margin at the border of an image in which a camera is not compared, px, because a marker that
  /// is missing there may have left the image. It is larger than CameraMoveOptions::dotReach.
  double margin = 45;

  CameraMoveOptions moves;
  CameraDoubtOptions doubts;
  RayMissOptions misses;
  RigCorrectionOptions correction;
};

}  // namespace glint::motion
