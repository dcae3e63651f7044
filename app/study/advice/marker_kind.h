// The kind of markers that a user looks for, and the settings that follow from it.
#pragma once

#include <optional>

#include "config/settings.h"

namespace glint::study {

/// The values of `--marker-radius`, `--dark` and `--elongated`.
struct MarkerKind {
  std::optional<double> radius = {};  ///< px, of a marker: 0.5 to 500
  bool dark = false;                  ///< the markers are darker than their surroundings
  bool elongated = false;             ///< up to seven times as long as wide, such as fish
};

/// How a known radius becomes a search with the difference of Gaussians.
struct BandOptions {
  /// Largest response.radius, px. A larger one answers to larger markers, and takes longer.
  double largestRadius = 16;
  /// Largest marker radius that is searched in the band, px. The band of `largestRadius` still
  /// answers to the rim of such a marker; larger markers are searched in the luminance.
  double largestMarker = 50;
  /// Value of response.gain. A disc of full contrast answers with `kDiscResponse` of its contrast,
  /// and twice that fills the range of values. More gain resolves fainter markers, and saturates
  /// at bright ones.
  int gain = 4;
  /// Value of detect.threshold_sigma. Textures make the deviation of the response wide, but stay
  /// far below markers of some contrast. Raising it finds fewer markers.
  double thresholdSigma = 5;
};

/// The response of the difference of Gaussians to a disc of its radius, as a share of the disc's
/// contrast (computed from the definition of the filter).
inline constexpr double kDiscResponse = 0.47;

/// Sets response, gain, threshold, separation and limits of size, as they belong together. Leaves
/// the settings alone for what is not known.
void apply(const MarkerKind& kind, Settings& settings, const BandOptions& options = {});

/// Returns the default settings for a kind of marker, with everything in `now` that says nothing
/// about how markers look: masks and regions, tracks, cameras and the device. They have no filters.
Settings settingsOfKind(const MarkerKind& kind, const Settings& now);

}  // namespace glint::study
