// The numbers that steer how markers are followed in one camera's images, with their defaults.
//
// Users change the settings in Settings::Track; everything here is fixed in the program, and only
// tests and studies change it. Each group belongs to one algorithm. Most members name the source of
// their value:
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

/// The motion model of one marker (MarkerMotion): how it learns from the residuals how steadily a
/// marker moves, and how it recognises markers at rest. A marker's *agility* is the factor on the
/// variance of its acceleration; with 1 the acceleration is the setting track.acceleration.
struct MotionOptions {
  /// Share of a moving marker's measurements over which its agility is averaged: with n
  /// measurements, the newest counts `agilityShare / n`. Raising it makes the agility follow recent
  /// residuals faster, and scatter more. Tuned on track_study.
  double agilityShare = 3;

  /// Share of a resting marker's measurements over which its agility is averaged. It is larger
  /// because a marker at rest should reach its small agility soon. Tuned on the star fields.
  double agilityShareAtRest = 8;

  /// Frames over which the agility of an old track is averaged. Raising it gives a steadier agility
  /// that adapts more slowly to a new manner of moving. Choice.
  double agilityFrames = 10;

  /// Greatest weight of the newest residual, 0 to 1. Raising it lets a single residual change the
  /// agility of a young track more. Choice.
  double agilityMaxWeight = 0.8;

  /// Least agility. Raising it widens the gate of hidden markers that were at rest. With 1e-4, the
  /// position of such a marker is still known to half a pixel after 15 frames without a
  /// measurement, which is the default of track.max_gap (tests/app/rest_test.cpp).
  double minAgility = 1e-4;

  /// Greatest agility. Raising it follows more erratic motion, and widens gates after a turn until
  /// they catch other markers. Tuned on track_study.
  double maxAgility = 4;

  /// px/frame^2. The bounds of the agility widen so far that the product of agility and
  /// track.acceleration^2 can always reach what this acceleration allows. It is the default of
  /// track.acceleration (config/describe.h), and should change with it.
  double usualAcceleration = 1.5;

  /// A marker whose agility is less than this counts as resting. Raising it treats markers that
  /// move slowly and steadily as resting, so that they are sought in smaller areas. It was the
  /// least agility of all markers before rest was recognised. Tuned on the star fields.
  double restAgility = 0.05;

  /// px/frame. A marker that moved this fast lately is not at rest, however steadily it moved.
  /// Raising it lets faster markers count as resting. Tuned on the star fields.
  double movingSpeed = 1.5;

  /// Factor by which the greatest recent speed of a marker shrinks each frame, 0 to 1. Raising it
  /// remembers motion longer, so a marker that stops counts as moving for longer. With 0.98 half of
  /// it is forgotten in 34 frames. Choice.
  double speedMemory = 0.98;

  /// Nats: -log(probability that a visible marker at rest starts to move in a frame). Raising it
  /// requires clearer evidence before a step counts as the start of motion. 6 is once in 400
  /// frames. Tuned on the star fields.
  double startCost = 6;

  /// Standard deviations. A marker that made a single step counts as resting again if its next
  /// measurement is this near to its old place or to its new one. Raising it forgives larger steps
  /// as the exchange of two markers at rest. Choice: the usual three.
  double settledGate = 3;

  /// px/frame. A new marker that is no faster than this, compared with the median marker, has shown
  /// no motion yet. Raising it presumes more new markers at rest. Tuned on the star fields.
  double stillSpeed = 0.15;

  /// If less than this share of the visible markers moves, a new marker that is still is presumed
  /// to rest. Raising it makes this presumption in livelier scenes. Choice.
  double fewMovingShare = 0.05;

  /// Measurements after which a marker's agility tells if it rests. Raising it delays that
  /// knowledge. It is as long as the average over `agilityFrames`.
  int knownMeasurements = 10;

  /// Imagined markers that are counted in the share of moving markers, so that a scene with few
  /// known markers is not taken for one at rest. Raising it requires more markers before a scene
  /// can count as resting. Choice: of two unknown markers, one moves.
  double priorMarkers = 2;

  /// How many of `priorMarkers` move. Raising it makes scenes look livelier.
  double priorMoving = 1;
};

/// Matching of tracks and observations within their gates (Track::matchCost), which the assignment
/// then solves for the whole frame.
struct MatchingOptions {
  /// px. No measurement's standard deviation counts as less, because it is an estimate, and a too
  /// small one would close the gate. Raising it widens the gates of very sharp measurements.
  /// Choice.
  double minSigma = 0.05;

