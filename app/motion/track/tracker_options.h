// Options of the algorithms that follow markers in one camera's images.
//
// Users change the settings in Settings::Track. The values here are fixed in the program; only
// tests and studies change them. Each struct belongs to one algorithm. Most members name the source
// of their value:
// - a formula or a paper;
// - "tuned on", with the scenes that were added to the tests together with the value, and that
//   guard it: the tables of tests/app/track_study (docs/measurements/identity.md), the sparse
//   scenes of tests/app/sparse_scenes, or the star fields of tests/app/rest_scenes;
// - "choice", if the value is a plausible round number and no measurement of it is recorded.
// Costs are in nats: minus the natural logarithm of a probability or of a ratio of probabilities.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::motion {

/// The motion model of a marker (MarkerMotion): how it learns from the residuals how steadily a
/// marker moves, and how it recognises markers at rest. A marker's *agility* is a factor on the
/// variance of its acceleration. With an agility of 1, the acceleration is the setting
/// track.acceleration.
struct MotionOptions {
  /// Weight of the newest residual in a moving marker's agility, multiplied by the number of
  /// measurements. With n measurements the weight is `agilityShare / n`, so the agility is an
  /// average over roughly the latest third of them. Raising it makes the agility follow recent
  /// residuals faster, with more scatter. Tuned on track_study.
  double agilityShare = 3;

  /// Like `agilityShare`, for a resting marker. It is larger because a marker at rest should reach
  /// its small agility soon. Raising it reaches that sooner. Tuned on the star fields.
  double agilityShareAtRest = 8;

  /// Number of frames over which the agility of an old track is averaged. Raising it gives a
  /// steadier agility that adapts more slowly if the marker begins to move differently. Choice.
  double agilityFrames = 10;

  /// Maximum weight of the newest residual, 0 to 1. Raising it lets a single residual change the
  /// agility of a young track more. Choice.
  double agilityMaxWeight = 0.8;

  /// Minimum agility. Raising it widens the gate of hidden markers that were at rest. With 1e-4,
  /// the position of such a marker is still known to half a pixel after 15 frames without a
  /// measurement, which is the default of track.max_gap (tests/app/rest_test.cpp).
  double minAgility = 1e-4;

  /// Maximum agility. Raising it follows more erratic motion, and widens gates after a turn until
  /// they catch other markers. Tuned on track_study.
  double maxAgility = 4;

  /// The usual acceleration, px/frame^2. The limits of the agility widen with track.acceleration,
  /// so that the resulting acceleration can always reach this one. Raising it has an effect only if
  /// track.acceleration is lower. It is the default of track.acceleration (config/describe.h), and
  /// should change with it.
  double usualAcceleration = 1.5;

  /// Agility below which a marker counts as resting. Raising it treats markers that move slowly and
  /// steadily as resting, so that they are searched for in smaller areas. It was the minimum
  /// agility of all markers before rest was recognised. Tuned on the star fields.
  double restAgility = 0.05;

  /// Recent speed, px/frame, at which a marker cannot count as resting, however steadily it moved.
  /// Raising it lets faster markers count as resting. Tuned on the star fields.
  double movingSpeed = 1.5;

  /// Factor by which the highest recent speed of a marker shrinks in each frame, 0 to 1. Raising it
  /// remembers motion longer, so a marker that stops counts as moving for longer. With 0.98 half of
  /// the speed is forgotten in 34 frames. Choice.
  double speedMemory = 0.98;

  /// -log(probability that a visible marker at rest starts to move in a frame), nats. Raising it
  /// requires clearer evidence before a step counts as the start of motion. 6 is once in 400
  /// frames. Tuned on the star fields.
  double startCost = 6;

  /// A marker that made a single step counts as resting again if its next measurement is within
  /// this many standard deviations of its old place or of its new one. Raising it accepts larger
  /// steps as the exchange of two markers at rest. Choice: the usual three.
  double settledGate = 3;

  /// Speed of a new marker relative to the median marker, px/frame, up to which it has shown no
  /// motion yet. Raising it presumes more new markers at rest. Tuned on the star fields.
  double stillSpeed = 0.15;

