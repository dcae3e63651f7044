// The menu of a right click on a track, the keys for the same, and the question for a name.
// A right click beside all tracks has the measuring tools alone.
#pragma once

#include <array>

#include "ui/context/context.h"

namespace glint::ui {

/// The menu, and the question for a name. Main thread.
class TrackMenu {
 public:
  explicit TrackMenu(Context& context)
      : editor_(context.model.editor),
        tracks_(context.model.tracks),
        looks_(context.looks),
        measuring_(context.model.measuring),
        messages_(context.messages) {}

  /// Does it to the selected track, or says that none is selected.
  void perform(Action action);
  /// Draws the menu, or what is to be picked, and joins or swaps what was.
  void draw(Context& context);
  /// Tells tests whether a name is asked for.
  void describe(nlohmann::json& to) const;
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
  std::array<char, output::TrackEdits::kLongestName + 1> name_ = {};
};

}  // namespace glint::ui
