// The numbers that steer how points in space are found and followed, with their defaults.
//
// Each group belongs to one algorithm. Most members name the source of their value. "Tuned on"
// names the simulation that guards it: the scenes of tests/space, and tests/space/space_study
// (scripts/measure_space), whose results are in docs/space.md. "Choice" means that the value is a
// plausible round number and no measurement of it is recorded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "app/motion/space/body_options.h"
#include "app/motion/space/point_filter.h"
#include "app/motion/space/rig_check_options.h"

namespace glint::motion {

/// How dots of several cameras are joined to points, by nothing but their places (correspond()).
struct CorrespondOptions {
  /// Points may have two rays. Without them every point needs three.
  bool twoRays = true;

  /// How often a camera sees a marker that is in its image, 0 to 1. Raising it makes a camera that
  /// does not see a point speak more strongly against it. DotAssignment measures it.
  double seenRate = 0.7;

  /// `seenRate` counts as at least this, so that a camera that sees little cannot switch the test
  /// off. Choice.
  double minSeenRate = 0.3;

  /// `seenRate` counts as at most this, so that one miss cannot refuse a point alone. Choice.
  double maxSeenRate = 0.95;

  /// Standard deviations within which a ray belongs to a point, and within which a point's chi
  /// squared must lie (chi2Limit()). Raising it finds more points of bad calibrations, and more
  /// ghosts. With 4, simulations of moved cameras find 99.99 % and no ghost (docs/space.md).
  double gate = 4;

  /// Rays with which a point is taken at once, because chance does not make so many meet. Raising
  /// it compares more groups before any is taken, which takes longer. Choice.
  size_t sureRays = 5;

  /// px. A dot this near to the place of a missing one may be that of two markers that pass each
  /// other, so the camera does not speak against the point. Raising it refuses fewer ghosts. It is
  /// the default of detect.separation, below which markers merge.
  double mergedDistance = 6;

  /// px^2. Dots with a larger variance are not worth looking for, so the search ends there. Raising
  /// it takes longer. Choice.
  double maxDotVariance = 4;

  /// Times that the search for a point's other rays is repeated from the better place, which tells
  /// better which of several dots belongs to it. Choice.
  int rounds = 2;

  /// The expected number of dots in a ray's gate by chance counts as at least this ...
  double minChance = 1e-6;

  /// ... and at most this, so that a further ray always is some evidence. Choices.
  double maxChance = 0.5;

  /// Other cameras that may miss a point of two rays although they should see it. Raising it finds
  /// more points that few cameras see, and more ghosts. Choice.
  size_t maxUnseen = 2;

  /// Chi squared up to which two groups may be one marker. It is large, because cameras whose poses
  /// are slightly wrong see the marker in different places. Raising it removes more double points,
  /// and more markers that are close to each other. Tuned on tests/space (cameras that disagree).
  double sameChi2 = 100;

  /// Cameras that two groups of one marker may share. A dot of the one may belong to another marker
  /// by mistake; two are no mistake. Tuned on tests/space.
  int maxSharedCameras = 1;
};

/// The motion model of one point (PointTrack): constant acceleration, disturbed by random jerk.
struct PointMotionOptions {
  /// mm/s: the standard deviation of an unknown velocity along each axis. Raising it lets faster
  /// markers become tracks, in a larger search area. 2 m/s is faster than most movements of people.
  double speed = 2000;

  /// mm/s^2: the standard deviation of an unknown acceleration. 20 m/s^2 is twice that of a fall.
  double acceleration = 2e4;

  /// mm/s^2: the standard deviation of an unforeseen acceleration. It is assumed in a set in which
  /// a marker that was seen before finds no dot where it was predicted, as when it hits the ground.
  /// Raising it lets harder hits keep their ids. Tuned on tests/space (markers that are hit).
  double hit = 3e4;

  /// Measured sets after which the motion is known, so that the track may claim single dots.
  /// Position, velocity and acceleration need three.
  int knownSets = 3;

  JerkOptions jerk;
};

/// How a point regains the id of one that ended (PointStitcher). Tuned on tests/space (hidden
/// markers), where no source is named.
struct PointStitcherOptions {
  /// Factor by which a join must be likelier than everything else together. Raising it makes fewer
  /// joins, and fewer wrong ones.
  double odds = 1.5;

  /// Markers that appear without having been seen before, per marker around. Raising it makes fewer
  /// joins. It is the value used in images (StitcherOptions).
  double unseenShare = 0.02;

  /// Nearest points that are remembered with an ended one. Raising it takes more memory, and keeps
  /// some that are still visible later.
  size_t neighbours = 12;

  /// The number of the nearest visible points from which a motion is taken. Raising it averages
  /// over more of the body.
  size_t fitted = 6;

  /// Points that a common motion needs at least, so that its errors mean anything.
  size_t minFitted = 3;

  /// Points that a rigid motion needs at least: three determine it, and one more is needed to
  /// measure its error without it.
  size_t minRigid = 4;

