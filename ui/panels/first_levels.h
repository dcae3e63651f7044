// Which levels the first picture of a session is shown with.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class FirstLevels {
 public:
  /// At a recording's first frame: shows images of 16 bits brighter that would be black on a
  /// screen, as their values fill a small part of these, and tells so. Live images may become
  /// brighter by themselves.
  void fit(Context& context);

 private:
  bool fitted_ = false;
};

}  // namespace glint::ui
