// Simulates somebody who waves lights before a rig: what each camera sees, and where the lights
// really are.
#pragma once

#include <array>
#include <vector>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/geometry/rig.h"

namespace glint::test {

/// A description of a recording of lights that somebody waves.
struct Waving {
  int cameras = 4;
  int frames = 500;
  double fps = 50;
  motion::Target target{{0, 1}, 500};
  double sigma = 0.1;  ///< The noise of each coordinate, px.
  double clutter = 0;  ///< The number of dots per light that are no lights.
  int strays = 0;      ///< The number of dots in each image that are no lights.
  double missing = 0;  ///< The share of lights that are not seen.
  int lateCamera = -1;
  double late = 0;  ///< The delay of `lateCamera`, s.
  /// True if the delay is known from the camera's own times, as with cameras that run freely.
  bool lateKnown = false;
  /// True: places, directions and lenses are random. False: the cameras stand in a circle of 3.5 m.
  bool randomRig = false;
  /// Time in which each camera reads the rows of its image, s: the last row is seen this much later
  /// than the first one, and the middle row at the time of the frame.
  double readout = 0;
  bool planar = false;  ///< True if all lights stay in one plane.
  /// True if the lenses of a random rig have a k1 of -0.4 to -0.1, as those of webcams and action
  /// cameras.
  bool strongLenses = false;
  double skew = 0;  ///< The value that is added to p1 and p2 of all lenses.
  /// True if the lenses differ from each other like those of webcams: fy / fx is within 0.006 of 1,
  /// and p1 and p2 are within 0.002 of 0.
  bool webcams = false;
  int pushedCamera = -1;
  int pushedAt = 0;  ///< The first frame after the push of `pushedCamera`.
  /// The push in the camera's own frame: a rotation (a Rodrigues vector, rad) and a shift (mm).
  motion::Pose push = {};
  bool bare = false;  ///< True if the recording has neither times nor sigmas.
  unsigned seed = 1;
};

/// A recording of lights, with its truth.
struct Waved {
  /// The cameras; one that was pushed is as it is after the push.
  motion::Rig truth;
  motion::LightRecording recording;
  /// The true places of the wand's ends, at times between the frames.
  std::vector<std::array<Eigen::Vector3d, 2>> places;
};

Waved wave(const Waving& waving);

/// Returns cameras of 1280x1024 pixels and a focal length of about 1000 px, which stand in a circle
/// of 3.5 m.
motion::Rig circleRig(int cameras, unsigned seed);

/// Returns cameras anywhere around the volume, with different image sizes and lenses.
motion::Rig anyRig(int cameras, unsigned seed, bool strongLenses = false);

/// The errors of a rig in space. They are measured at places of the wand that the calibration did
/// not use: each camera sees these with a noise of `sigma` px, and the triangulated points are
/// aligned with the truth.
struct SpaceError {
  double rms = 0;  ///< The rms error of the wand's ends, mm.
  /// The mean and the standard deviation of the wand's length, mm.
  double lengthMean = 0, lengthSigma = 0;
};
SpaceError spaceError(const Waved& waved, const motion::Rig& rig, double sigma,
                      bool anyScale = false);

/// Returns the true rig so that its numbers can be compared with those of a calibrated one. It is
/// in the first camera's frame. Two rotation vectors describe the same rotation, and the one nearer
/// to the calibrated one is used.
motion::Rig truthLike(const Waved& waved, const motion::Rig& rig);

/// The numbers whose covariance is stated: how many there are in all, and how many lie within 95 %
/// of their stated distribution.
struct Coverage {
  size_t within = 0, all = 0;
};
Coverage coverageOf(const Waved& waved, const motion::Rig& rig);

/// Returns the largest error of a number whose covariance is stated, in its standard deviations.
double largestError(const Waved& waved, const motion::Rig& rig);

/// Counts the wand's ends at places that the calibration did not use. Each is seen with a noise of
/// `sigma` px and triangulated, and is within if its error is inside the stated 95 % ellipsoid,
/// which follows from that noise and from the covariance of the rig.
Coverage ellipsoidsOf(const Waved& waved, const motion::Rig& rig, double sigma);

}  // namespace glint::test
