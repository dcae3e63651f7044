// The measuring tools: what is to be clicked, the length of a scale, the list of measures, and the
// menu of a right click on the image.
#pragma once

#include <array>

#include "ui/model/measuring.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Of one session. Main thread.
class MeasurePanel {
 public:
  MeasurePanel(Measuring& measuring, ViewState& looks, Messages& messages)
      : measuring_(measuring), looks_(looks), messages_(messages) {}

  /// Takes up a tool. The selected track is no part of it.
  void perform(Action action);
  /// What is to be clicked next, over the views, and the question for a length.
  void draw(const Rect& views);
  bool asks() const { return asks_; }
  /// The list, in a tab.
  void drawList(const WindowModel& model);

 private:
  void drawClicks(const Rect& views);
  void drawLength();
  void drawTools();

  Measuring& measuring_;
  ViewState& looks_;
  Messages& messages_;
  bool asks_ = false, opens_ = false;
  std::array<char, 24> length_ = {};
};

}  // namespace glint::ui
