// Which of the measured peaks are markers: limits of size and shape, one marker for each object,
// and the number wanted. On the host, in order of rank.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint::gpu {

/// Why a candidate was rejected.
enum class Rejection {
  tooSmall,    ///< detect.min_radius or detect.min_mass
  tooLarge,    ///< detect.max_radius
  notRound,    ///< detect.max_eccentricity
  ridge,       ///< a line or an edge: longer than ridgeLimit()
  faint,       ///< detect.min_significance
  masked,      ///< detect.mask
  tooNear,     ///< a brighter marker is too near, or it is that marker
  beyondMost,  ///< there are detect.max_markers brighter ones
  lowScore,    ///< detect.min_score
  ambiguous    ///< detect.score_ratio
};

/// Returns the reason as it stands in files: "too_small".
std::string_view nameOf(Rejection reason);

/// Returns the reason in two or three words for people: "too small".
std::string_view wordsOf(Rejection reason);

/// A setting that limits a quantity of markers.
struct MarkerLimit {
  std::string_view key = {};                  ///< "detect.min_radius"; empty: there is no limit
  double Settings::Detect::*value = nullptr;  ///< the setting
  Rejection reason{};                         ///< of candidates that are beyond the limit
  int digits = 0;                             ///< decimals of measured values in explanations
  bool onlyPeaks = false;                     ///< true if blobs are not held to the limit
  double none = 0;                            ///< the value of the setting that sets no limit
  double initial = 0;                         ///< the default of the setting

  bool isSet(const Settings::Detect& settings) const { return settings.*value != none; }
};

/// A quantity that is measured of each candidate and that settings limit.
struct MarkerQuantity {
  std::string_view name;  ///< "radius"
  std::string_view unit;  ///< of its limits: "px"; or empty
  double (*valueOf)(const shared::Detection&);
  MarkerLimit least = {}, most = {};
  /// The largest possible value, if it makes a readable end of an axis.
  double greatest = std::numeric_limits<double>::infinity();
  bool spansDecades = false;  ///< true if markers of one frame may differ by powers of ten
};

/// Returns all quantities that are limited, in the order in which the window shows them. The
/// window's histograms, the explanations of rejected candidates and the checks of settings follow
/// from this table; applyLimits() alone compares.
std::span<const MarkerQuantity> markerQuantities();

/// Returns the limit that the setting `key` is; null if that setting is no limit of a quantity.
const MarkerLimit* findLimit(std::string_view key);

/// A rejected candidate.
struct Rejected {
  Rejection reason{};
  shared::Detection seen{};  ///< of those not `measured` only peakX, peakY and peak are valid
  bool measured = false;
  uint32_t nearestRank = 0;  ///< tooNear: rank of the brighter marker, from 1; 0: it is none itself
  double score = std::numeric_limits<double>::quiet_NaN();  ///< of a template that is sought
  uint32_t candidates = 1;  ///< tooNear: that it is told for, itself and those beside it
};

struct Limited {
  std::vector<shared::Detection> markers;  ///< in order of rank
  std::vector<Rejected> rejected;          ///< in order of rank, then those from the selection
  bool partial = false;                    ///< markers may be missing; those there are flagged so
  /// Objects that were rejected for their shape, but within what --elongated allows, and as bright
  /// as three quarters of the markers.
  uint32_t elongated = 0;
};

/// detect.max_eccentricity of things that are longer than wide: up to seven times.
inline constexpr double kElongated = 0.99;

/// Peaks a layer that must be measured: detect.max_markers and as many as limits may reject. Those
/// of size are for images full of other things, and take four times as many; those of shape and
/// significance, which are there by default, half as many again, 64 more at least. 4096 at most.
/// Just detect.max_markers of blobs, since those outside of the limits are not among them, and
/// where refine.method is "none", so that no limit applies.
uint32_t peaksToMeasure(const Settings& settings);

/// Throws UsageError naming the keys when limits contradict each other, or need a measurement that
/// refine.method "none" does not make. Without it the default limits do not apply. Also throws it
/// for settings that would invert filters.
void checkLimits(const Settings& settings);

/// Of Detection::elongation, by default: what is as long has no end, or is a line. An ellipse three
/// times as long as wide has 3.
inline constexpr float kRidge = 4;
/// Of Detection::elongation of what has no end at all.
inline constexpr float kEndless = 1000;
/// What is rounder is one object, not several side by side.
inline constexpr float kRound = 1.6F;

/// Of Detection::elongation: what is longer is on a line or an edge. kRidge up to the default of
/// detect.max_eccentricity; beyond, in proportion to the length that it allows in widths, without
/// end at 1.
double ridgeLimit(double maxEccentricity);

/// px, of Detection::extent: more is too large whatever a fit would say, 1.5 times
/// detect.max_radius, and no soft light that reaches into another's.
double largestExtent(const Settings::Detect& limits);

/// How far a measured marker stands out of the noise, standard deviations: what
/// detect.min_significance is compared with, radius / (sqrt(2) * the larger of sigma_x and
/// sigma_y).
double significanceOf(const shared::Detection& d);

/// Whether a marker stands out less than `least` standard deviations of the noise.
bool isFaint(const shared::Detection& d, double least);

/// Counts, of a disc of the marker's mass and radius above what is around it.
double contrastOf(const shared::Detection& d);

/// px: what a fit says, unless it has filled its window with what is around.
double plausibleRadius(const shared::Detection& d);

/// Whether the peak of `b` is one of the round object `a`.
bool coversPeak(const shared::Detection& a, const shared::Detection& b);

/// Keeps the first detect.max_markers of `found` (in order of rank) that are within the limits (on
/// peaks: blobs were held to them before, by their own measures) and not a second peak of a better
/// marker: nearer to it than half of detect.separation or of the larger radius, once both are
/// measured; or one of them, if it is round, reaches over the other's place at half of its own
/// height: large lights have structure; or it has kFlagSecond. Several peaks fell on that one,
/// which is flagged kFlagSplit; where the dimmer of two so near is twice as heavy, it takes the
/// rank of the brighter one. If `found` holds the `capacity` peaks that were measured and fewer
/// than detect.max_markers are kept, further ones may be missing and those kept are flagged
/// kFlagPartial, unless the dimmer half of the peaks are on lines and edges. `fromSelect`: what was
/// rejected before; its nearestRank counts in `found`, from 1. `scores`: of `found`, the best
/// first, if a template was sought; empty otherwise. With them there are limits of score, and none
/// of shape.
Limited applyLimits(std::span<const shared::Detection> found, const Settings& settings,
                    uint32_t capacity, std::span<const Rejected> fromSelect = {},
                    std::span<const double> scores = {});

}  // namespace glint::gpu
