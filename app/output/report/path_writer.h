// Writes the `d` of an SVG path in few bytes, because a page may hold a million points.
#pragma once

#include <string>

namespace glint::output::report {

constexpr int kPathUnits = 4;  ///< units for each px
constexpr const char* kPathScale = "transform=\"scale(.25)\"";

/// A writer of one SVG path. It writes relative coordinates as whole quarters of a pixel, so the
/// path goes into a group with kPathScale, where lines are kPathUnits times as thick. Horizontal
/// lines in a row become one.
class PathWriter {
 public:
  /// Moves to a point, and draws a line to a point; px.
  void move(double x, double y);
  void line(double x, double y);
  /// Draws the part of a curve that runs from `low` to `high` at `x`. The path goes through both,
  /// beginning with the one nearer to its end, or through their middle if they are less than a
  /// pixel apart.
  void band(double x, double low, double high, bool joined);

  /// Returns the path and ends it.
  std::string take();

 private:
  void emit(char command, int dx, int dy);
  void flush();

  std::string text_;
  char command_ = 0;
  int x_ = 0, y_ = 0;  // quarters of a pixel
  int level_ = 0;      // width of a horizontal line that may continue
  bool levelOpen_ = false;
};

}  // namespace glint::output::report
