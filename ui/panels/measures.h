// The measuring tools: prompts for the next click, the length of a scale, the list of measures, and
// the menu of a right click on the image.
#pragma once

#include <array>

#include "ui/context/context.h"

namespace glint::ui {

/// The tools and the list of measures. Main thread.
class MeasurePanel {
 public:
  explicit MeasurePanel(Context& context)
      : measuring_(context.model.measuring),
        viewState_(context.viewState),
        messages_(context.messages) {}

  /// Takes up a tool, without the selected track as its first point.
  void perform(Action action);
  /// Draws the prompt for the next click over the views, and the question for a length.
  void draw(Context& context);
  /// Writes whether a length is asked for into `to`, for tests.
  void describe(nlohmann::json& to) const;
  bool asks() const { return asks_; }
  /// Draws the list of measures in a tab.
  void drawList(const WindowModel& model);

 private:
  void drawClicks(const Rect& views);
  void drawLength();
  void drawTools();

  Measuring& measuring_;
  ViewState& viewState_;
  Messages& messages_;
  // asks_: the dialog that asks for a length is open; opens_: ImGui has not been asked yet to open
  // it.
  bool asks_ = false, opens_ = false;
  std::array<char, 24> length_ = {};  // the typed length, mm
};

}  // namespace glint::ui
