#include "ui/draw/caption.h"

#include <imgui.h>

#include "ui/draw/style.h"

namespace glint::ui {

void drawCaption(const std::string& words, const Rect& place) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({place.x, place.y},
                    {place.x + place.width - wholePx(4), place.y + place.height}, true);
  list.AddText({place.x + wholePx(6) + 1, place.y + wholePx(5) + 1}, IM_COL32(0, 0, 0, 200),
               words.c_str());
  list.AddText({place.x + wholePx(6), place.y + wholePx(5)}, kText, words.c_str());
  list.PopClipRect();
}

void drawLegend(const std::string& words, const Rect& place) {
  if (words.empty()) return;
  const float em = ImGui::GetFontSize(), top = place.y + place.height - 1.8F * em;
  const float wide = ImGui::CalcTextSize(words.c_str()).x + wholePx(12);
  // Large pixels have numbers, too.
  ImGui::GetWindowDrawList()->AddRectFilled({place.x, top + wholePx(2)},
                                            {place.x + wide, top + wholePx(8) + em},
                                            IM_COL32(12, 14, 17, 215), 3);
  drawCaption(words, {place.x, top, place.width, 1.8F * em});
}

}  // namespace glint::ui