  /// If a smaller share of the visible markers than this moves, a new marker that stands still is
  /// presumed to be at rest. Raising it makes this presumption in livelier scenes. Choice.
  double fewMovingShare = 0.05;

  /// Number of measurements after which a marker's agility shows whether it is at rest. Raising it
  /// delays that knowledge. It is as long as the average over `agilityFrames`.
  int knownMeasurements = 10;

  /// Number of imaginary markers that are included in the share of moving markers, so that a scene
  /// with few known markers does not count as resting. Raising it requires more markers before a
  /// scene can count as resting. Choice: of two unknown markers, one moves.
  double priorMarkers = 2;

  /// Number of `priorMarkers` that move. Raising it makes scenes look livelier.
  double priorMoving = 1;
};

/// Matching of tracks with observations within their gates (Track::matchCost()). The assignment
/// then finds the best matches of the whole frame.
struct MatchingOptions {
  /// Lower limit for the standard deviation of a measurement, px. It is an estimate, and too small
  /// a value would close the gate. Raising it widens the gates of very sharp measurements. Choice.
  double minSigma = 0.05;

  /// Cost of leaving both a track and an observation unmatched, nats. It is -log(probability of a
  /// miss * new markers per px^2). Raising it matches more distant pairs, and a track that has been
  /// missed for long then takes other markers. 13.5 stands for 5 % misses and 27 new markers in an
  /// image of 1000 x 1000 px. A marker that a track loses for this reason can regain its id by
  /// adoption.
  double newMarkerCost = 13.5;

  /// Number of standard deviations within which an observation is no new marker, whatever
  /// `newMarkerCost` says, if the track was seen in the last frame. It matters if the settings make
  /// predictions very uncertain. Raising it prefers old tracks to new ones there. Choice: 86 % of
  /// the measurements are within two deviations.
  double nearGate = 2;

  /// Gate in standard deviations that counts as usual. If track.gate is wider, the accepted cost
  /// rises by as much as the gate widens. Raising it makes a wide setting of track.gate less
  /// generous. It is the default of track.gate (config/describe.h).
  double usualGate = 4;

  /// Cost that is added for an unconfirmed track, nats, so that it must fit better than a confirmed
  /// one to take its measurement. Raising it protects confirmed tracks against clutter, and delays
  /// the confirmation of new markers beside them. 3 is a factor of 20. Choice.
  double tentativeCost = 3;

  /// Standard deviation of the logarithm of a marker's mass, and of its radius, from frame to
  /// frame. They vary because the shape and the exposure vary. Raising it gives appearance less
  /// weight. Choice.
  double appearanceSpread = 0.3;

  /// Maximum cost of a difference in mass, and of one in radius, nats. Merged, half-hidden and
  /// blinking markers change their appearance, so a large difference is no stronger evidence.
  /// Raising it distinguishes markers better, and loses more of those that change. Choice.
  double maxAppearanceCost = 2;

  /// A difference in mass that would cost more than this without `maxAppearanceCost`, in nats, adds
  /// a cost again that grows with its logarithm. Such a light is a reflection beside the marker.
  /// Raising it lets fainter reflections take the place of markers. 8 is a factor of 3.3 in mass
  /// (Rest.AGhostTakesNoId in tests/app/rest_test.cpp).
  double otherMassCost = 8;
};

/// How long a track may be missed. Each track has a *credit*: the number of frames in a row without
/// a measurement that it survives, at most track.max_gap.
struct ConfirmationOptions {
  /// Credit after the first measurement, frames. Raising it lets young tracks be missed longer.
  /// Then clutter lives on, because the gate of a missed track widens until it finds more clutter.
  /// With -4 and 2, a track may be missed from its third measurement on. Tuned on the rows with
  /// false detections of track_study.
  int firstCredit = -4;

  /// Credit that each further measurement earns, frames; each missed frame costs one. Raising it
  /// trusts young tracks sooner. Tuned together with `firstCredit`.
  int creditPerMeasurement = 2;

  /// Number of frames in a row for which an unconfirmed track with at least two measurements may be
  /// missed, once. Raising it confirms markers that are often missed, and more clutter. Choice.
  int tentativeMisses = 1;
};

