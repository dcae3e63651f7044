// The kind of markers that a user looks for, and the settings that follow from it.
#pragma once

#include <optional>

#include "config/settings.h"

namespace glint::study {

/// A kind of marker: the values of `--marker-radius`, `--dark` and `--elongated`.
struct MarkerKind {
  /// The radius of a marker, px: 0.5 to 500; empty if it is not known.
  std::optional<double> radius = {};
  bool dark = false;  ///< True if the markers are darker than their surroundings.
  /// True if the markers may be up to seven times as long as wide, as fish are.
  bool elongated = false;
};

/// Options that turn a known radius into a search with the difference of Gaussians.
struct BandOptions {
  /// The largest value of response.radius, px. With a larger one, the response is strong for larger
  /// markers, and takes longer to compute.
  double largestRadius = 16;
  /// The largest marker radius for which the difference of Gaussians is used, px. With
  /// response.radius at `largestRadius`, the response at the rim of such a marker is still strong
  /// enough. Larger markers are searched in the luminance.
  double largestMarker = 50;
  /// The value of response.gain. A disc of full contrast has a response of `kDiscResponse` times
  /// its contrast; twice that fills the range of values. Raising the gain resolves fainter markers,
  /// and saturates at bright ones.
  int gain = 4;
  /// The value of detect.threshold_sigma. Textures make the standard deviation of the response
  /// large, but stay far below markers of some contrast. Raising it finds fewer markers.
  double thresholdSigma = 5;
};

/// The response of the difference of Gaussians to a disc of its radius, as a share of the disc's
/// contrast (computed from the definition of the filter).
inline constexpr double kDiscResponse = 0.47;

/// Sets response, gain, threshold, separation and limits of size, as they depend on each other.
/// Does not change the settings that depend on a property that `kind` does not state.
void apply(const MarkerKind& kind, Settings& settings, const BandOptions& options = {});

/// Returns the default settings for a kind of marker. Takes from `now` all settings that do not
/// depend on the look of markers: masks and regions, tracks, cameras and the device. The returned
/// settings have no filters.
Settings settingsOfKind(const MarkerKind& kind, const Settings& now);

}  // namespace glint::study
