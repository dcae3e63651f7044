#include "ui/draw/number_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <imgui_internal.h>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr float kValueWidth = 7.2F;  // font sizes
// Font sizes, the smallest slider while the number.
constexpr float kLeastSlider = 3.0F;
constexpr float kLeastValue = 6.2F;  // is at least this wide: "now 0.184"

/// Rounds a value of the slider to the digits that the slider can set.
double rounded(double value, bool whole) {
  return whole ? std::round(value) : std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr);
}

ImGuiSliderFlags flagsOf(const NumberField& field) {
  const bool wide =
      field.byMagnitude.value_or(field.sliderMost / std::max(1e-3, field.sliderLeast) > 1e4);
  return ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput |
         ImGuiSliderFlags_NoRoundToFormat | (wide ? ImGuiSliderFlags_Logarithmic : 0);
}

/// Returns the format of the slider's number. Its digits determine how close to 0 a logarithmic
/// slider comes before it jumps to 0.
std::string formatOf(const NumberField& field) {
  const double least = field.sliderMost * 2e-3;
  return fmt::format("%.{}f", std::max(0, static_cast<int>(std::ceil(-std::log10(least)))));
}

/// Draws the slider without its number, which could not be read under the grab and stands beside
/// it.
bool slider(double& value, const NumberField& field) {
  ImGui::PushStyleColor(ImGuiCol_Text, 0);
  const bool moved =
      ImGui::SliderScalar("##slider", ImGuiDataType_Double, &value, &field.sliderLeast,
                          &field.sliderMost, formatOf(field).c_str(), flagsOf(field));
  ImGui::PopStyleColor();
  return moved;
}

std::optional<double> typed(const std::string& text, const NumberField& field) {
  if (!field.words.empty() && text.starts_with(field.words)) return field.special;
  const std::string points = withPoints(text);
  char* end = nullptr;
  const double number = std::strtod(points.c_str(), &end);
  if (end == points.c_str() || !std::isfinite(number)) return std::nullopt;
  std::string_view unit(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  unit = unit.substr(0, unit.find_last_not_of(' ') + 1);
  // Accepts a beginning, such as "frame" for "frames".
  if (!field.unit.starts_with(unit)) return std::nullopt;
  return std::clamp(field.whole ? std::round(number) : number, field.least, field.most);
}

}  // namespace

std::string withPoints(std::string text) {
  std::ranges::replace(text, ',', '.');
  return text;
}

void typeWithPoints(const char* label) {
  if (ImGui::GetActiveID() == ImGui::GetID(label))
    std::ranges::replace(ImGui::GetIO().InputQueueCharacters, ImWchar{','}, ImWchar{'.'});
}

std::string numberText(double value, const NumberField& field) {
  if (value == field.special) return std::string(field.words);
  const std::string number =
      field.whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
  const bool one = value == 1 && field.unit == "frames";
  return field.unit.empty() ? number : fmt::format("{} {}", number, one ? "frame" : field.unit);
}

Edited editNumber(const std::string& name, double& value, const NumberField& field,
                  const std::string& shown) {
  const float em = ImGui::GetFontSize(), apart = ImGui::GetStyle().ItemInnerSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const float number = std::clamp(room - apart - em * kLeastSlider,
                                  std::clamp(room, em, em * kLeastValue), em * kValueWidth);
  Edited edited;
  double slid = std::clamp(value, field.sliderLeast, field.sliderMost);
  ImGui::SetNextItemWidth(std::max(1.0F, room - number - apart));
  if (named("set:" + name, slider(slid, field))) {
    const bool endless = slid >= field.sliderMost && field.special == field.most;
    const double wanted =
        endless ? field.special : std::clamp(rounded(slid, field.whole), field.least, field.most);
    // A slider that is held still returns its unrounded number in every picture.
    edited.changed = wanted != value;
    value = wanted;
  }
  edited.ended = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::SameLine(0, apart);
  ImGui::SetNextItemWidth(number);
  std::array<char, 64> text = {};
  (shown.empty() ? numberText(value, field) : shown).copy(text.data(), text.size() - 1);
  if (field.takesKeyboard) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputText("##number", text.data(), text.size(),
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  named("value:" + name);
  if (!entered && !left) return edited;
  const auto wanted = typed(text.data(), field);
  if (!wanted || (*wanted == value && shown.empty())) return edited;
  value = *wanted;
  return {true, true};
}

}  // namespace glint::ui
