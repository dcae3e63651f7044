// The numbers that steer the search for a proposal.
#pragma once

#include <array>
#include <cstddef>

#include "app/study/advice/cut.h"
#include "app/study/advice/dimmer.h"
#include "app/study/advice/marker_kind.h"
#include "app/study/advice/pairs.h"

namespace glint::study {

/// Options that determine the candidates that are tried, and how faint their markers may be. If no
/// source is given, a value was chosen with the recordings and likenesses in
/// docs/measurements/probe.md.
struct CandidateOptions {
  /// The radii that are tried, px. Each finds markers of two thirds to one and a half times its
  /// size, so that together they leave no gap between 1 and 37 px.
  std::array<double, 7> radii{1.5, 2.5, 4.0, 6.0, 10.0, 16.0, 25.0};
  /// The number of frames on which every candidate is tried. The best ones are then tried on all
  /// frames. Raising it sees more of what moves, and takes longer.
  size_t frames = 3;
  /// After the first frame, a radius is given up if its score is below this share of the best one.
  /// Its score may still rise by a factor of five, and by six if it is compared with elongated
  /// things, if the best one turns out to be at rest. Raising it gives up more, and is quicker.
  double hopelessShare = 0.03;
  /// The search goes down to this many standard deviations above the mean response. Lowering it
  /// finds fainter markers.
  double firstSigma = 3;
  /// If the search finds at least this many markers or decoys per frame, it is repeated with
  /// `lowSigma`, because so many markers widen the standard deviation themselves. Raising it
  /// repeats fewer searches.
  double manyMarkers = 32;
  /// The repeated search goes down to this many standard deviations above the mean response.
  /// Lowering it finds fainter markers.
  double lowSigma = 1;
  /// The strongest decoy is assumed to be at least this strong, in counts of the response or of
  /// contrast. Raising it takes faint markers for noise.
  double decoyFloor = 8;
  /// The largest difference between the radii of a decoy and the candidate's markers, as the
  /// natural logarithm of their ratio: 0.7 is a factor of two. Raising it compares markers with
  /// decoys of less similar size.
  double decoySize = 0.7;
  /// The radius, px, from which candidates are compared with decoys of any shape. A picture holds
  /// so few large things that there would not be enough decoys of the same shape. Raising it
  /// compares more candidates with decoys of the same shape only.
  double anyShapeRadius = 16;
  /// The response of a disc, as a multiple of its contrast. It follows from the filter and its
  /// gain. The strength of a marker with a saturated response is this times its contrast.
  double discResponse = kDiscResponse * BandOptions{}.gain;
};

/// Options that determine the worth of candidates, and when one is better than another. If no
/// source is given, a value was chosen with the recordings and likenesses in
/// docs/measurements/probe.md.
struct JudgementOptions {
  /// The least number of markers per frame that a candidate must find. With fewer, it counts as
  /// having found none.
  double leastMarkers = 0.5;
  /// Among the candidates that reach this share of the best score, the one with the most markers is
  /// chosen. Raising it prefers contrast to completeness.
  double asGoodScore = 0.93;
  /// A candidate has as many markers as another if it has at least this share of their number.
  /// Lowering it accepts candidates that find fewer markers.
  double asManyMarkers = 0.92;
  /// The default settings are kept if they reach this share of the best score and the share
  /// `asManyMarkers` of the number of markers. Raising it proposes options more often.
  double defaultScore = 0.85;
  /// Markers of the best candidate may be fainter than most that the default settings find. If
  /// their contrast is below this share of the contrast of the faintest tenth of the latter, they
  /// are taken for something else and do not count against the default settings. Raising it keeps
  /// the default settings more often.
  double fainterShare = 0.5;
  /// The factor by which the score of elongated markers must exceed the score of round ones. It is
  /// multiplied by four if everything is at rest, because long things at rest, such as lashes, are
  /// mostly scenery. Raising it prefers round markers.
  double longerFactor = 1.5;
  /// The weight of things at rest, compared with a weight of 1 for moving things. Raising it
  /// proposes settings for things at rest more often.
  double restingWeight = 0.2;
  /// A marker is at rest if this share of the other frames, or more, have a marker in its place.
  /// Raising it takes fewer markers to be at rest.
  double restingShare = 0.5;
  /// The reach of a place: a marker within this share of the radius (more for long markers) is in
  /// the same place. The reach is at least `leastPlace` and at most `mostPlace`, px.
  double placeShare = 0.25, leastPlace = 0.5, mostPlace = 1.5;
  /// A whole, such as a pupil, has at least this many times the radius of the parts that lie on it,
  /// such as glints. Raising it proposes wholes less often.
  double wholeFactor = 2.5;
  /// The least share of the parts that must lie on a whole. Raising it proposes wholes less often.
  double partsShare = 0.9;
  /// Markers are noise if most of them have a smaller significance, in standard deviations of the
  /// noise. The peaks of noise have 5 to 7, and faint markers of all sizes from 8 on. Raising it
  /// takes more markers for noise.
  double noiseSignificance = 8;
  /// Two markers in the same place are the same thing if their radii differ by at most this factor.
  /// Raising it shows fewer rivals.
  double sameSize = 2;
  /// Another kind of thing is a rival if it has at least this share of the best score. Raising it
  /// shows fewer rivals.
  double rivalScore = 0.1;
  /// The largest number of rivals that are shown.
  size_t mostRivals = 3;
  /// Things are individuals if each has at least this many times the signal of the things that
  /// compete with them. A speck of dust has less than a hundredth of the signal of an animal; a
  /// marker on a body has about half of the body's. Raising it proposes individuals less often.
  double individualSignal = 20;
  /// Individuals travel: at most this share of their signal comes from things at rest. Raising it
  /// proposes individuals more often, and scenery as well.
  double mostRest = 0.75;
};

/// Options that determine when the best candidate gets a radius, a threshold, gain or a larger
/// detect.max_markers. If no source is given, a value was chosen with the recordings and likenesses
/// in docs/measurements/probe.md.
struct PolishingOptions {
  /// The median radius of the markers is tried if it differs from the radius of the candidate by at
  /// least this, as the natural logarithm of their ratio: 0.03 is 3 %. Raising it keeps the radius
  /// of the candidate more often.
  double sameRadius = 0.03;
  /// If the faintest marker is weaker than this, in counts of an 8-bit response, the response is
  /// too coarse to place a threshold, and `fineGain` is used. Raising it uses `fineGain` more
  /// often.
  double coarseStrength = 16;
  /// The value of response.gain for faint markers. Raising it resolves the response more finely,
  /// and saturates at bright markers.
  int fineGain = 16;
  /// A threshold is proposed if the automatic one loses more than this share of the markers, or
  /// finds more than `othersShare` of their number as other things. Raising them proposes fewer
  /// thresholds.
  double lostShare = 0.02, othersShare = 0.05;
  /// The least threshold, as a share of the response of the faintest marker. Raising it rejects
  /// more markers that are fainter than all markers in the sampled frames.
  double thresholdShare = 0.6;
  /// The largest threshold, as a share of full scale. Near full scale, the response of everything
  /// is saturated.
  double mostThreshold = 0.9;
  /// The share of detect.max_markers that may be used. If the fullest frame has more markers,
  /// detect.max_markers is raised.
  double fullShare = 0.75;
  /// The raised detect.max_markers is at least this many times the number of markers in the fullest
  /// frame, and at least `leastRoom`. Raising it leaves more room for fuller frames.
  double roomFactor = 1.5;
  int leastRoom = 256;
};

/// All options of the search for a proposal.
struct ProposalOptions {
  CandidateOptions candidates;
  JudgementOptions judgement;
  PolishingOptions polishing;
  CutOptions cut;
  DimmerOptions dimmer;
  PairOptions pairs;
};

}  // namespace glint::study
