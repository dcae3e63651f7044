// The brightness levels with which the first picture of a session is shown.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class FirstLevels {
 public:
  /// Brightens dark images of 16 bits at the first frame of a recording, and tells the user. They
  /// would be black on the screen, because their values fill a small part of the 16 bits. Live
  /// images stay as they are, as they may become brighter by themselves.
  void fit(Context& context);

 private:
  bool fitted_ = false;  // true once the levels were set for these sources
};

}  // namespace glint::ui
