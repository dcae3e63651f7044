// The place of one camera's image on the screen.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::ui {

/// A place in px of the window, from its upper left corner.
struct Point {
  float x = 0, y = 0;
};

/// An area in px of the window.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;

  bool contains(Point p) const {
    return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
  }
  Point centre() const { return {x + width / 2, y + height / 2}; }
  bool empty() const { return width <= 0 || height <= 0; }
};

/// Returns the area that both cover; empty (no width or height) if they do not meet.
Rect meet(const Rect& a, const Rect& b);

/// A place in an image, px; (0, 0) is the centre of the upper left pixel.
struct ImagePoint {
  double x = 0, y = 0;
};

/// The view of one image. It is fitted into its area until the user zooms or moves it.
class View {
 public:
  /// Sets the area on the screen and the size of the image, px.
  void place(const Rect& area, uint32_t width, uint32_t height);

  /// Fits the image into the area from the next place() on.
  void fit() { fitted_ = true; }
  /// Shows each pixel of the image on one of the screen, and keeps the middle of the area in place.
  void actualSize();
  /// Zooms by a factor. The point of the image under `at` stays there.
  void zoomBy(double factor, Point at);
  /// Moves the image by px of the screen.
  void moveBy(float dx, float dy);
  /// Shows a point of the image in the middle of the area.
  void showAt(ImagePoint middle, double zoom);

  const Rect& area() const { return area_; }
  bool fitted() const { return fitted_; }
  /// Returns the zoom, in px of the screen for each pixel of the image.
  double zoom() const { return zoom_; }
  /// Returns the place of the image's upper left corner. It lies on whole pixels of the screen, so
  /// that marks that are drawn over the image lie where the image does.
  Point origin() const;

  /// Return the place on the screen of a place in the image, and the reverse.
  Point toScreen(ImagePoint p) const;
  ImagePoint toImage(Point p) const;
  /// Returns the part of the area that shows the image.
  Rect visible() const;

 private:
  void applyFit();
  void keepInSight();

  Rect area_;
  double width_ = 1, height_ = 1;  // size of the image, px
  double zoom_ = 1;                // px of the screen for each px of the image
  Point origin_;                   // place of the image's upper left corner on the screen, px
  bool fitted_ = true;             // true while the image is fitted into the area
};

/// Returns the cell of number `index` in a grid of `count` cells. All have the same size, with room
/// for the shape `aspect` (width / height), and are arranged in rows.
Rect gridCell(const Rect& area, size_t index, size_t count, double aspect);

}  // namespace glint::ui
