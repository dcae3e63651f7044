// The user's choice of what is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/shell/desk/timeline.h"
#include "ui/model/pixel_value.h"
#include "ui/model/shown_frame.h"
#include "ui/model/space_looks.h"
#include "ui/model/track_view.h"
#include "ui/model/view.h"

namespace glint::ui {

/// The marks that are drawn over the images.
struct OverlayOptions {
  bool markers = true, ids = true, trails = true, rejected = false, masks = true, gates = false,
       uncertainty = false;
  double trailSeconds = 1;
  double enlarged = 100;     ///< how much larger uncertainties are drawn than they are
  double gatesEnlarged = 1;  ///< the same of gates
  bool smoothLines = true;   ///< costs much on a CPU
};

/// The use of the next track that is clicked.
enum class Pick { nothing, join, swap };

/// The user's choice of what is shown, for as long as a session is open.
struct ViewState {
  DisplayPlane plane = DisplayPlane::source;
  std::string filter = {};     ///< id of the filter whose output is shown, if one's is
  float black = 0, white = 1;  ///< of full scale
  OverlayOptions overlay = {};
  shell::TimeZoom zoom = {};            ///< of timeline and curves
  std::vector<View> views = {};         ///< a camera each
  std::optional<size_t> enlarged = {};  ///< the only camera that is shown
  std::optional<Selection> selected = {};
  std::vector<Selection> more = {};  ///< chosen beside it, for curves
  SpaceLooks space = {};
  Pick pick = Pick::nothing;
  std::optional<Selection> picked = {};  ///< the track that was clicked for `pick`
  bool menu = false;                     ///< the menu of the selected track opens next
  bool copied = false;  ///< the picture that is drawn next is saved: the image and what was found

  /// Tells tests what is chosen.
  void describe(nlohmann::json& to) const;
};

}  // namespace glint::ui
