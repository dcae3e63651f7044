// The measuring tools: what is to be clicked, the length of a scale, the list of measures, and the
// menu of a right click on the image.
#pragma once

#include <array>

#include "ui/context/context.h"

namespace glint::ui {

/// The tools and the list of measures. Main thread.
class MeasurePanel {
 public:
  explicit MeasurePanel(Context& context)
      : measuring_(context.model.measuring), looks_(context.looks), messages_(context.messages) {}

  /// Takes up a tool. The selected track is no part of it.
  void perform(Action action);
  /// Draws what is to be clicked next, over the views, and the question for a length.
  void draw(Context& context);
  /// Tells tests whether a length is asked for.
  void describe(nlohmann::json& to) const;
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