  /// Nats: what leaving both a track and an observation alone costs, which is
  /// -log(probability of a miss * new markers per px^2). Raising it matches more distant pairs, and
  /// a track that was missed for long then takes other markers. 13.5 stands for 5 % misses and 27
  /// new markers in an image of 1000 x 1000 px. A marker that a track loses by this can regain its
  /// id by adoption.
  double newMarkerCost = 13.5;

  /// Standard deviations. Whatever `newMarkerCost` says, an observation this near to the prediction
  /// of a track that was seen in the last frame is no new marker. It matters when the settings make
  /// predictions very uncertain. Raising it prefers old tracks to new ones there. Choice: within
  /// two deviations lie 86 % of the measurements.
  double nearGate = 2;

  /// Standard deviations. A track.gate beyond this one raises the accepted cost by as much as it
  /// widens the gate. Raising it makes a wide setting of track.gate less generous. It is the
  /// default of track.gate (config/describe.h).
  double usualGate = 4;

  /// Nats by which an unconfirmed track must fit better than a confirmed one to take its
  /// measurement. Raising it protects confirmed tracks against clutter, and makes new markers
  /// beside them slower to be confirmed. 3 is a factor of 20. Choice.
  double tentativeCost = 3;

  /// Standard deviation of the logarithm of a marker's mass, and of its radius, from frame to
  /// frame, because its shape and the exposure vary. Raising it makes appearance count less.
  /// Choice.
  double appearanceSpread = 0.3;

  /// Nats: the most that a difference in mass, or in radius, counts. Merged, half-hidden and
  /// blinking markers change their look, so a large difference says nothing more. Raising it tells
  /// markers apart better and loses more of those that change. Choice.
  double maxAppearanceCost = 2;

  /// Nats: a difference in mass that would cost more than this without `maxAppearanceCost` counts
  /// fully again, growing with its logarithm. Such a light is a reflection beside the marker.
  /// Raising it lets fainter reflections take the place of markers. 8 is a factor of 3.3 in mass
  /// (Rest.AGhostTakesNoId in tests/app/rest_test.cpp).
  double otherMassCost = 8;
};

/// How long a track may be missed. Each track has a *credit*: the frames in a row without a
/// measurement that it survives, at most track.max_gap.
struct ConfirmationOptions {
  /// Frames: the credit after the first measurement. Raising it lets young tracks be missed longer;
  /// clutter then lives on, because the gate of a missed track widens until it finds more clutter.
  /// With -4 and 2 a track may be missed from its third measurement on. Tuned on the rows with
  /// false detections of track_study.
  int firstCredit = -4;

  /// Frames of credit that each further measurement earns; each missed frame costs one. Raising it
  /// trusts young tracks sooner. Tuned as `firstCredit`.
  int creditPerMeasurement = 2;

  /// Frames in a row that an unconfirmed track of two or more measurements may be missed, once.
  /// Raising it confirms markers that are often missed, and more clutter. Choice.
  int tentativeMisses = 1;
};

/// Recognition of bright pixels of the sensor, which are no markers. They are recognised by light
/// in a single pixel, which no lens makes, that never moves.
struct HotPixelOptions {
  /// px. Light with a smaller mean radius comes from a single pixel. Raising it takes very sharp
  /// markers at rest for hot pixels. The fit gives a single pixel 0.5 to 0.85 px, and a point
  /// behind a lens with a blur of 0.4 px has 1 px.
  double maxMeanRadius = 0.9;

  /// px. Light in the same pixel is nearer than this to the first measurement of its track. Raising
  /// it takes markers that move slowly for hot pixels. The fit of faint light strays up to this
  /// far.
  double maxDistance = 0.75;

  /// px. One step that is longer than this does not prove that a light moves, because the track may
  /// have gone over from one hot pixel to another. Raising it recognises fewer such tracks. Choice.
  double minHop = 3;

  /// px. A single faint observation may be of a known hot pixel if its radius is less than this.
  /// The limit is wider than `maxMeanRadius` because a single fit scatters. Raising it ignores more
  /// light in known hot pixels. Choice.
  double maxSingleRadius = 1.2;

  /// Sightings that a flickering hot pixel needs at least. Raising it recognises them later.
  /// Choice.
  uint64_t minSightings = 3;

  /// log(expected number of pixels with so many sightings by chance). A pixel is hot if this number
  /// is less. Raising it recognises hot pixels sooner, and more places of stray light as well. -4.6
  /// is one pixel in a hundred recordings.
  double chanceLog = -4.6;

  /// Pixels that are remembered at most; memory only. Pixels seen once are forgotten first.
  size_t maxPixels = size_t{1} << 14;
};

