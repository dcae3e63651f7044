// The user's choice of what is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/shell/desk/timeline.h"
#include "ui/model/pixel_value.h"
#include "ui/model/shown_frame.h"
#include "ui/model/space_view_state.h"
#include "ui/model/track_view.h"
#include "ui/model/view.h"

namespace glint::ui {

/// The marks that are drawn over the images.
struct OverlayOptions {
  bool markers = true, ids = true, trails = true, rejected = false, masks = true, gates = false,
       uncertainty = false;
  double trailSeconds = 1;
  /// Factor by which uncertainties are drawn larger than they are.
  double enlarged = 100;
  /// Factor by which gates are drawn larger than they are.
  double gatesEnlarged = 1;
  bool smoothLines = true;  ///< slow on a CPU
};

/// The use of the next track that is clicked.
enum class Pick { nothing, join, swap };

/// The user's choice of what is shown, for as long as a session is open.
struct ViewState {
  DisplayPlane plane = DisplayPlane::source;
  std::string filter = {};  ///< id of the filter whose output is shown; empty: none
  /// Shares of full scale that are shown black and white.
  float black = 0, white = 1;
  OverlayOptions overlay = {};
  shell::TimeZoom zoom = {};            ///< range of timeline and curves
  std::vector<View> views = {};         ///< one for each camera
  std::optional<size_t> enlarged = {};  ///< the only camera that is shown; empty: all
  std::optional<Selection> selected = {};
  std::vector<Selection> more = {};  ///< further tracks that are chosen, for curves
  SpaceViewState space = {};
  Pick pick = Pick::nothing;
  std::optional<Selection> picked = {};  ///< the track that was clicked for `pick`
  /// True if the menu of the selected track opens next.
  bool menu = false;
  /// True if the next picture is saved: the images with markers and tracks.
  bool copied = false;
  std::set<uint64_t> bookmarks = {};  ///< frames of the recording to which keys lead

  /// Writes the user's choice into `to`, for tests.
  void describe(nlohmann::json& to) const;
};

}  // namespace glint::ui
