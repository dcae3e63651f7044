// Options of the algorithms that find and follow points in space.
//
// Each struct belongs to one algorithm. Most members name the source of their value. "Tuned on"
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

/// Options for finding points from the dots of several cameras (correspond()).
struct CorrespondOptions {
  /// True if a point may have two rays only. Otherwise every point needs three.
  bool twoRays = true;

  /// Probability that a camera sees a marker that is within its image, 0 to 1. Raising it makes a
  /// camera that does not see a point stronger evidence against the point. DotAssignment measures
  /// it.
  double seenRate = 0.7;

  /// Lower limit for `seenRate`, so that a camera that sees little cannot switch the test off.
  /// Raising it refuses more points that few cameras see. Choice.
  double minSeenRate = 0.3;

  /// Upper limit for `seenRate`, so that one missing dot cannot refuse a point alone. Raising it
  /// refuses more points that few cameras see. Choice.
  double maxSeenRate = 0.95;

  /// Number of standard deviations within which a ray belongs to a point, and within which a
  /// point's chi squared must lie (chi2Limit()). Raising it finds more points of bad calibrations,
  /// and more ghosts. With 4, simulations of moved cameras find 99.99 % of the points and no ghost
  /// (docs/space.md).
  double gate = 4;

  /// Number of rays with which a point is accepted at once, because so many do not meet by
  /// coincidence. Raising it compares more groups before any is accepted, which takes longer.
  /// Choice.
  size_t sureRays = 5;

  /// Distance from a missing dot's place, px, within which another dot excuses it: it may belong to
  /// two markers that pass each other. Then the camera is no evidence against the point. Raising it
  /// refuses fewer ghosts. It is the default of detect.separation, below which markers merge.
  double mergedDistance = 6;

  /// Variance of a dot up to which it is searched for, px^2. Raising it searches a larger area,
  /// which takes longer. Choice.
  double maxDotVariance = 4;

  /// Number of times that the search for a point's other rays is repeated from its improved
  /// position. Raising it takes longer and chooses better among dots that are close to each other.
  /// Choice.
  int rounds = 2;

  /// Lower limit for the expected number of dots that are in a ray's gate by coincidence. Raising
  /// it makes each further ray weaker evidence for a point. Choice.
  double minChance = 1e-6;

  /// Upper limit for that number, so that a further ray is always some evidence. Raising it makes
  /// rays weaker evidence where there are many dots. Choice.
  double maxChance = 0.5;

  /// Maximum number of other cameras that miss a point of two rays although they should see it.
  /// Raising it finds more points that few cameras see, and more ghosts. Choice.
  size_t maxUnseen = 2;

  /// Maximum chi squared between two groups that may be one marker. It is large, because cameras
  /// with slightly wrong poses see a marker in different places. Raising it removes more double
  /// points, and more markers that are close to each other. Tuned on tests/space (cameras that
  /// disagree).
  double sameChi2 = 100;

  /// Maximum number of cameras that two groups of one marker may share. One shared camera can be a
  /// mistake, if a dot belongs to another marker; two cannot. Raising it takes more pairs of close
  /// markers for one. Tuned on tests/space.
  int maxSharedCameras = 1;
};

/// How fast markers are that nothing is known of yet (SpeedPrior).
struct SpeedPriorOptions {
  /// mm/s: the standard deviation of the slowest class of markers along each axis. Raising it makes
  /// the search for the second place of a slow marker wider. 2 m/s is faster than most movements of
  /// people.
  double slowest = 2000;

  /// mm/s: that of the fastest class, where no limit is set. Raising it lets faster markers become
  /// tracks. 128 m/s is faster than balls and arrows. (A limit that is set counts instead.)
  double fastest = 128'000;

  /// The ratio of each class to the one before. Raising it makes fewer classes, whose speeds are
  /// known less well. Choice.
  double ratio = 4;

  /// The number of tracks that the initial weights count as. Raising it learns more slowly. Choice.
  double priorTracks = 10;

  /// The initial share of each class in the one before. Raising it lets fast markers begin sooner,
  /// and joins more points of different markers. Choice.
  double fasterShare = 0.3;
};

