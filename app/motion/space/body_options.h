// The numbers that steer how rigid bodies are found and followed among points, with their defaults.
//
// Most members name the source of their value. "Tuned on" names the simulation that guards it, the
// scenes of tests/space. "Choice" means that the value is a plausible round number and no
// measurement of it is recorded.
#pragma once

#include <cstddef>
#include <numbers>

#include "app/motion/space/point_filter.h"

namespace glint::motion {

/// The motion model of a body (BodyMotion): constant acceleration of one of its points and of its
/// turning, disturbed by random jerk.
struct BodyMotionOptions {
  /// mm/s: the standard deviation of an unknown velocity along each axis. It is that of a point
  /// (PointMotionOptions). Raising it finds the next place of faster bodies, in a larger area.
  double speed = 2000;

  /// mm/s^2: the standard deviation of an unknown acceleration.
  double acceleration = 2e4;

  /// mm. Turning is treated like the motion of points at this distance from the mean of the
  /// markers, so all limits are divided by it. Raising it lets bodies turn less. Choice: half a
  /// large body.
  double arm = 100;

  /// Places after which the jerk is learnt. Position, velocity and acceleration need three.
  int knownPlaces = 3;

  JerkOptions jerk;
};

/// How points are searched for a body by nothing but the distances of its markers (findBody()).
struct BodySearchOptions {
  /// Standard deviations by which a distance, or the place of a further marker, may be off. Raising
  /// it finds bodies whose shape is known less well, and more false ones. Choice: the usual four.
  double gate = 4;

  /// Least height of a triple of markers against its longest side. Flatter triples say little about
  /// the attitude, and are used only if there are no others. Raising it uses fewer triples. Choice.
  double minFlatness = 0.1;

  /// Triples that are tried, those of the largest area first; for the sake of time. Raising it
  /// finds large bodies of which few markers are visible more often. Choice.
  size_t maxTriples = 80;

  /// mm. The overall density of points is taken from a box whose sides are at least this long.
  /// Raising it makes chance less likely where all points are close together. Choice: a small
  /// capture volume.
  double minSide = 1000;
};

/// How the shapes of bodies are learned from points (learnBodies()).
struct BodyLearnOptions {
  /// Frames that two points must share, and that a point must have. Raising it learns fewer bodies,
  /// more surely. Choice.
  size_t minFrames = 20;

  /// About so many frames of a point's life are used; for the sake of time. Choice.
  size_t maxFrames = 500;

  /// Factor by which the standard deviation of a distance may exceed what the covariances state.
  /// Raising it takes softer bodies for rigid ones. Choice, as is the next.
  double room = 1.5;

  /// mm by which it may be larger still, for a rig that is a little off.
  double roomMm = 0.3;

  /// Robust standard deviations from the median beyond which a distance does not count, because
  /// points were swapped. Raising it lets more swapped points count. Choice.
  double outside = 6;

  /// Share of the distances that may be left out like that. Choice.
  double maxOutside = 0.05;

  /// Times that the frames are laid on their mean shape. Raising it takes time. Choice.
  int rounds = 8;

  /// mm. A frame that fits the shape worse does not count, because points were swapped. Raising it
  /// lets such frames count. Choice.
  double wrong = 5;

  /// Neighbouring frames that share the rig's errors, so that they count as one for the sigma of
  /// the markers. Raising it states larger sigmas. Choice.
  double sharedFrames = 10;

  /// mm: the least sigma of the markers. Choice.
  double minSigma = 0.01;
};

/// How bodies are followed from set to set, and found again (BodyTracker).
struct BodyTrackerOptions {
  /// Chi squared of a point at a predicted marker, up to which it may be that marker. Raising it
  /// follows less predictable bodies, and takes more other points. 25 is five standard deviations.
  double markerGate = 25;

  /// Standard deviations by which the residuals of a marker may be off before it is dropped.
  /// Raising it keeps more wrong markers. Tuned on tests/space.
  double maxMisfit = 4.5;

  /// Chi squared that a marker saves by keeping its point, which a new point cannot make up for.
  /// Raising it changes nothing; less than `markerGate` would let markers change their points.
  double keptPoint = 100;

  /// s for which a body is predicted while fewer than two of its markers are seen (docs/space.md).
  /// Raising it follows bodies through longer gaps, less precisely. The small addition makes a
  /// whole number of sets fit. Choice.
  double maxAlone = 0.2 + 1e-9;

  /// rad. A body whose attitude is known less well than this is lost. Raising it follows bodies
  /// longer. Choice: 45 degrees.
  double maxAngleSigma = 45 * std::numbers::pi / 180;

  /// mm by which distances may be off beyond their standard deviations when a body is sought.
  /// Raising it finds bodies that bend. Choice.
  double searchSlack = 0.2;

  /// Expected number of equally good places by chance, up to which some of a body's markers are
  /// enough to find it. Raising it finds bodies sooner, some of them in wrong places. Choice: one
  /// in a thousand.
  double maxChance = 1e-3;

  /// Places of a body that are compared in the images, the most likely ones first; for the sake of
  /// time. Choice.
  size_t maxCandidates = 100;

  /// Chi squared by which the best place must be better than another one of the same points.
  /// Raising it waits longer for a clear decision. 16 is four standard deviations.
  double clearChi2 = 16;

  /// rad, and the share of the body's extent: places that differ by less are the same. Raising it
  /// decides sooner between similar places. Choice.
  double samePlace = 0.2;

  /// Sets after which the best place is taken although it is not clear. Raising it waits longer.
  /// Choice.
  int maxWait = 50;

  BodyMotionOptions motion;
  BodySearchOptions search;
};

}  // namespace glint::motion
