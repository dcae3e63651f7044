#include "ui/draw/caption.h"

#include <imgui.h>

#include "ui/draw/style.h"

namespace glint::ui {

void drawCaption(const std::string& words, const Rect& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({place.x, place.y}, {place.x + place.width - 4, place.y + place.height}, true);
  list.AddText({place.x + 7, place.y + 6}, IM_COL32(0, 0, 0, 200), words.c_str());
  list.AddText({place.x + 6, place.y + 5}, kText, words.c_str());
  list.PopClipRect();
}

void drawLegend(const std::string& words, const Rect& place) {
  if (words.empty()) return;
  const float em = ImGui::GetFontSize(), top = place.y + place.height - 1.8F * em;
  const float wide = ImGui::CalcTextSize(words.c_str()).x + 12;
  // Large pixels have numbers, too.
  ImGui::GetWindowDrawList()->AddRectFilled({place.x, top + 2}, {place.x + wide, top + 8 + em},
                                            IM_COL32(12, 14, 17, 215), 3);
  drawCaption(words, {place.x, top, place.width, 1.8F * em});
}

}  // namespace glint::ui