/// The motion model of one point (PointTrack): constant acceleration, disturbed by random jerk.
struct PointMotionOptions {
  /// mm/s^2: the standard deviation of an unknown acceleration. 20 m/s^2 is twice that of a fall.
  double acceleration = 2e4;

  /// Standard deviation of an unexpected acceleration, mm/s^2. It is assumed in a set in which a
  /// marker that was seen before has no dot near its prediction, for example because it hit the
  /// ground. Raising it lets harder hits keep their ids. Tuned on tests/space (markers that are
  /// hit).
  double hit = 3e4;

  /// The share of the sets in which a marker is struck, so that its velocity is as unknown as that
  /// of a new one. Raising it keeps more ids through impacts, and joins more points of different
  /// markers. Choice.
  double struckShare = 0.01;

  /// The least number of rays of a point that shows that a marker is faster than the slowest class,
  /// or was struck so hard. Two rays may meet by chance. Raising it finds fewer fast markers, and
  /// fewer ghosts.
  size_t fastRays = 3;

  /// Measured sets after which the motion is known, so that the track may claim single dots.
  /// Position, velocity and acceleration need three.
  int knownSets = 3;

  JerkOptions jerk;
};

/// Options for giving a point the id of one that ended (PointStitcher). Values without a stated
/// source were tuned on tests/space (hidden markers).
struct PointStitcherOptions {
  /// Factor by which a join must be more likely than everything else together. Raising it makes
  /// fewer joins, and fewer wrong ones.
  double odds = 1.5;

  /// Number of markers that appear without having been seen before, for each marker around. Raising
  /// it makes fewer joins. It is the value used in images (StitcherOptions).
  double unseenShare = 0.02;

  /// Number of nearest points that are stored with an ended one. Raising it takes more memory, and
  /// makes it likelier that some of them are still visible later.
  size_t neighbours = 12;

  /// Number of nearest visible points from which a common motion is estimated. Raising it averages
  /// over more of the body.
  size_t fitted = 6;

  /// Minimum number of points for a common motion. With fewer, its error could not be estimated.
  size_t minFitted = 3;

  /// Minimum number of points for a rigid motion. Three determine it, and one more is needed to
  /// estimate its error without that point.
  size_t minRigid = 4;

  /// Minimum standard deviation of a predicted position, mm. Raising it makes fewer joins among
  /// markers that are close to each other.
  double minSigma = 5;

  /// Amount by which the velocity of a lone marker may have changed, mm/s. Raising it searches a
  /// larger space. Choice.
  double speedChange = 500;

  /// Degrees of freedom of the Student's t distribution of the error of a predicted position.
  /// Raising it makes large errors less likely. Choice.
  double freedom = 4;

  /// Number of nearest points from which the density of markers is estimated. Raising it averages
  /// over a larger space. Choice.
  size_t densityNeighbours = 5;

  /// Minimum radius of the ball from which the density is estimated, mm. Raising it keeps two
  /// markers side by side from counting as a dense crowd. Choice.
  double minRadius = 20;

  /// Minimum density of markers per mm^3, also if there are no others. Raising it makes fewer joins
  /// in sparse scenes. 1e-10 is a tenth of a marker in a cubic metre.
  double minDensity = 1e-10;
};

/// Options for learning the noise of dots in addition to their sigmas (NoiseFloor). Values without
/// a stated source were tuned on tests/space.
struct NoiseFloorOptions {
  /// Noise floor before residuals have taught another one, px. Raising it finds points of worse
  /// rigs at first, and more ghosts. Choice.
  double start = 0.6;

  /// Number of dots of a camera in a round, after which the floor is updated. Raising it learns
  /// later and more precisely.
  size_t roundDots = 100;

  /// Number of dots in each of the first rounds. It is small, because the wide gates of an unknown
  /// floor let ghosts through. Raising it keeps the start value longer.
  size_t firstRoundDots = 12;

  /// Number of first rounds, which have little weight. Raising it averages over rounds later.
  int firstRounds = 6;