/// Adoption: a new track that has just been confirmed takes over the id of a track that is missed
/// at the moment, because the marker made a sharp turn or was hidden for a few frames.
struct AdoptionOptions {
  /// Nats: -log(probability of a sharp turn in the gap). Raising it adopts fewer tracks. 3.9 is 2
  /// %.
  double turnCost = 3.9;

  /// Nats: -log(probability that a track ends for good * new markers per marker). Raising it adopts
  /// more tracks, some of them wrongly. 8.5 stands for 1 % and 2 %.
  double unrelatedCost = 8.5;

  /// Frames that are added to those in which a marker was seen at rest before it is estimated how
  /// likely it began to move unseen. Raising it keeps ids of resting markers in their places more
  /// firmly. Tuned on the star fields.
  double restFrames = 20;

  /// Number of markers around a new one that tell how densely, and how fast, other markers may
  /// begin there. Raising it averages over a larger area. Choice.
  size_t neighbours = 8;

  /// px. The density of markers is taken from a circle of at least this radius. Raising it adopts
  /// more tracks in crowds. Choice.
  double minRadius = 5;

  /// px/frame. The new marker's own speed, or this if it is less, is added to the spread of the
  /// neighbours' velocities, because they may move alike by chance. Raising it adopts more tracks
  /// among markers that move alike. Choice.
  double maxOwnSpeed = 1;

  /// px/frame: how well a velocity is known. It is added to the new marker's own speed, so that
  /// markers that all rest do not seem to do so by chance. Raising it adopts more tracks among
  /// markers at rest. Tuned on the star fields.
  double speedNoise = 0.2;

  /// px^2 per marker: the greatest area that is assumed for each marker, also where there is no
  /// other one. Raising it adopts more tracks in sparse scenes. Choice.
  double maxAreaPerMarker = 3e4;
};

/// Jumps: markers that moved farther than predicted and are joined all the same, since no other
/// marker is as near. In a *common jump* most markers are displaced alike, as on a moved card.
/// All values were tuned on the sparse scenes, without loss on track_study, where no source is
/// named.
struct JumpOptions {
  /// Factor by which the second nearest candidate must be farther than the nearest one. Raising it
  /// joins fewer jumps, and fewer wrong ones.
  double clearness = 1.5;

  /// Replaces `clearness` where markers seldom jump.
  double clearnessIfRare = 3;

  /// Share of recent sightings that must be jumps for jumps to count as frequent. Raising it treats
  /// more scenes by the stricter rules. A track that was missed may jump only where jumps are
  /// frequent.
  double frequentShare = 0.1;

  /// Factor by which a jump must be likelier than light without a track within the same distance.
  /// Raising it joins fewer and shorter jumps.
  double odds = 10;

  /// Share of recent sightings that must be jumps for any to be joined. Where fewer markers jump,
  /// an apparent jump is a bounce or another marker; it is confirmed first and then adopted.
  /// Raising it leaves more to adoption.
  double minShare = 0.01;

  /// px: how far a marker may be from where the common displacement puts it. Raising it tolerates
  /// more noise.
  double minSlack = 3;

  /// The part of that distance that grows with the displacement, because cards also turn. Raising
  /// it tolerates larger turns.
  double slackShare = 0.15;

  /// Share of the recent tracks. If this many have been matched by their motion, no common jump is
  /// sought. Raising it seeks common jumps more often. Where jumps are frequent, this many must
  /// follow the common jump.
  double explainedShare = 0.8;

  /// Share of the recent tracks that must follow a common jump where jumps are not frequent.
  /// Raising it accepts fewer common jumps.
  double commonShare = 0.6;

  /// Tracks that a common jump needs at least. Raising it needs larger groups. With fewer than
  /// three tracks any two displacements agree too easily.
  size_t minCommonTracks = 3;

  /// Tracks without an observation (or, for a common jump, recent tracks) beyond which the search
  /// is skipped, for the sake of time. Choice.
  size_t maxTracks = 512;

  /// Pairs of a track and an observation beyond which no common jump is sought, for the sake of
  /// time, which grows with the square of this number. Choice.
  size_t maxPairs = 600;

  /// Multiple of track.max_speed that a jump may span in one frame. Raising it allows longer jumps.
  double maxSpeedFactor = 3;

  /// Replaces `maxSpeedFactor` for a marker that was seen once, which may already have been on its
  /// way. Tuned on a lone ball (Rest.ALoneFastMarkerIsATrack in tests/app/rest_test.cpp).
  double firstStepFactor = 10;

