// Where the image of one camera lies on the screen.
#pragma once

#include <cstddef>
#include <cstdint>

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
  bool empty() const { return width <= 0 || height <= 0; }
};

/// Returns what both cover; empty (no width or height) where they do not meet.
Rect meet(const Rect& a, const Rect& b);

/// A place in an image, px; (0, 0) is the centre of the upper left pixel.
struct ImagePoint {
  double x = 0, y = 0;
};

/// Fitted into its area until it is zoomed or moved.
class View {
 public:
  /// The area on the screen and the image's size, px.
  void place(const Rect& area, uint32_t width, uint32_t height);

  void fit() { fitted_ = true; }
  /// One pixel of the image on each of the screen, about the middle of the area.
  void actualSize();
  /// The point of the image under `at` stays there.
  void zoomBy(double factor, Point at);
  void moveBy(float dx, float dy);
  /// Puts a point of the image into the middle.
  void showAt(ImagePoint middle, double zoom);

  const Rect& area() const { return area_; }
  bool fitted() const { return fitted_; }
  double zoom() const { return zoom_; }  ///< px of the screen a pixel
  /// Of the upper left corner of the upper left pixel: on the screen's pixels, so that what is
  /// drawn over the image lies where the image does.
  Point origin() const;

  Point toScreen(ImagePoint p) const;
  ImagePoint toImage(Point p) const;
  /// The part of the area that shows the image.
  Rect visible() const;

 private:
  void applyFit();
  void keepInSight();

  Rect area_;
  double width_ = 1, height_ = 1;
  double zoom_ = 1;
  Point origin_;
  bool fitted_ = true;
};

/// Cells of equal size for so many cameras, each of the shape `aspect` (width / height), in rows.
Rect gridCell(const Rect& area, size_t index, size_t count, double aspect);

}  // namespace glint::ui