  /// Minimum weight of a new round in the mean. Raising it adapts faster, with more scatter. With
  /// this value the mean covers some thousands of dots.
  double minGain = 0.05;

  /// Share of the dots that determines the noise. It is below 1 because markers that touch or hide
  /// each other lie far out. Raising it lets them count.
  double share = 0.9;

  /// Factor by which the noise may exceed the one that half of the dots shows. While there are
  /// ghosts, `share` of the dots is not reliable, but half of them is. Raising it lets ghosts count
  /// more.
  double tail = 4;

  /// If the variance in a round is below this share of the mean, the mean starts again, because
  /// wider gates let wrong dots in before. Raising it forgets sooner.
  double forgets = 0.5;
};

/// Options for predicting lost tracks of single cameras from points (TrackLinks).
struct TrackLinkOptions {
  /// Maximum standard deviation of a predicted place, px. Less certain ones do not help, so they
  /// are left out. Raising it predicts more lost tracks. Choice.
  double maxSigma = 12;

  /// Distance by which a marker appears shifted while it comes out from behind something, px.
  /// Raising it allows for larger markers. Choice.
  double halfHidden = 1;
};

/// Options for assigning dots and points to the tracks of the previous set (DotAssignment).
struct PointTrackerOptions {
  /// Maximum chi squared between a dot and a track's prediction, for the track to claim the dot.
  /// Raising it follows less predictable markers, and takes more dots of others. 25 is five
  /// standard deviations.
  double claimGate = 25;

  /// Maximum standard deviation of a track's predicted place in an image, px. A less certain track
  /// claims no dots but waits for complete points. Raising it claims more dots of other markers.
  /// Choice.
  double maxClaimSigma = 12;

  /// Variance of a dot up to which it is searched for, px^2. Raising it searches a larger area,
  /// which takes longer. Choice.
  double maxDotVariance = 2;

  /// Maximum number of frames that a track may be missed before it is confirmed. Raising it
  /// confirms markers that few cameras see, and more ghosts. Choice.
  uint64_t maxUnconfirmedGap = 2;

  /// The number of points that begin in a set, until it is measured. Raising it begins more new
  /// tracks at first, instead of continuing old ones. Choice.
  double newPoints = 0.3;

  /// Sets over which that number is averaged. Raising it adapts more slowly. Choice.
  double rememberedSets = 100;

  /// Share of the distance to the cameras within which two tracks may be one marker that the
  /// cameras have divided. Raising it compares more tracks. Choice: 20 mm at 4 m.
  double doubleReach = 0.005;

  /// Chi squared of the difference of their velocities, up to which they may be one marker. Raising
  /// it ends more second tracks, and more of markers that pass each other. 25 is about four
  /// standard deviations.
  double sameMotionChi2 = 25;

  /// Frames after the last measurement in which a single ray still corrects a track's prediction.
  /// Raising it follows markers longer that only one camera sees, which drift along the ray. Tuned
  /// on tests/space (markers that are hit).
  uint64_t maxSingleRayGap = 5;

  /// Maximum difference between the times of the cameras in a set, s. Above it, the rows are
  /// flagged. It is far below any frame interval. Raising it flags fewer rows.
  double sameTime = 1e-4;

  /// Initial numbers of claimed and of expected dots, whose ratio is the first `seenRate`. Raising
  /// both makes the initial rate last longer. Choice: 70 %, as if from 50 dots.
  double priorClaimed = 35;
  double priorExpected = 50;

  /// Number of dots over which `seenRate` is averaged. Raising it adapts more slowly. Choice.
  double rememberedDots = 5000;

  /// Distance that a point may move before the rig's part of its covariance is calculated again, as
  /// a share of the distance to the cameras. Raising it saves time and makes that part less exact.
  /// Choice.
  double sameRigShare = 0.005;

  PointMotionOptions motion;
  SpeedPriorOptions speeds;
  CorrespondOptions correspondence;
  PointStitcherOptions stitching;
  BodyTrackerOptions bodies;
  NoiseFloorOptions floor;
  RigCheckOptions rigCheck;
};

}  // namespace glint::motion
