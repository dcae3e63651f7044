// Somebody waves lights before a rig: what each camera sees, and the truth of it.
#pragma once

#include <array>
#include <vector>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/geometry/rig.h"

namespace glint::test {

struct Waving {
  int cameras = 4;
  int frames = 500;
  double fps = 50;
  motion::Target target{{0, 1}, 500};
  double sigma = 0.1;  ///< px, of each coordinate
  double clutter = 0;  ///< dots that are no lights, a light
  double missing = 0;  ///< share of lights that are not seen
  int lateCamera = -1;
  double late = 0;         ///< s
  bool lateKnown = false;  ///< by its own times, as of cameras that run freely
  bool randomRig = false;  ///< any places, directions and lenses, instead of the circle of 3.5 m
  bool planar = false;     ///< all in one plane
  /// Lenses of k1 -0.4 to -0.1, as of webcams and action cameras; of random rigs.
  bool strongLenses = false;
  double skew = 0;    ///< p1 and p2 of all lenses
  bool bare = false;  ///< neither times nor sigmas are told
  unsigned seed = 1;
};

struct Waved {
  motion::Rig truth;
  motion::LightRecording recording;
  std::vector<std::array<Eigen::Vector3d, 2>> places;  ///< of the ends at times between the frames
};

Waved wave(const Waving& waving);

/// Cameras of 1280x1024 and f 1000 px, nearly, in a circle of 3.5 m.
motion::Rig circleRig(int cameras, unsigned seed);

/// Cameras anywhere around the volume, of different sizes and lenses.
motion::Rig anyRig(int cameras, unsigned seed, bool strongLenses = false);

/// How good a rig is in space, at places of the wand that were not used: each camera sees them with
/// `sigma`, they are triangulated and laid on the truth.
struct SpaceError {
  double rms = 0;                          ///< mm
  double lengthMean = 0, lengthSigma = 0;  ///< mm, of the wand
};
SpaceError spaceError(const Waved& waved, const motion::Rig& rig, double sigma,
                      bool anyScale = false);

/// The true rig as its numbers compare with those of a calibrated one: in the first's frame, and of
/// two vectors for one rotation (about half a turn) the one that is nearer.
motion::Rig truthLike(const Waved& waved, const motion::Rig& rig);

/// How many of the numbers whose covariance is stated lie within their 95 %, and how many there
/// are.
struct Coverage {
  size_t within = 0, all = 0;
};
Coverage coverageOf(const Waved& waved, const motion::Rig& rig);

}  // namespace glint::test
