// What can be done with a track: the menu of a right click, the keys, and the question for a name.
// A right click beside all tracks has the measuring tools alone.
#pragma once

#include <array>

#include "ui/model/measuring.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Of one session. Main thread.
class TrackMenu {
 public:
  TrackMenu(TrackEditor& editor, const TrackView& tracks, ViewState& looks, Measuring& measuring,
            Messages& messages)
      : editor_(editor),
        tracks_(tracks),
        looks_(looks),
        measuring_(measuring),
        messages_(messages) {}

  /// To the selected track; says that there is none.
  void perform(Action action);
  /// The other track was picked, or a menu asked for.
  void draw(const Rect& views);
  bool asksName() const { return naming_; }

 private:
  void deselect(const Selection& one);
  void deselectGone();
  void drawMenu();
  void drawTrack();
  void drawName();
  void drawMeasures();
  void drawPicking(const Rect& views);

  TrackEditor& editor_;
  const TrackView& tracks_;
  ViewState& looks_;
  Measuring& measuring_;
  Messages& messages_;
  bool naming_ = false, opens_ = false;
  Selection named_;
  std::array<char, TrackEdits::kLongestName + 1> name_ = {};
};

}  // namespace glint::ui
