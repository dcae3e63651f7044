// Axes and charts as inline SVG. Colours and fonts come from the page's style sheet, by class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint::output::report {

/// Text for HTML and SVG, also within quotes: & < > " ' are written as entities. Control characters
/// and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// A number with a narrow space between groups of three digits: 9 070.
std::string grouped(uint64_t number);

/// A number to three significant digits, without an exponent: 0.0213, 5.43, 1240.
std::string rounded(double number);

/// A chart with its title and a sentence on how to read it, both HTML. A wide one may be scrolled.
std::string figure(std::string_view id, bool wide, std::string_view title, std::string_view aid,
                   const std::string& svg);

/// A figure of a list of class "figures", with a detail below its value.
std::string keyFigure(std::string_view name, std::string_view value, std::string_view detail = "");

struct Tick {
  double value = 0;
  std::string label;
};

/// Maps values to places from 0 to 1.
struct Axis {
  std::string title;           ///< with its unit: "x (px)"
  double least = 0, most = 1;  ///< least > most turns it round
  bool logarithmic = false;
  std::vector<Tick> ticks;

  double place(double value) const;
};

/// The step of 1, 2 or 5 times a power of ten that cuts `span` > 0 into `parts` or fewer.
double niceStep(double span, int parts);

/// An axis from `least` to `most`, both finite, with up to about `parts` ticks at nice values.
/// Widens it where least = most, and to whole ticks at both ends if `roomy`.
Axis linearAxis(std::string title, double least, double most, int parts, bool roomy = false);

/// A logarithmic axis, 0 < least < most, with ticks at powers of ten and, where there are few, at 2
/// and 5 times them.
Axis logAxis(std::string title, double least, double most);

/// Time from `least` to `most` s, in seconds, minutes or hours; `unit` is what place() expects: s.
Axis timeAxis(double least, double most);

/// A chart with its grid, tick labels and titles. Units are pixels of the page where it is as wide
/// as `width`.
class Chart {
 public:
  static constexpr double kLeft = 58, kRight = 16, kTop = 26, kBottom = 40;

  Chart(double width, double height, Axis x, Axis y);

  double width() const { return width_ - kLeft - kRight; }  ///< of the plotted area
  double height() const { return height_ - kTop - kBottom; }
  double x(double value) const { return kLeft + x_.place(value) * width(); }
  double y(double value) const { return kTop + (1 - y_.place(value)) * height(); }

  void add(std::string_view svg) { marks_ += svg; }
  /// A name with its mark, from the right end of the line above the plot, the last one first.
  void addLegend(std::string_view name, std::string_view className);

  /// The <svg> element; `description` is read out by screen readers.
  std::string finish(std::string_view description) const;

 private:
  double width_, height_;
  Axis x_, y_;
  std::string marks_;
  double legendEnd_;
};

}  // namespace glint::output::report
