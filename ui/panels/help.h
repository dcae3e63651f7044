// The first hint for beginners, and the table of shortcuts.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

/// The hint over the views. It stays until the first key or click.
class FirstHint {
 public:
  /// Draws the hint, unless messages, which matter more, are in the same place.
  void draw(Context& context);
};

/// The table of shortcuts, over everything else.
class Help {
 public:
  void draw(Context& context);

 private:
  bool shown_ = false;  // true if it was shown in the previous picture
};

}  // namespace glint::ui
