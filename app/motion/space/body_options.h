// Options of the algorithms that find and follow rigid bodies among points.
//
// Most members name the source of their value. "Tuned on" names the simulation that guards it, the
// scenes of tests/space. "Choice" means that the value is a plausible round number and no
// measurement of it is recorded.
#pragma once

#include <cstddef>
#include <numbers>

#include "app/motion/space/point_filter.h"

namespace glint::motion {

/// The motion model of a body (BodyMotion): a reference point and the rotation, both with constant
/// acceleration that is disturbed by random jerk.
struct BodyMotionOptions {
  /// Standard deviation of an unknown velocity along each axis, mm/s. Raising it follows faster
  /// bodies, and searches a larger area for them. It is the value for points (PointMotionOptions).
  double speed = 2000;

  /// Standard deviation of an unknown acceleration along each axis, mm/s^2. Raising it follows more
  /// abrupt motion. It is the value for points.
  double acceleration = 2e4;

  /// Lever arm, mm. A rotation is treated like the motion of points at this distance from the mean
  /// of the markers, so the limits for points are divided by it. Raising it allows slower rotations
  /// only. Choice: half of a large body.
  double arm = 100;

  /// Number of poses after which the jerk is learned. Raising it learns later. Position, velocity
  /// and acceleration need three.
  int knownPlaces = 3;

  JerkOptions jerk;
};

/// Options of the search for a body by the distances of its markers alone (findBody()).
struct BodySearchOptions {
  /// Number of standard deviations by which a distance, or the position of a further marker, may be
  /// off. Raising it finds bodies whose shape is less well known, and more false ones. Choice: the
  /// usual four.
  double gate = 4;

  /// Minimum height of a triangle of markers, as a share of its longest side. Flatter ones say
  /// little about the attitude and are used only if there are no others. Raising it uses fewer
  /// triangles. Choice.
  double minFlatness = 0.1;

  /// Maximum number of triangles of markers that are tried, those with the largest area first, to
  /// limit the time. Raising it finds large bodies with few visible markers more often. Choice.
  size_t maxTriples = 80;

  /// Minimum side of the box from which the overall density of points is taken, mm. Raising it
  /// makes coincidences seem less likely if all points are close together. Choice: a small capture
  /// volume.
  double minSide = 1000;
};

/// Options for learning the shapes of bodies from points (learnBodies()).
struct BodyLearnOptions {
  /// Minimum number of frames that a point must have, and that two points must share. Raising it
  /// learns fewer bodies, with more certainty. Choice.
  size_t minFrames = 20;

  /// Approximate maximum number of frames of a point's life that are used, to limit the time.
  /// Raising it takes longer and gives more exact shapes. Choice.
  size_t maxFrames = 500;

  /// Factor by which the standard deviation of a distance may exceed the one that the covariances
  /// state. Raising it accepts softer bodies as rigid. Choice.
  double room = 1.5;

  /// Amount by which that standard deviation may be larger in addition, mm, to allow for a slightly
  /// wrong rig. Raising it accepts softer bodies. Choice.
  double roomMm = 0.3;

  /// Number of robust standard deviations from the median beyond which a distance does not count,
  /// because points were swapped. Raising it lets more swapped points count. Choice.
  double outside = 6;

  /// Maximum share of the distances that may be ignored for that reason. Raising it accepts points
  /// that are swapped more often. Choice.
  double maxOutside = 0.05;

  /// Number of times that the frames are fitted onto their mean shape. Raising it takes longer and
  /// lets the shape converge further. Choice.
  int rounds = 8;

  /// Maximum rms error of a frame's fit onto the shape, mm. Frames above it do not count, because
  /// points were swapped. Raising it lets such frames count. Choice.
  double wrong = 5;

  /// Number of neighbouring frames with the same error of the rig, which therefore count as one
  /// when the sigma of the markers is estimated. Raising it gives larger sigmas. Choice.
  double sharedFrames = 10;

  /// Minimum sigma of the markers, mm. Raising it trusts the shapes of bodies less. Choice.
  double minSigma = 0.01;
};

/// Options for following bodies from set to set and for finding lost ones (BodyTracker).
struct BodyTrackerOptions {
  /// Maximum chi squared between a point and the prediction of a marker, for the point to be that
  /// marker. Raising it follows less predictable bodies, and takes more points of others. 25 is
  /// five standard deviations.
  double markerGate = 25;

  /// Maximum residual of a marker in standard deviations; a marker beyond it is dropped. Raising it
  /// keeps more wrong markers. Tuned on tests/space.
  double maxMisfit = 4.5;

  /// Bonus in chi squared for a marker that keeps its point, so that a new point cannot win against
  /// it. Raising it changes nothing; less than `markerGate` would let markers change their points.
  double keptPoint = 100;

  /// Maximum time for which a body is predicted while fewer than two of its markers are seen, s
  /// (docs/space.md). Raising it follows bodies through longer gaps, with less precision. The small
  /// addition makes a whole number of sets fit. Choice.
  double maxAlone = 0.2 + 1e-9;

  /// Maximum standard deviation of the attitude, rad. A body beyond it is lost. Raising it follows
  /// bodies longer. Choice: 45 degrees.
  double maxAngleSigma = 45 * std::numbers::pi / 180;

  /// Amount by which distances may be off in addition to their standard deviations when a body is
  /// searched for, mm. Raising it finds bodies that bend. Choice.
  double searchSlack = 0.2;

  /// If only some of a body's markers are seen, their match is accepted if the expected number of
  /// equally good matches by coincidence is at most this. Raising it finds bodies sooner, some of
  /// them in wrong places. Choice: one in a thousand.
  double maxChance = 1e-3;

  /// Maximum number of candidate poses of a body that are compared in the images, the most likely
  /// ones first. Raising it takes longer and misses fewer poses. Choice.
  size_t maxCandidates = 100;

  /// Amount of chi squared by which the best pose must be better than another one of the same
  /// points. Raising it waits longer for a clear decision. 16 is four standard deviations.
  double clearChi2 = 16;

  /// Poses count as the same if their rotations differ by less than this (rad) and their positions
  /// by less than this share of the body's extent. Raising it decides sooner between similar poses.
  /// Choice.
  double samePlace = 0.2;

  /// Number of sets after which the best pose is taken even if it is not clearly the best. Raising
  /// it waits longer. Choice.
  int maxWait = 50;

  BodyMotionOptions motion;
  BodySearchOptions search;
};

}  // namespace glint::motion
