// What the user has chosen to see of space.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/shell/desk/orbit.h"
#include "ui/model/view.h"

namespace glint::ui {

enum class SpacePlace { beside, alone, hidden };  ///< of the images

/// Of a session with a rig.
struct SpaceLooks {
  SpacePlace place = SpacePlace::beside;
  shell::Orbit orbit;
  bool oriented = false;                  ///< the orbit knows what is up
  bool framed = false;                    ///< all is in sight, or the user looks elsewhere
  bool moved = false;                     ///< the user does; otherwise all is in sight in any place
  std::pair<float, float> framedIn = {};  ///< px: the place's width and height
  std::optional<uint64_t> point = {};     ///< the selected one
  std::vector<uint64_t> group = {};       ///< chosen for a body
  std::optional<std::pair<size_t, ImagePoint>> marker =
      {};  ///< under the mouse: its camera, and where
};

}  // namespace glint::ui
