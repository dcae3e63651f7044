#include "ui/draw/style.h"

#include <cmath>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/shell/desk/system_font.h"
#include "ui/draw/letters.h"

namespace glint::ui {
namespace {

void applyColours(ImGuiStyle& style) {
  ImGui::StyleColorsDark(&style);
  const auto set = [&](ImGuiCol which, ImU32 colour) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  set(ImGuiCol_Text, kText);
  set(ImGuiCol_TextDisabled, kFaint);
  set(ImGuiCol_WindowBg, IM_COL32(28, 31, 37, 255));
  set(ImGuiCol_PopupBg, IM_COL32(32, 36, 43, 255));
  set(ImGuiCol_ModalWindowDimBg, IM_COL32(0, 0, 0, 170));
  set(ImGuiCol_Border, IM_COL32(62, 68, 78, 255));
  set(ImGuiCol_FrameBg, IM_COL32(44, 49, 58, 255));
  set(ImGuiCol_FrameBgHovered, IM_COL32(55, 62, 74, 255));
  set(ImGuiCol_FrameBgActive, IM_COL32(64, 73, 88, 255));
  set(ImGuiCol_Button, IM_COL32(44, 49, 58, 255));
  set(ImGuiCol_ButtonHovered, IM_COL32(60, 68, 81, 255));
  set(ImGuiCol_ButtonActive, IM_COL32(45, 97, 138, 255));
  set(ImGuiCol_Header, IM_COL32(45, 97, 138, 140));
  set(ImGuiCol_HeaderHovered, IM_COL32(45, 97, 138, 190));
  set(ImGuiCol_HeaderActive, IM_COL32(45, 97, 138, 230));
  set(ImGuiCol_SliderGrab, IM_COL32(86, 160, 210, 255));
  set(ImGuiCol_SliderGrabActive, kAccent);
  set(ImGuiCol_CheckMark, kAccent);
  set(ImGuiCol_TitleBg, IM_COL32(32, 36, 43, 255));
  set(ImGuiCol_TitleBgActive, IM_COL32(38, 44, 54, 255));
  set(ImGuiCol_Tab, IM_COL32(34, 38, 45, 255));
  set(ImGuiCol_TabHovered, IM_COL32(60, 90, 120, 255));
  set(ImGuiCol_TabActive, IM_COL32(45, 80, 112, 255));
  set(ImGuiCol_Separator, IM_COL32(56, 61, 70, 255));
  set(ImGuiCol_TableHeaderBg, IM_COL32(38, 42, 50, 255));
  set(ImGuiCol_TableRowBgAlt, IM_COL32(255, 255, 255, 8));
  set(ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0));
}

/// Adds letters from other fonts to the last one. ImGui reads the ranges later, so they are kept.
void addFurtherLetters(ImFontAtlas& fonts, float size) {
  static std::vector<ImVector<ImWchar>> ranges;
  ranges.clear();
  if (furtherLetters().empty()) return;
  const std::vector<shell::LettersFont> found = shell::fontsWith(furtherLetters());
  ranges.reserve(found.size());
  for (const shell::LettersFont& font : found) {
    ImVector<ImWchar>& own = ranges.emplace_back();
    for (const char32_t letter : font.letters)
      for (int end = 0; end < 2; ++end) own.push_back(static_cast<ImWchar>(letter));
    own.push_back(0);
    ImFontConfig merged;
    merged.MergeMode = true;
    merged.FontNo = font.index & 0xffff;  // the upper bits choose a variant of a variable font
    fonts.AddFontFromFileTTF(font.file.c_str(), size, &merged, own.Data);
  }
}

float pixelsOfPoint = 1;  // main thread

}  // namespace

float unit() {
  return pixelsOfPoint;
}

float wholePx(float points) {
  return std::round(points * pixelsOfPoint);
}

void applyStyle(float scale) {
  pixelsOfPoint = scale;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  applyColours(style);
  style.PopupRounding = 4;
  // A round corner has many thin triangles, which cost a CPU more than the panel.
  style.TabRounding = 0;
  style.ScrollbarSize = 11;
  style.ItemSpacing = {8, 5};
  style.FramePadding = {7, 3};
  style.ScaleAllSizes(scale);
  constexpr float kPoints = 15;
  const std::string font = shell::readableFont();
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  if (font.empty() || !fonts.AddFontFromFileTTF(font.c_str(), std::round(kPoints * scale), nullptr,
                                                usualLetters())) {
    ImFontConfig own;
    own.SizePixels = std::round(13 * scale);
    fonts.AddFontDefault(&own);
  }
  addFurtherLetters(fonts, std::round(kPoints * scale));
}

}  // namespace glint::ui
