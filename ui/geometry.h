// Places on the screen.
#pragma once

namespace glint::ui {

/// px of the window, from its upper left corner.
struct Point {
  float x = 0, y = 0;
};

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;

  bool contains(Point p) const {
    return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
  }
  Point centre() const { return {x + width / 2, y + height / 2}; }
};

}  // namespace glint::ui
