// The first hint for beginners, and the table of shortcuts.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

/// Over the views, until the first key or click.
class FirstHint {
 public:
  /// Draws it, unless messages stand in the same place, which are worth more.
  void draw(Context& context);
};

/// The table of shortcuts, over everything.
class Help {
 public:
  void draw(Context& context);

 private:
  bool shown_ = false;  // in the picture before
};

}  // namespace glint::ui
