// Distances and angles in the images, between places that stay and tracks that move.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/numbers.h"

namespace glint::output {

enum class MeasureKind {
  distance,  ///< between two points
  angle      ///< at the second of three
};

/// One end of what is measured.
struct MeasurePoint {
  double x = 0, y = 0;  ///< px
  /// It is the track that is there in this frame of the camera, wherever that goes; empty: it
  /// stays.
  std::optional<FrameNumber> frame = {};
  bool operator==(const MeasurePoint&) const = default;
};

/// Of one camera.
struct ImageMeasure {
  MeasureKind kind = MeasureKind::distance;
  CameraIndex camera;
  std::vector<MeasurePoint> points;  ///< so many as pointsOf() says
  std::string others = {};           ///< what a later Glint has written beside it, a JSON object
  bool operator==(const ImageMeasure&) const = default;
};

size_t pointsOf(MeasureKind kind);

/// "distance" or "angle".
std::string nameOf(MeasureKind kind);
std::optional<MeasureKind> measureKind(const std::string& name);

/// Where a point is now, px.
struct MeasurePlace {
  double x = 0, y = 0;
};

/// px, or degrees from 0 to 180. Empty where a place is unknown, or an angle's arm has no length.
std::optional<double> valueOf(MeasureKind kind,
                              std::span<const std::optional<MeasurePlace>> places);

/// "12.3 px", "12.3 px, 4.56 mm" or "34.5°"; `mmPerPx`: of the camera.
std::string wordsOf(MeasureKind kind, double value, std::optional<double> mmPerPx);

}  // namespace glint::output
