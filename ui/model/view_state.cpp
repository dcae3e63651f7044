#include "ui/model/view_state.h"

#include <nlohmann/json.hpp>

namespace glint::ui {

void ViewState::describe(nlohmann::json& to) const {
  to["shows"] = kPlaneNames[static_cast<size_t>(plane)];
  if (plane == DisplayPlane::filter) to["shows_filter"] = filter;
  to["black"] = black;
  to["white"] = white;
  to["enlarged"] = overlay.enlarged;
  if (!views.empty()) {
    to["zoom"] = views.front().zoom();
    to["fitted"] = views.front().fitted();
  }
  if (selected) to["selected"] = selected->track.value();
  to["bookmarks"] = bookmarks;
  to["picking"] = pick != Pick::nothing;
  to["space_turn"] = space.orbit.turn();
  to["space_distance"] = space.orbit.distance();
  if (space.point) to["space_point"] = *space.point;
  to["space_group"] = space.group;
}

}  // namespace glint::ui
