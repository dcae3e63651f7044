#include "ui/draw/caption.h"

#include <algorithm>

#include "ui/draw/widgets.h"

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

ImVec2 promptBottom(const Rect& views) {
  return {views.x + views.width / 2, views.y + views.height - 2.2F * ImGui::GetFontSize()};
}

void drawPrompt(const std::string& name, const std::string& words, const Rect& views) {
  const Box box(name, promptBottom(views), {0.5F, 1}, kAccent, 1, ImGuiWindowFlags_NoInputs);
  const float padding = ImGui::GetStyle().WindowPadding.x, edge = wholePx(40);
  const float wide = padding + ImGui::CalcTextSize(words.c_str()).x + 1;
  ImGui::PushTextWrapPos(std::min(wide, std::max(edge, views.width - edge)));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  named(name);
}

void drawLegend(const std::string& words, const Rect& place) {
  if (words.empty()) return;
  const std::string lines = inLines(words, place.width - 2 * wholePx(6) - wholePx(4));
  const ImVec2 size = ImGui::CalcTextSize(lines.c_str());
  const float em = ImGui::GetFontSize(), tall = size.y + 0.8F * em;
  const float top = place.y + place.height - tall, wide = size.x + wholePx(12);
  // The dark ground is needed because large pixels have numbers.
  ImGui::GetWindowDrawList()->AddRectFilled({place.x, top + wholePx(2)},
                                            {place.x + wide, top + wholePx(8) + size.y},
                                            IM_COL32(12, 14, 17, 215), 3);
  drawCaption(lines, {place.x, top, place.width, tall});
}

}  // namespace glint::ui
