// Axes and charts as inline SVG. Colours and fonts come from the page's style sheet, by class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint::output::report {

/// Returns a text for HTML and SVG, also within quotes: & < > " ' become entities. Control
/// characters and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// Returns a number with a narrow space between groups of three digits: 9 070.
std::string grouped(uint64_t number);

/// Returns a number with three significant digits, without an exponent: 0.0213, 5.43, 1240.
std::string rounded(double number);

/// Returns a chart with its title and a sentence that explains it, both as HTML. A wide one can be
/// scrolled.
std::string figure(std::string_view id, bool wide, std::string_view title, std::string_view aid,
                   const std::string& svg);

/// Returns an entry for a list of class "figures", with a detail below its value.
std::string keyFigure(std::string_view name, std::string_view value, std::string_view detail = "");

/// A mark on an axis.
struct Tick {
  double value = 0;
  std::string label;
};

/// An axis of a chart, which maps values to places from 0 to 1.
struct Axis {
  std::string title;           ///< title with its unit: "x (px)"
  double least = 0, most = 1;  ///< least > most reverses the axis
  bool logarithmic = false;
  std::vector<Tick> ticks;

  double place(double value) const;
};

/// Returns the smallest step of 1, 2 or 5 times a power of ten that divides `span` > 0 into at most
/// `parts` parts.
double niceStep(double span, int parts);

/// Returns an axis from `least` to `most`, both finite, with up to about `parts` ticks at round
/// values. Widens it if least = most, and to whole ticks at both ends if `roomy`.
Axis linearAxis(std::string title, double least, double most, int parts, bool roomy = false);

/// Returns a logarithmic axis, 0 < least < most, with ticks at powers of ten and, if these are few,
/// at 2 and 5 times them.
Axis logAxis(std::string title, double least, double most);

/// Returns an axis of time from `least` to `most` s, with ticks in seconds, minutes or hours.
/// place() takes s.
Axis timeAxis(double least, double most);

/// A chart with its grid, labels of ticks, and titles. Units are pixels of the page if the chart is
/// shown `width` px wide.
class Chart {
 public:
  /// Margins around the plotted area.
  static constexpr double kLeft = 58, kRight = 16, kTop = 26, kBottom = 40;

  Chart(double width, double height, Axis x, Axis y);

  /// Return the size of the plotted area.
  double width() const { return width_ - kLeft - kRight; }
  double height() const { return height_ - kTop - kBottom; }
  double x(double value) const { return kLeft + x_.place(value) * width(); }
  double y(double value) const { return kTop + (1 - y_.place(value)) * height(); }

  void add(std::string_view svg) { marks_ += svg; }
  /// Adds a name with its mark to the line above the plot. Names stand from right to left.
  void addLegend(std::string_view name, std::string_view className);

  /// Returns the <svg> element. Screen readers read out `description`.
  std::string finish(std::string_view description) const;

 private:
  double width_, height_;
  Axis x_, y_;
  std::string marks_;  // SVG of everything that was added
  double legendEnd_;   // x at which the next entry of the legend ends
};

}  // namespace glint::output::report