/// Recognition of bright pixels of the sensor, which are no markers. Their light is in a single
/// pixel, which no lens makes, and never moves.
struct HotPixelOptions {
  /// Mean radius of light, px, below which it comes from a single pixel. Raising it mistakes very
  /// sharp markers at rest for hot pixels. The fit gives a single pixel 0.5 to 0.85 px, and a point
  /// behind a lens with a blur of 0.4 px has 1 px.
  double maxMeanRadius = 0.9;

  /// Distance from the first measurement of a track, px, within which light is in the same pixel.
  /// Raising it mistakes markers that move slowly for hot pixels. The fit of faint light scatters
  /// up to this far.
  double maxDistance = 0.75;

  /// Length of a step, px, above which a single step does not prove that a light moves, because the
  /// track may have changed from one hot pixel to another. Raising it recognises fewer such tracks.
  /// Choice.
  double minHop = 3;

  /// Radius of a single faint observation, px, below which it may be the light of a known hot
  /// pixel. It is larger than `maxMeanRadius` because a single fit scatters. Raising it ignores
  /// more light in known hot pixels. Choice.
  double maxSingleRadius = 1.2;

  /// Minimum number of sightings of a flickering hot pixel. Raising it recognises them later.
  /// Choice.
  uint64_t minSightings = 3;

  /// Limit for log(expected number of pixels with so many sightings by coincidence). A pixel is hot
  /// if the logarithm is below it. Raising it recognises hot pixels sooner, and more places of
  /// stray light as well. -4.6 is one pixel in a hundred recordings.
  double chanceLog = -4.6;

  /// Maximum number of pixels that are remembered. Pixels seen once are forgotten first. Raising it
  /// only takes more memory.
  size_t maxPixels = size_t{1} << 14;
};

/// Adoption: a new track that has just been confirmed takes over the id of a track that is missed
/// at the moment, because the marker made a sharp turn or was hidden for a few frames.
struct AdoptionOptions {
  /// -log(probability of a sharp turn in the gap), nats. Raising it adopts fewer tracks. 3.9 is 2
  /// %.
  double turnCost = 3.9;

  /// -log(probability that a track ends for good * new markers per marker), nats. Raising it adopts
  /// more tracks, some of them wrongly. 8.5 stands for 1 % and 2 %.
  double unrelatedCost = 8.5;

  /// Number of frames that is added to those in which a marker was seen at rest, for estimating how
  /// likely it began to move unseen. Raising it binds the ids of resting markers more firmly to
  /// their places. Tuned on the star fields.
  double restFrames = 20;

  /// Number of markers around a new one from which the density and the speed of other new markers
  /// are estimated. Raising it averages over a larger area. Choice.
  size_t neighbours = 8;

  /// Minimum radius of the circle from which the density of markers is estimated, px. Raising it
  /// adopts more tracks in crowds. Choice.
  double minRadius = 5;

  /// Maximum part of the new marker's own speed, px/frame, that is added to the spread of the
  /// neighbours' velocities, because these may agree by coincidence. Raising it adopts more tracks
  /// among markers that move alike. Choice.
  double maxOwnSpeed = 1;

  /// Uncertainty of a velocity, px/frame. It is added to the new marker's own speed, so that
  /// markers that are all at rest do not seem to be so by coincidence. Raising it adopts more
  /// tracks among markers at rest. Tuned on the star fields.
  double speedNoise = 0.2;

  /// Maximum area that is assumed for each marker, px^2, also if there are no others. Raising it
  /// adopts more tracks in sparse scenes. Choice.
  double maxAreaPerMarker = 3e4;
};

/// Jumps: markers that moved farther than predicted and are joined nevertheless, because no other
/// marker is as near. In a *common jump* most markers are displaced alike, as on a moved card.
/// Values without a stated source were tuned on the sparse scenes, without loss on track_study.
struct JumpOptions {
  /// Factor by which the second nearest candidate must be farther away than the nearest one.
  /// Raising it joins fewer jumps, and fewer wrong ones.
  double clearness = 1.5;

  /// Factor used instead of `clearness` if markers seldom jump. Raising it joins fewer jumps.
  double clearnessIfRare = 3;

