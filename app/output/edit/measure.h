// Distances and angles in the images, between fixed places and moving tracks.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/numbers.h"

namespace glint::output {

enum class MeasureKind {
  distance,  ///< the distance between two points
  angle      ///< the angle at the second of three points
};

/// One end of a measure.
struct MeasurePoint {
  double x = 0, y = 0;  ///< px
  /// If set, the point moves with the track that is at this place in this frame of the camera.
  /// Otherwise it stays at its place.
  std::optional<FrameNumber> frame = {};
  bool operator==(const MeasurePoint&) const = default;
};

/// A measure in the images of one camera.
struct ImageMeasure {
  MeasureKind kind = MeasureKind::distance;
  CameraIndex camera;
  std::vector<MeasurePoint> points;  ///< points of the measure, as many as pointsOf() returns
  std::string others = {};  ///< members that a later version of Glint has written, as a JSON object
  bool operator==(const ImageMeasure&) const = default;
};

/// Returns the number of points of a measure: 2 for a distance, 3 for an angle.
size_t pointsOf(MeasureKind kind);

/// Returns "distance" or "angle".
std::string nameOf(MeasureKind kind);
/// Returns the kind that nameOf() calls `name`. Empty if there is none.
std::optional<MeasureKind> measureKind(const std::string& name);

/// The present place of a point, px.
struct MeasurePlace {
  double x = 0, y = 0;
};

/// Returns the value of a measure: px, or degrees from 0 to 180. Empty if a place is unknown, or if
/// an arm of an angle has no length.
std::optional<double> valueOf(MeasureKind kind,
                              std::span<const std::optional<MeasurePlace>> places);

/// Returns the words for a value: "12.3 px", "12.3 px, 4.56 mm" or "34.5°". `mmPerPx` is the scale
/// of the camera.
std::string wordsOf(MeasureKind kind, double value, std::optional<double> mmPerPx);

}  // namespace glint::output
