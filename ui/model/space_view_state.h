// The user's choice of what is shown of space.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/shell/desk/orbit.h"
#include "ui/model/view.h"

namespace glint::ui {

/// Place of the 3D view: beside the images, instead of them, or nowhere.
enum class SpacePlace { beside, alone, hidden };

/// The choice for one session with a rig.
struct SpaceViewState {
  SpacePlace place = SpacePlace::beside;
  shell::Orbit orbit;
  bool oriented = false;  ///< true once the orbit knows which direction is up
  /// True once all points were brought into sight, or the user has moved the view.
  bool framed = false;
  /// True once the user has moved the view; until then all points are kept in sight.
  bool moved = false;
  std::pair<float, float> framedIn = {};  ///< px: the place's width and height
  /// Number of the selected point.
  std::optional<uint64_t> point = {};
  std::vector<uint64_t> group = {};  ///< numbers of the points that are chosen for a body
  std::optional<std::pair<size_t, ImagePoint>> marker =
      {};  ///< the marker under the mouse: its camera, and its place
};

}  // namespace glint::ui