  /// Share of recent sightings that must be jumps for jumps to count as frequent. A track that was
  /// missed may jump only if jumps are frequent. Raising it treats more scenes by the stricter
  /// rules.
  double frequentShare = 0.1;

  /// Factor by which a jump must be more likely than light without a track within the same
  /// distance. Raising it joins fewer and shorter jumps.
  double odds = 10;

  /// Share of recent sightings that must be jumps for any to be joined. If fewer markers jump, an
  /// apparent jump is a bounce or another marker, which is first confirmed and then adopted.
  /// Raising it leaves more to adoption.
  double minShare = 0.01;

  /// Distance from the place predicted by the common displacement within which a marker agrees with
  /// it, px. Raising it tolerates more noise.
  double minSlack = 3;

  /// Part of that distance that grows with the displacement, as a share of it, because cards also
  /// turn. Raising it tolerates larger turns.
  double slackShare = 0.15;

  /// If motion explains this share of the recent tracks, no common jump is searched for, unless
  /// jumps are frequent. If they are, this share must follow the common jump. Raising it searches
  /// for common jumps more often.
  double explainedShare = 0.8;

  /// Share of the recent tracks that must follow a common jump if jumps are not frequent. Raising
  /// it accepts fewer common jumps.
  double commonShare = 0.6;

  /// Minimum number of tracks in a common jump. Raising it requires larger groups. With fewer than
  /// three tracks any two displacements agree too easily.
  size_t minCommonTracks = 3;

  /// Maximum number of tracks without an observation (or, for a common jump, of recent tracks).
  /// With more of them the search is skipped, to limit the time. Choice.
  size_t maxTracks = 512;

  /// Maximum number of pairs of a track and an observation in a search for a common jump. With more
  /// of them the search is skipped, because the time grows with the square of this number. Choice.
  size_t maxPairs = 600;

  /// Maximum length of a jump, as a multiple of track.max_speed in one frame. Raising it allows
  /// longer jumps.
  double maxSpeedFactor = 3;

  /// Maximum length of a jump of a marker that was seen once, as a multiple of track.max_speed. It
  /// is larger because such a marker may already have been moving. Raising it allows longer jumps.
  /// Tuned on a lone ball (Rest.ALoneFastMarkerIsATrack in tests/app/rest_test.cpp).
  double firstStepFactor = 10;

  /// Maximum length of a jump as a multiple of the longest recent jump, if that allows more.
  /// Raising it allows longer jumps.
  double recentJumpFactor = 1.5;

  /// Maximum number of frames for which a marker may have been missed before its jump. Raising it
  /// joins jumps after longer gaps.
  size_t maxMissed = 2;
};

/// Frames that repeat the previous one. Conversions from 24 to 30 frames per second and screen
/// recorders write them. Values without a stated source were tuned on the sparse scenes and the
/// gait recording of docs/real-footage.md.
struct RepeatOptions {
  /// Distance along each axis, px, within which an observation counts as one of the previous frame.
  /// Raising it recognises repeats that were encoded more coarsely, and mistakes slow motion for
  /// repeats.
  double maxDistance = 0.05;

  /// Share of its mass by which a repeated observation may differ. Raising it has the same effects.
  double maxMassChange = 0.03;

  /// Share of the observations that must be found again. Raising it recognises fewer repeats.
  double minShare = 0.95;

  /// Frames count as repeated only if a quarter of the markers moved at least this fast before,
  /// px/frame; otherwise the scene is at rest. Raising it misses repeats of slow scenes. Choice.
  double minMotion = 0.5;

  /// Maximum number of repeats in a row. If there are more, the markers are at rest. Raising it
  /// waits longer before markers that all stop at once count as resting. Choice.
  int maxRepeats = 5;

  /// Maximum distance along each axis between a track and its observation in a repeated frame, px.
  /// It is larger than `maxDistance`, because not all observations repeat exactly. Choice.
  double matchDistance = 0.1;
};

/// Statistics of the last frames (SceneStatistics): how often markers jump, how far, and how much
/// light belongs to no track. The search for jumps uses them.
struct SceneOptions {
  /// Number of frames over which sightings and jumps are counted. Raising it adapts more slowly.
  /// Choice: about a second.
  double jumpFrames = 30;

