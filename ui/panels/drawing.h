// The tab *Drawing*: marks over the images, and their brightness.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class DrawingPanel {
 public:
  /// Draws the tab.
  void draw(Context& context);
};

}  // namespace glint::ui
