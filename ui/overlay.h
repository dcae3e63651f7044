// What was found, drawn over the image of the frame that it was found in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/frame/session_frame.h"
#include "ui/trails.h"
#include "ui/view.h"

struct ImDrawList;

namespace glint::ui {

struct OverlayOptions {
  bool markers = true, ids = true, trails = true, rejected = false, masks = true, expected = false,
       uncertainty = false;
  double trailSeconds = 1;
  bool smoothLines = true;  ///< costs much on a CPU
};

struct Selection {
  size_t camera = 0;
  uint64_t track = 0;
};

/// How much larger uncertainties are drawn than they are.
inline constexpr double kUncertaintyEnlarged = 100;

/// Where tracks were expected, each with the gate beyond which it takes no measurement.
void drawExpected(ImDrawList& list, const View& view,
                  const std::vector<shared::Prediction>& expected);

/// `stale`: drawn as what no longer counts. `selected`: a track of this camera.
void drawOverlay(ImDrawList& list, const View& view, const CameraFrame& frame,
                 const std::map<uint64_t, std::vector<TrailPoint>>& trails,
                 const OverlayOptions& options, std::optional<uint64_t> selected, bool stale);

/// Where it was measured, or, where it was not, its brightest pixel: x and y, px.
std::pair<double, double> placeOf(const Rejected& rejected);

/// Whether it is a further peak of a marker that was found: nothing that anybody misses.
bool isPartOfMarker(const CameraFrame& frame, const Rejected& rejected);

/// The tracked marker under the cursor, if there is one.
std::optional<uint64_t> trackAt(const View& view, const CameraFrame& frame, Point cursor);

/// The rejected candidate under the cursor, parts of markers apart, or null.
const Rejected* rejectedAt(const View& view, const CameraFrame& frame, Point cursor);

}  // namespace glint::ui
