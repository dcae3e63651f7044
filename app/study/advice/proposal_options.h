// The numbers that steer the search for a proposal.
#pragma once

#include <array>
#include <cstddef>

#include "app/study/advice/cut.h"
#include "app/study/advice/dimmer.h"
#include "app/study/advice/marker_kind.h"
#include "app/study/advice/pairs.h"

namespace glint::study {

/// Which candidates are tried, and how faint markers may be. If no source is given, a value was
/// chosen with the recordings and likenesses in docs/measurements/probe.md.
struct CandidateOptions {
  /// Radii that are tried, px. Each answers to markers of two thirds to one and a half times it, so
  /// that together they leave no gap between 1 and 37 px.
  std::array<double, 7> radii{1.5, 2.5, 4.0, 6.0, 10.0, 16.0, 25.0};
  /// Frames that every candidate is tried on. The best ones are then tried on all frames.
  size_t frames = 3;
  /// The search goes down to this many standard deviations above the mean response.
  double firstSigma = 3;
  /// If it finds at least this many markers per frame, which widen the deviation themselves, ...
  double manyMarkers = 32;
  /// ... it is repeated down to this many deviations.
  double lowSigma = 1;
  /// Least strength that the strongest decoy is assumed to have, counts of the response or of
  /// contrast. Raising it takes faint markers for noise.
  double decoyFloor = 8;
  /// Decoys count if their radius differs from the candidate's by this factor at most (natural
  /// logarithm: 0.7 is a factor of two).
  double decoySize = 0.7;
  /// Candidates of this radius or more are compared with decoys of any shape, px. A picture holds
  /// so few large things that there would not be enough of the same shape.
  double anyShapeRadius = 16;
  /// The response of a disc, as a multiple of its contrast. Where the response saturates, strength
  /// is computed from the contrast with it. It follows from the filter and its gain.
  double discResponse = kDiscResponse * BandOptions{}.gain;
};

/// How much candidates are worth, and when one is better than another. If no source is given, a
/// value was chosen with the recordings and likenesses in docs/measurements/probe.md.
struct JudgementOptions {
  /// A candidate needs so many markers a frame. With fewer there are none.
  double leastMarkers = 0.5;
  /// Among the candidates with this share of the best score, the one with the most markers wins.
  /// Raising it prefers contrast to completeness.
  double asGoodScore = 0.93;
  /// Share of the best count of markers that counts as equally many.
  double asManyMarkers = 0.92;
  /// The defaults are kept if they reach this share of the best score, and `asManyMarkers`.
  /// Raising it proposes options more often.
  double defaultScore = 0.85;
  /// Markers that are fainter than this share of the contrast of the faintest tenth of those that
  /// the defaults find are something else. They do not count against the defaults.
  double fainterShare = 0.5;
  /// Elongated markers must score so many times as high as round ones; four times that where
  /// everything is at rest, because long things at rest, such as lashes, are mostly scenery.
  double longerFactor = 1.5;
  /// Weight of what is at rest, compared with what moves.
  double restingWeight = 0.2;
  /// A marker is at rest if something is in its place in this share of the other frames.
  double restingShare = 0.5;
  /// How far the same place reaches: a share of the radius (more for long markers), within limits
  /// in px.
  double placeShare = 0.25, leastPlace = 0.5, mostPlace = 1.5;
  /// A whole is so many times as large as the parts that lie on it, such as a pupil and its glints.
  double wholeFactor = 2.5;
  /// Share of the parts that must lie on a whole.
  double partsShare = 0.9;
};

/// When the best candidate gets a radius, a threshold, gain or room. If no source is given, a value
/// was chosen with the recordings and likenesses in docs/measurements/probe.md.
struct PolishingOptions {
  /// The radius that was found is tried if it differs from the candidate's by more than this
  /// (natural logarithm of their ratio: 0.03 is 3 %).
  double sameRadius = 0.03;
  /// Strength of the faintest marker in counts of an 8-bit response, below which the response is
  /// too coarse to place a threshold, ...
  double coarseStrength = 16;
  /// ... so that this response.gain is used.
  int fineGain = 16;
  /// Share of the markers that the automatic threshold may lose, and share of other things that it
  /// may let in. Beyond either a threshold is proposed. Raising them proposes fewer thresholds.
  double lostShare = 0.02, othersShare = 0.05;
  /// Least threshold, as a share of the faintest marker's response. Raising it rejects more things
  /// that are as faint as in no sampled frame.
  double thresholdShare = 0.6;
  /// Largest threshold, as a share of full scale, where everything above saturates.
  double mostThreshold = 0.9;
  /// Share of detect.max_markers that may be used. With more markers it is raised ...
  double fullShare = 0.75;
  /// ... to so many times the markers of the fullest frame, and to at least `leastRoom`.
  double roomFactor = 1.5;
  int leastRoom = 256;
};

/// All of them.
struct ProposalOptions {
  CandidateOptions candidates;
  JudgementOptions judgement;
  PolishingOptions polishing;
  CutOptions cut;
  DimmerOptions dimmer;
  PairOptions pairs;
};

}  // namespace glint::study