  /// Multiple of the farthest recent jump that a jump may span, if that is more.
  double recentJumpFactor = 1.5;

  /// Frames that a marker may have been missed in before its jump. Raising it joins jumps after
  /// longer gaps.
  size_t maxMissed = 2;
};

/// Frames that show the one before again, as conversions from 24 to 30 frames/s and screen
/// recorders write them. Tuned on the sparse scenes and the gait recording of docs/real-footage.md.
struct RepeatOptions {
  /// px along each axis. An observation of a repeated frame is this near to one of the frame
  /// before. Raising it recognises repeats that were encoded more coarsely, and takes slow motion
  /// for repeats.
  double maxDistance = 0.05;

  /// Share of its mass by which a repeated observation may differ. Raising it has the same effects.
  double maxMassChange = 0.03;

  /// Share of the observations that must be found again. Raising it recognises fewer repeats.
  double minShare = 0.95;

  /// px/frame. Frames count as repeated only if a quarter of the markers moved at least this fast
  /// before; otherwise the scene is at rest. Raising it misses repeats of slow scenes. Choice.
  double minMotion = 0.5;

  /// Repeats in a row. More than these are markers that rest. Raising it waits longer before
  /// markers that stop all at once count as resting. Choice.
  int maxRepeats = 5;

  /// px along each axis: how far a track may be from its observation in a repeated frame. It is
  /// wider than `maxDistance`, because the rest of the observations need not repeat exactly.
  /// Choice.
  double matchDistance = 0.1;
};

/// Statistics of the last frames (SceneStatistics): how often markers jump, how far, and how
/// much light belongs to no track. The search for jumps uses it.
struct SceneOptions {
  /// Frames over which sightings and jumps are counted. Raising it adapts more slowly. Choice:
  /// about a second.
  double jumpFrames = 30;

  /// Frames over which light that belongs to no track is averaged. Raising it adapts more slowly.
  /// Choice.
  int strangerFrames = 50;

  /// Factor by which the farthest jump is forgotten each frame, 0 to 1. Raising it allows long
  /// jumps for longer. With 0.98 half of it is forgotten in 34 frames. Choice.
  double jumpMemory = 0.98;

  /// Sightings that are assumed before the first frame. Raising it makes the first frames' evidence
  /// count less. Tuned on the sparse scenes.
  double priorSightings = 2.5;

  /// How many of them were jumps. Raising it joins more jumps in the first frames. Tuned on the
  /// sparse scenes.
  double priorJumps = 0.5;

  /// px. The area in which anything was ever seen counts as at least this wide and high, because
  /// pictures are larger than where their first markers are. Raising it lowers the density of stray
  /// light, so that more jumps are joined early. Tuned on a lone ball (tests/app/rest_test.cpp).
  double minSide = 500;
};

/// Observations of two markers that pass each other.
struct MergeOptions {
  /// Radii of an observation. A marker that is part of it is expected nearer than this. Raising it
  /// finds more merged markers and more false ones. Choice.
  double maxDistance = 2;

  /// Factor by which two markers are heavier than one at least. Raising it requires clearer
  /// evidence. Masses vary from frame to frame by MatchingOptions::appearanceSpread, which is a
  /// factor of 1.35.
  double minMassFactor = 1.4;
};

/// How the place of a marker that was hidden for a while follows from the markers around it, by
/// their displacement or by one affine map. Tuned on the dancers of track_study.
struct CompanionOptions {
  /// px. Companions nearer than this count nearly alike; farther ones by the inverse square of the
  /// distance. Raising it includes more of the body, and averages over more different motions.
  double nearDistance = 30;

  /// How strongly the map is pulled towards a pure displacement (ridge regression), in parts of the
  /// companions' spread. Raising it gives steadier maps of few companions, which turn less.
  double ridge = 0.05;

  /// Degrees of freedom of Student's t for the map's errors. A body has depth, and hidden markers
  /// are behind it, so errors have long tails. Raising it trusts the map's stated errors more.
  double freedom = 3;

  /// px. No predicted place is surer than this. Raising it joins fewer tracks in crowds.
  double minSigma = 2;
};

/// How that place follows from two earlier scenes at a time, which know the depth of a rigid body
/// (Ullman and Basri, "Recognition by linear combinations of models", IEEE PAMI 13, 1991). Tuned on
/// the dancers of track_study and the bundled clip (docs/notes/scenes-of-the-past.md).
struct TwoViewOptions {
  /// px: see CompanionOptions::nearDistance. It is smaller, because two views fit a body better.
  double nearDistance = 15;

  /// How strongly the combination is pulled towards a displacement of the first view; see
  /// CompanionOptions::ridge.
  double ridge = 0.01;

