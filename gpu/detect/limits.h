// Decides on the host which of the measured peaks are markers. It goes through them in order of
// rank, and applies limits of size and shape, keeps one marker for each object, and stops at the
// greatest number of markers.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint::gpu {

/// A reason for which a candidate is rejected.
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
  Rejection reason{};                         ///< reason for candidates that are beyond the limit
  int digits = 0;                             ///< decimals of measured values in explanations
  bool onlyPeaks = false;                     ///< true if blobs are not held to the limit
  double none = 0;                            ///< the value of the setting that sets no limit
  double initial = 0;                         ///< the default of the setting

  bool isSet(const Settings::Detect& settings) const { return settings.*value != none; }
};

/// A quantity that is measured of each candidate and that settings limit.
struct MarkerQuantity {
  std::string_view name;  ///< "radius"
  std::string_view unit;  ///< unit of its limits: "px"; or empty
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
  shared::Detection seen{};  ///< unless `measured`, only peakX, peakY and peak are valid
  bool measured = false;
  /// For tooNear, the rank of the brighter marker, from 1. 0: the brighter one is no marker itself.
  uint32_t nearestRank = 0;
  double score = std::numeric_limits<double>::quiet_NaN();  ///< score of a template, if sought
  /// For tooNear, the number of candidates that this entry stands for: itself and others beside it.
  uint32_t candidates = 1;
};

/// The result of applyLimits().
struct Limited {
  std::vector<shared::Detection> markers;  ///< in order of rank
  std::vector<Rejected> rejected;          ///< in order of rank, then those of `fromSelect`
  bool partial = false;                    ///< true if markers may be missing (kFlagPartial)
  /// The number of objects that were rejected only for their shape, which --elongated would accept,
  /// and that are as bright as the brighter three quarters of the markers.
  uint32_t elongated = 0;
};

/// The value of detect.max_eccentricity for elongated markers, up to seven times as long as wide.
inline constexpr double kElongated = 0.99;

/// Returns how many peaks per layer must be measured: detect.max_markers, and as many more as
/// limits may reject, at most 4096. Limits of size are set for images that are full of other
/// things, so there are four times as many. The limits of shape and significance are set by
/// default, so there are half as many more, and at least 64 more. The result is just
/// detect.max_markers for blobs, because those are already within the limits, and if refine.method
/// is "none", because no limits apply.
uint32_t peaksToMeasure(const Settings& settings);

/// Throws UsageError with the keys if limits contradict each other, or need a measurement although
/// refine.method is "none". (The default limits do not apply then.) Also throws it for settings
/// that would invert the image although there are filters.
void checkLimits(const Settings& settings);

/// The usual least Detection::elongation of a line. An ellipse three times as long as wide has 3.
inline constexpr float kRidge = 4;
/// The Detection::elongation of lines and edges that have no end.
inline constexpr float kEndless = 1000;
/// The greatest Detection::elongation of round objects. More may be several objects side by side.
inline constexpr float kRound = 1.6F;

/// Returns the greatest Detection::elongation that is not a line or an edge. It is kRidge up to the
/// default of detect.max_eccentricity. Beyond that, it grows in proportion to the greatest allowed
/// length / width, and is infinite for an eccentricity of 1.
double ridgeLimit(double maxEccentricity);

/// Returns the Detection::extent, px, above which an object is too large whatever a fit would find:
/// 1.5 times detect.max_radius, and at least that of soft lights, which may overlap with others.
double largestExtent(const Settings::Detect& limits);

/// Returns how far a measured marker stands out of the noise, in standard deviations: radius /
/// (sqrt(2) * the larger of sigma_x and sigma_y). detect.min_significance is compared with this.
double significanceOf(const shared::Detection& d);

/// Returns true if a marker stands out of the noise by less than `least` standard deviations.
bool isFaint(const shared::Detection& d, double least);

/// Returns the height, in counts, of a uniform disc with the marker's mass and radius.
double contrastOf(const shared::Detection& d);

/// Returns the radius that the fit has found, px, but not more than is plausible for the extent. A
/// fit that has failed may fill its whole window.
double plausibleRadius(const shared::Detection& d);

/// Returns true if `a` is round and covers the peak of `b`.
bool coversPeak(const shared::Detection& a, const shared::Detection& b);

/// Chooses the markers among `found`, which must be in order of rank. It keeps the first
/// detect.max_markers that are within the limits and are not a second peak of a better marker.
/// Blobs are not compared with the limits, because the kernels have done this.
///
/// A peak is a second peak in three cases. It is nearer to the better marker than half of
/// detect.separation, or than half of the larger radius. Or one of both is round, and covers the
/// place of the other within its edge at half height, because large lights have structure. Or it
/// has kFlagSecond. The better marker is then flagged kFlagSplit. But if the second peak is in the
/// first case and has at least twice the mass, it replaces the better one and takes its rank.
///
/// If `found` has `capacity` peaks and fewer than detect.max_markers are kept, further markers may
/// be missing, and the kept ones are flagged kFlagPartial. This does not apply if the dimmer half
/// of the peaks are on lines and edges.
///
/// `fromSelect` are candidates that were rejected earlier, whose nearestRank counts in `found`,
/// from
/// 1. `scores` are the scores of `found`, in falling order, if a template was sought, otherwise
/// empty. With scores, there are limits of score and none of shape.
Limited applyLimits(std::span<const shared::Detection> found, const Settings& settings,
                    uint32_t capacity, std::span<const Rejected> fromSelect = {},
                    std::span<const double> scores = {});

}  // namespace glint::gpu
