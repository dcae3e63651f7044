// A slider with its number beside it, which can also be typed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace glint::ui {

/// The range of a number, and how it is written.
struct NumberField {
  double least = 0, most = 1;              ///< the smallest and largest allowed value
  double sliderLeast = 0, sliderMost = 1;  // values at the ends of the slider
  bool whole = false;                      // true if the number must be a whole one
  /// True for a logarithmic slider; nullopt: logarithmic if the range is wide.
  std::optional<bool> byMagnitude = {};
  std::string_view unit = "";
  /// The value that is written as `words`, such as 65536 as "no limit". If it is the end of the
  /// range, it is also the end of the slider.
  double special = std::numeric_limits<double>::quiet_NaN();
  std::string_view words = "";
  /// True if the number gets the keyboard, so that the user can type at once.
  bool takesKeyboard = false;
};

/// The effect of the user's input on a number.
struct Edited {
  bool changed = false;
  /// True if the slider was released or a number was typed, so that a step is complete.
  bool ended = false;
};

/// Draws the slider and the number, as wide as there is room. They are named "set:NAME" and
/// "value:NAME". If `shown` is not empty, it is shown instead of the number.
Edited editNumber(const std::string& name, double& value, const NumberField& field,
                  const std::string& shown = {});

/// Returns the text with decimal points in place of decimal commas.
std::string withPoints(std::string text);

/// Changes typed commas into points for an item that follows with this label. ImGui would drop the
/// commas.
void typeWithPoints(const char* label);

/// Returns the number with its unit, or the words that stand for it.
std::string numberText(double value, const NumberField& field);

}  // namespace glint::ui