  /// Number of frames over which light that belongs to no track is averaged. Raising it adapts more
  /// slowly. Choice.
  int strangerFrames = 50;

  /// Factor by which the longest jump shrinks in each frame, 0 to 1. Raising it allows long jumps
  /// for longer. With 0.98 half of it is forgotten in 34 frames. Choice.
  double jumpMemory = 0.98;

  /// Number of sightings that are assumed before the first frame. Raising it gives less weight to
  /// what the first frames show. Tuned on the sparse scenes.
  double priorSightings = 2.5;

  /// Number of these sightings that were jumps. Raising it joins more jumps in the first frames.
  /// Tuned on the sparse scenes.
  double priorJumps = 0.5;

  /// Minimum width and height of the area in which anything was ever seen, px, because pictures are
  /// larger than the area of their first markers. Raising it lowers the density of stray light, so
  /// that more jumps are joined early. Tuned on a lone ball (tests/app/rest_test.cpp).
  double minSide = 500;
};

/// Recognition of observations that show two markers which pass each other.
struct MergeOptions {
  /// Maximum distance between an observation and the expected place of a marker that is part of it,
  /// in radii of the observation. Raising it finds more merged markers and more false ones. Choice.
  double maxDistance = 2;

  /// Minimum ratio between the mass of two markers together and that of one. Raising it requires
  /// clearer evidence. Masses vary from frame to frame by MatchingOptions::appearanceSpread, which
  /// is a factor of 1.35.
  double minMassFactor = 1.4;
};

/// Prediction of the place of a marker that was hidden for a while from the markers around it, by
/// their displacement or by one affine map. Tuned on the dancers of track_study.
struct CompanionOptions {
  /// Distance below which companions have nearly the same weight, px. The weight of farther ones
  /// falls with the inverse square of the distance. Raising it includes more of the body, and
  /// averages over motions that differ more.
  double nearDistance = 30;

  /// Strength with which the map is pulled towards a pure displacement (ridge regression), as a
  /// share of the companions' spread. Raising it gives steadier maps from few companions, which
  /// turn less.
  double ridge = 0.05;

  /// Degrees of freedom of the Student's t distribution of the map's errors. A body has depth, and
  /// hidden markers are behind it, so large errors are frequent. Raising it makes large errors less
  /// likely.
  double freedom = 3;

  /// Minimum standard deviation of a predicted place, px. Raising it joins fewer tracks in crowds.
  double minSigma = 2;
};

/// How that place follows from two earlier scenes at a time, which know the depth of a rigid body
/// (Ullman and Basri, "Recognition by linear combinations of models", IEEE PAMI 13, 1991). Tuned on
/// the dancers of track_study and the bundled clip (docs/history.md).
struct TwoViewOptions {
  /// Distance as CompanionOptions::nearDistance, px. It is smaller, because two views fit a body
  /// better.
  double nearDistance = 15;

  /// Strength with which the combination is pulled towards a displacement of the first view; see
  /// CompanionOptions::ridge.
  double ridge = 0.01;

  /// Degrees of freedom of the Student's t distribution of its errors. They are fewer than for one
  /// map, because a body bends, and because the best of many pairs of scenes is taken.
  double freedom = 1.5;

  /// Lower limit for one minus the leverage of a companion, which protects against rounding errors.
  /// Raising it underestimates the errors at companions that stand alone. Choice.
  double minOthersShare = 0.05;

  /// Minimum standard deviation, px: see CompanionOptions::minSigma.
  double minSigma = 2;
};

/// Stitching: a new track takes over the id of one that ended longer ago than track.max_gap. Values
/// without a stated source were tuned on the tables of docs/measurements/identity.md and the
/// bundled clip.
struct StitcherOptions {
  /// Factor by which a join must be likelier than everything else together, if scenes of the past
  /// tell the place. Raising it makes fewer joins, and fewer wrong ones
  /// (docs/history.md).
  double odds = 1.3;

  /// Factor used instead of `odds` if motion alone predicts the place. It is larger, because
  /// independent markers may move alike by coincidence.
  double oddsOfMotion = 1.8;

  /// Number of markers that appear without having been seen before, for each marker around. Raising
  /// it makes fewer joins.
  double unseenShare = 0.02;

