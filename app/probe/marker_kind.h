// What a user knows of the markers, as the settings that follow from it.
#pragma once

#include <optional>

#include "config/settings.h"

namespace glint {

/// What `--marker-radius`, `--dark` and `--elongated` say.
struct MarkerKind {
  std::optional<double> radius;  ///< px, of a marker: 0.5 to 500
  bool dark = false;             ///< darker than what is around them
  bool elongated = false;        ///< up to seven times as long as wide, such as fish
};

/// Sets response, gain, threshold, separation and limits of size, as they belong together; leaves
/// everything as it is where nothing is known. Up to 50 px the difference of Gaussians is sought
/// in, which answers to nothing that is much larger; beyond it, the luminance itself.
void apply(const MarkerKind& kind, Settings& settings);

}  // namespace glint
