// The `d` of an SVG path in few bytes: a page may hold a million points.
#pragma once

#include <string>

namespace glint::output::report {

constexpr int kPathUnits = 4;  ///< a pixel
constexpr const char* kPathScale = "transform=\"scale(.25)\"";

/// Writes relative coordinates as whole quarters of a pixel, so the path goes into a group with
/// kPathScale, where lines are kPathUnits times as thick. Horizontal lines in a row become one.
class PathWriter {
 public:
  /// px.
  void move(double x, double y);
  void line(double x, double y);
  /// A stretch of a curve that at `x` runs from `low` to `high`: both are met, the nearer one to
  /// where the path is first, or their middle if they are less than a pixel apart.
  void band(double x, double low, double high, bool joined);

  /// What was written, which ends the path.
  std::string take();

 private:
  void emit(char command, int dx, int dy);
  void flush();

  std::string text_;
  char command_ = 0;
  int x_ = 0, y_ = 0;  // quarters of a pixel
  int level_ = 0;      // the width of a horizontal line that may go on
  bool levelOpen_ = false;
};

}  // namespace glint::output::report