  /// mm. No place is predicted more precisely than this. Raising it makes fewer joins among close
  /// markers.
  double minSigma = 5;

  /// mm/s: by how much the velocity of a lone marker may have changed. Raising it searches a larger
  /// space. Choice.
  double speedChange = 500;

  /// Degrees of freedom of Student's t for the error of a predicted place. Raising it makes large
  /// errors less likely. Choice.
  double freedom = 4;

  /// Nearest points from which the density of markers is taken. Raising it averages over a larger
  /// space. Choice.
  size_t densityNeighbours = 5;

  /// mm. The density is taken from a ball of at least this radius. Choice.
  double minRadius = 20;

  /// Markers per mm^3 that are assumed at least, also where there is no other. Raising it makes
  /// fewer joins in sparse scenes. 1e-10 is a tenth of a marker in a cubic metre.
  double minDensity = 1e-10;
};

/// How the noise of dots beyond their sigmas is learnt (NoiseFloor). Tuned on tests/space, where no
/// source is named.
struct NoiseFloorOptions {
  /// px: the noise until residuals have taught it. Raising it finds points of worse rigs at first,
  /// and more ghosts. Choice.
  double start = 0.6;

  /// Dots of a camera after which it learns. Raising it learns later and more exactly.
  size_t roundDots = 100;

  /// Dots that are enough in the first rounds. They are few, because the wide gates of an unknown
  /// floor make ghosts.
  size_t firstRoundDots = 12;

  /// The number of the first rounds, which count for little.
  int firstRounds = 6;

  /// The least weight of a new round in the mean. Raising it adapts faster, and scatters more. The
  /// mean is over some thousands of dots.
  double minGain = 0.05;

  /// Share of the dots that says what the noise is. Markers that touch or hide lie far out, so it
  /// is below 1. Raising it lets them count.
  double share = 0.9;

  /// Factor by which the noise may exceed what half of the dots say. While there are ghosts, not
  /// even `share` of the dots is sure, but half of them is. Raising it lets ghosts count more.
  double tail = 4;

  /// A round whose noise is below this share of the mean ends the mean, because wider gates let
  /// wrong dots in before. Raising it forgets sooner.
  double forgets = 0.5;
};

/// How lost tracks of single cameras are predicted from points (TrackLinks).
struct TrackLinkOptions {
  /// px. A place whose standard deviation is larger helps nobody, so it is left out. Raising it
  /// predicts more lost tracks. Choice.
  double maxSigma = 12;

  /// px: by this much a marker is seen aside while it comes out from behind something. Raising it
  /// allows for larger markers. Choice.
  double halfHidden = 1;
};

/// How dots and points are given to the tracks of the set before (DotAssignment).
struct PointTrackerOptions {
  /// Chi squared of a dot at a track's prediction, up to which the track may claim it. Raising it
  /// follows less predictable markers, and takes more dots of others. 25 is five standard
  /// deviations.
  double claimGate = 25;

  /// px. A track that is predicted less precisely than this claims no dots; it waits for whole
  /// points. Raising it claims more dots of other markers. Choice.
  double maxClaimSigma = 12;

  /// px^2: the largest variance of a dot that is looked for. Choice; see
  /// CorrespondOptions::maxDotVariance.
  double maxDotVariance = 2;

  /// Frames that a track may be missed before it is confirmed. Raising it confirms markers that few
  /// cameras see, and more ghosts. Choice.
  uint64_t maxUnconfirmedGap = 2;

  /// Points that begin per mm^3 and set, which a match with a predicted track is weighed against.
  /// Raising it begins more new tracks instead of continuing old ones. 1e-10 is a tenth of a point
  /// in a cubic metre.
  double newPoints = 1e-10;

  /// Frames after the last measurement in which a single ray still corrects a track's prediction.
  /// Raising it follows markers longer that only one camera sees, which drift along the ray. Tuned
  /// on tests/space (markers that are hit).
  uint64_t maxSingleRayGap = 5;

  /// s. If the times of the cameras in a set differ by more than this, the rows are flagged. It is
  /// far below any frame interval.
  double sameTime = 1e-4;

  /// The start of `seenRate`: dots that were claimed, of dots that were expected. Raising both
  /// makes the start count longer. Choice: 70 %, as if from 50 dots.
  double priorClaimed = 35;
  double priorExpected = 50;

  /// Dots over which `seenRate` is averaged. Raising it adapts more slowly. Choice.
  double rememberedDots = 5000;

  /// Share of the distance to the cameras by which a point may move before the rig's share of its
  /// covariance is calculated again. Raising it saves time and makes that share less exact. Choice.
  double sameRigShare = 0.005;

  PointMotionOptions motion;
  CorrespondOptions correspondence;
  PointStitcherOptions stitching;
  BodyTrackerOptions bodies;
  NoiseFloorOptions floor;
  RigCheckOptions rigCheck;
};

}  // namespace glint::motion
