// How the window's parts lie.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ui/model/view.h"

namespace glint::ui {

/// Smallest and largest text size, times what the screen asks for.
inline constexpr double kLeastScale = 0.5, kMostScale = 3;

/// The longest time that live frames stay in memory, s.
inline constexpr double kMostRecentSeconds = 60;

/// Smallest and largest height of the timeline's counts and tracks, in font sizes.
inline constexpr float kLeastBand = 1.5F, kMostBand = 40;

/// Where the panels are in the present picture, px.
struct PanelPlaces {
  Rect top, views, side, curves, transport, status;
  float band = 0;      ///< height of the timeline's counts and tracks, within `transport`
  Rect card = {};      ///< of the selected marker, within the views; empty: there is none
  Rect messages = {};  ///< where messages have room
};

/// How the user has arranged the window, and where that puts its panels.
struct Layout {
  bool side = true, help = false;
  bool hintSeen = false;          ///< the first-run hint
  float sideWidth = 0;            ///< px; 0: as wide as its content needs
  float curvesHeight = 0;         ///< px; 0: as usual
  bool curves = false;            ///< they are shown
  float band = 2.8F;              ///< height of the timeline's counts and tracks, in font sizes
  double scale = 1;               ///< of text and all else, times that of the screen
  double recentSeconds = 5;       ///< s of live frames that stay in memory
  std::string tab = {};           ///< the tab in front
  std::string frontTab = {};      ///< the tab to bring to the front next; empty: none
  std::string frontSetting = {};  ///< key of the setting to lead to next; empty: none
  PanelPlaces places = {};

  void showTab(const std::string& name) {
    frontTab = name;
    side = true;
  }
  void showSetting(const std::string& key) {
    frontSetting = key;
    showTab("Settings");
  }

  /// Tells tests which parts are shown.
  void describe(nlohmann::json& to) const;
};

}  // namespace glint::ui
