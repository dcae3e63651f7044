// The lines of the log.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class LogPanel {
 public:
  /// Draws the tab. All lines count as read from then on.
  void draw(Context& context);
  /// Writes the last line into `to`, for tests.
  void describe(nlohmann::json& to) const;
};

}  // namespace glint::ui