  /// Degrees of freedom of Student's t for its errors. It is less than for one map, since a body
  /// bends, and since the best of many pairs of scenes is taken.
  double freedom = 1.5;

  /// Least share of a companion's weight that does not come from its own measurement; against
  /// rounding. Raising it underestimates the errors at companions that stand alone. Choice.
  double minOthersShare = 0.05;

  /// px: see CompanionOptions::minSigma.
  double minSigma = 2;
};

/// Stitching: a new track takes over the id of one that ended longer ago than track.max_gap. Tuned
/// on the tables of docs/measurements/identity.md and the bundled clip, where no source is named.
struct StitcherOptions {
  /// Factor by which a join must be likelier than everything else together, if scenes of the past
  /// tell the place. Raising it makes fewer joins, and fewer wrong ones
  /// (docs/notes/scenes-of-the-past.md).
  double odds = 1.3;

  /// Replaces `odds` if motion alone tells the place. It is larger, because independent markers may
  /// share a motion by chance.
  double oddsOfMotion = 1.8;

  /// Markers that appear without having been seen before, per marker around. Raising it makes fewer
  /// joins.
  double unseenShare = 0.02;

  /// Measurements that a track needs to be remembered. Raising it forgets more short tracks, which
  /// are clutter more often.
  int minMeasurements = 5;

  /// Nearest tracks that are remembered with each ended one. Raising it takes more time and memory,
  /// and makes maps steadier in large groups.
  size_t companions = 32;

  /// Nearest tracks from which the density of markers around a new one is taken. Raising it
  /// averages over a larger area. Choice.
  size_t neighbours = 5;

  /// px. The density is taken from a circle of at least this radius. Raising it makes more joins in
  /// crowds. Choice.
  double minRadius = 5;

  /// Markers per px^2 that are assumed at least, also where there is no other. Raising it makes
  /// fewer joins in sparse scenes. 1e-6 is one marker in an image of 1000 x 1000 px.
  double minDensity = 1e-6;

  /// Scenes (the places of all tracks in one frame) that are remembered. Raising it finds poses
  /// that are longer past, for more time and memory. 24 scenes that are 0.2 s apart span 4.8 s, a
  /// little more than the default of track.stitch_gap.
  size_t scenes = 24;

  /// s between two scenes. Raising it spans more time with the same scenes. Choice.
  double sceneInterval = 0.2;

  /// With more tracks than this no scenes are remembered, because predictions would take too long.
  /// Choice.
  size_t maxSceneTracks = 256;

  /// Companions that motion is taken from, at least: a displacement needs three for its errors to
  /// mean anything.
  size_t minCompanions = 3;

  /// Companions that a map, or a combination of two scenes, is taken from, at least. Raising it
  /// uses scenes less often, and more reliably. A map has six unknowns, a combination ten.
  size_t minMappedCompanions = 10;

  /// Factor by which the determinant of a map's covariance must be smaller than that of the
  /// prediction from motion. Of many maps, one seems precise by chance. Raising it uses maps less
  /// often.
  double minGain = 4;

  /// Scenes, those with the most precise maps, that are combined with every other one. Raising it
  /// tries more pairs, for more time.
  size_t firstViews = 4;

  /// px. The place of a moving marker is predicted no more precisely than this. Raising it makes
  /// fewer joins in crowds.
  double minSigma = 2;

  /// px: replaces `minSigma` for a marker at rest.
  double minSigmaAtRest = 0.5;

  CompanionOptions byCompanions;
  TwoViewOptions byTwoViews;
};

/// Markers that are too fast to be followed, which the summary mentions: observations without a
/// track that form several equal steps in a row.
struct FastMarkerOptions {
  /// Two steps in a row are alike if they differ by less than this share of the longer one. Raising
  /// it counts more steps, also between stray lights.
  double maxDifference = 0.3;

  /// Replaces `maxDifference` if there is one free observation in both frames. A lone light needs
  /// less evidence.
  double maxDifferenceAlone = 1;

  /// Free observations in a frame beyond which nothing is counted, because so many are noise.
  /// Choice.
  size_t maxFree = 64;
};

/// How long final rows wait, so that rows of earlier frames can be written before them. With the
/// default settings, and 29 frames a second or more, a missing track is given up before that
/// (docs/measurements/hours.md). Raising either keeps the rows of more files in order, and delays
/// them.
struct RowOptions {
  uint64_t maxHeldFrames = 24;
  double maxHeldSeconds = 0.7;  ///< of the recording
};

/// All of them, for one Tracker.
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
