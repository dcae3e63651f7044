// A slider with its number beside it, which can be typed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace glint::ui {

/// What a number may be, and how it is written.
struct NumberField {
  double least = 0, most = 1;  ///< allowed
  double sliderLeast = 0, sliderMost = 1;
  bool whole = false;
  std::optional<bool> byMagnitude = {};  ///< the slider; nullopt: where the range is wide
  std::string_view unit = "";
  /// A value that is written as `words`: 65536 as "no limit". At the end of the range it is the end
  /// of the slider, too.
  double special = std::numeric_limits<double>::quiet_NaN();
  std::string_view words = "";
};

struct Edited {
  bool changed = false;
  bool ended = false;  ///< let go, or typed: a step is complete
};

/// As wide as there is room; named "set:NAME" and "value:NAME". `shown`: what the number reads
/// instead, or empty.
Edited editNumber(const std::string& name, double& value, const NumberField& field,
                  const std::string& shown = {});

/// Decimal commas as decimal points.
std::string withPoints(std::string text);

/// The same of what is being typed into an item of ImGui's that follows: it drops commas.
void typeWithPoints(const char* label);

/// Its number with the unit, or what it stands for.
std::string numberText(double value, const NumberField& field);

}  // namespace glint::ui
