// The tab *Times*: the cost of each pass on the device, and the delay of live results.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class TimingsPanel {
 public:
  /// Draws the tab.
  void draw(Context& context);
};

}  // namespace glint::ui
