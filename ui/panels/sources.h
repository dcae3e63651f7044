// The tab *Sources*: each camera, the frames that it delivers, and those that it lacks.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class SourcesPanel {
 public:
  /// Draws the tab.
  void draw(Context& context);
};

}  // namespace glint::ui
