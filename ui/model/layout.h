// The arrangement of the window's parts.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ui/model/view.h"

namespace glint::ui {

/// Smallest and largest size of text, as multiples of the size that the screen asks for.
inline constexpr double kLeastScale = 0.5, kMostScale = 3;

/// The longest time that live frames may stay in memory, s.
inline constexpr double kMostRecentSeconds = 60;

/// Smallest and largest height of the timeline's counts and tracks, in font sizes.
inline constexpr float kLeastBand = 1.5F, kMostBand = 40;

/// The places of the panels in the present picture, px.
struct PanelPlaces {
  Rect top, views, side, curves, transport, status;
  float band = 0;      ///< height of the timeline's counts and tracks, within `transport`
  float ruler = 0;     ///< height of the timeline's times, above `band`; 0: they have no room
  Rect card = {};      ///< card of the selected marker, within `views`; empty if no card is shown
  Rect messages = {};  ///< the area in which messages are shown
};

/// The user's arrangement of the window, and the places of the panels that follow from it.
struct Layout {
  bool side = true, help = false;
  bool hintSeen = false;   ///< true once the first-run hint was seen
  float sideWidth = 0;     ///< font sizes; 0: as wide as its content needs
  float curvesHeight = 0;  ///< font sizes; 0: the usual height
  bool curves = false;     ///< true if the curves are shown
  float band = 2.8F;       ///< height of the timeline's counts and tracks, in font sizes
  /// Size of text and all else, as a multiple of what the screen asks for.
  double scale = 1;
  double recentSeconds = 5;   ///< time, s, for which live frames stay in memory
  std::string tab = {};       ///< the tab in front
  std::string frontTab = {};  ///< the tab to bring to the front next; empty: none
  /// Key of the setting to show next; empty: none.
  std::string frontSetting = {};
  /// True if the value of that setting is to be typed, so that its field gets the keyboard.
  bool typesSetting = false;
  PanelPlaces places = {};

  void showTab(const std::string& name) {
    frontTab = name;
    side = true;
  }
  void showSetting(const std::string& key, bool types = false) {
    frontSetting = key;
    typesSetting = types;
    showTab("Settings");
  }

  /// Writes which parts are shown into `to`, for tests.
  void describe(nlohmann::json& to) const;
};

}  // namespace glint::ui