  /// Number of measurements that a track needs to be stored when it ends. Raising it forgets more
  /// short tracks, which are more often clutter.
  int minMeasurements = 5;

  /// Number of nearest tracks that are stored with each ended one. Raising it takes more time and
  /// memory, and makes maps steadier in large groups.
  size_t companions = 32;

  /// Number of nearest tracks from which the density of markers around a new one is estimated.
  /// Raising it averages over a larger area. Choice.
  size_t neighbours = 5;

  /// Minimum radius of the circle from which the density is estimated, px. Raising it makes more
  /// joins in crowds. Choice.
  double minRadius = 5;

  /// Minimum density of markers per px^2, also if there are no others. Raising it makes fewer joins
  /// in sparse scenes. 1e-6 is one marker in an image of 1000 x 1000 px.
  double minDensity = 1e-6;

  /// Number of scenes (the places of all tracks in one frame) that are stored. Raising it finds
  /// poses from longer ago, and takes more time and memory. 24 scenes at intervals of 0.2 s span
  /// 4.8 s, a little more than the default of track.stitch_gap.
  size_t scenes = 24;

  /// Interval between two scenes, s. Raising it spans more time with the same number of scenes.
  /// Choice.
  double sceneInterval = 0.2;

  /// Maximum number of tracks in a scene. With more tracks no scenes are stored, because
  /// predictions would take too long. Choice.
  size_t maxSceneTracks = 256;

  /// Minimum number of companions for a prediction from motion. A displacement needs three, so that
  /// its errors are meaningful. Raising it predicts fewer places.
  size_t minCompanions = 3;

  /// Minimum number of companions for a map, or for a combination of two scenes. Raising it uses
  /// scenes less often, and more reliably. A map has six unknowns, a combination ten.
  size_t minMappedCompanions = 10;

  /// Factor by which the determinant of a map's covariance must be smaller than that of the
  /// prediction from motion. Among many maps, one seems precise by coincidence. Raising it uses
  /// maps less often.
  double minGain = 4;

  /// Number of scenes, those with the most precise maps, that are combined with each other scene.
  /// Raising it tries more pairs, which takes more time.
  size_t firstViews = 4;

  /// Minimum standard deviation of the predicted place of a moving marker, px. Raising it makes
  /// fewer joins in crowds.
  double minSigma = 2;

  /// Minimum standard deviation of the predicted place of a marker at rest, px. Raising it makes
  /// fewer joins in crowds.
  double minSigmaAtRest = 0.5;

  CompanionOptions byCompanions;
  TwoViewOptions byTwoViews;
};

/// Markers that are too fast to be followed, which the summary mentions: observations without a
/// track that form several similar steps in a row.
struct FastMarkerOptions {
  /// Maximum difference of two steps in a row that are similar, as a share of the longer one.
  /// Raising it counts more steps, also between stray lights.
  double maxDifference = 0.3;

  /// Maximum difference, as such a share, if there is a single free observation in both frames. A
  /// lone light needs less evidence. Raising it counts more steps.
  double maxDifferenceAlone = 1;

  /// Maximum number of free observations in a frame. With more of them nothing is counted, because
  /// so many are noise. Choice.
  size_t maxFree = 64;
};

/// Maximum time for which final rows wait, so that rows of earlier frames can be written before
/// them. With the default settings, and at 29 frames per second or more, a missing track is given
/// up before that (docs/measurements/hours.md). Raising either limit keeps the rows of more files
/// in order, and delays them.
struct RowOptions {
  /// Number of frames.
  uint64_t maxHeldFrames = 24;
  /// Time in the recording, s.
  double maxHeldSeconds = 0.7;
};

/// All options of a Tracker.
struct TrackerOptions {
  MotionOptions motion;
  MatchingOptions matching;
  ConfirmationOptions confirmation;
  HotPixelOptions hotPixels;
  AdoptionOptions adoption;
  JumpOptions jumps;
  RepeatOptions repeats;
  SceneOptions scene;
  MergeOptions merging;
  StitcherOptions stitching;
  FastMarkerOptions fastMarkers;
  RowOptions rows;
};

}  // namespace glint::motion
