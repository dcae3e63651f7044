// The menu of a right click on a track, the same actions by keys, and the question for a name. A
// right click beside all tracks opens only the measuring tools.
#pragma once

#include <array>
#include <optional>

#include "ui/context/context.h"

namespace glint::ui {

/// The menu, and the question for a name. Main thread.
class TrackMenu {
 public:
  explicit TrackMenu(Context& context)
      : editor_(context.model.editor),
        tracks_(context.model.tracks),
        viewState_(context.viewState),
        measuring_(context.model.measuring),
        messages_(context.messages) {}

  /// Performs the action on the selected track, or tells the user that none is selected.
  void perform(Action action);
  /// Draws the menu, or the prompt to pick another track. Joins or swaps the tracks once it was
  /// picked.
  void draw(Context& context);
  /// Writes whether a name is asked for into `to`, for tests.
  void describe(nlohmann::json& to) const;
  bool asksName() const { return naming_; }

 private:
  void deselect(const Selection& one);
  void deselectGone();
  void split(const Selection& one);
  void selectSecondPart();
  void drawMenu();
  void drawTrack();
  void drawName();
  void drawMeasures();
  void drawPicking(const Rect& views);

  TrackEditor& editor_;
  const TrackView& tracks_;
  ViewState& viewState_;
  Measuring& measuring_;
  Messages& messages_;
  // naming_: the dialog that asks for a name is open; opens_: ImGui has not been asked yet to open
  // it.
  bool naming_ = false, opens_ = false;
  /// A track that is being split, and its row in the frame on the screen.
  struct Split {
    Selection track;
    motion::TrackRow row;
  };
  std::optional<Split> split_;  // until its second part has an id
  Selection named_;             // the track that is being named
  std::array<char, output::TrackEdits::kLongestName + 1> name_ = {};
};

}  // namespace glint::ui
