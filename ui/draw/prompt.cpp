#include "ui/draw/prompt.h"

#include <algorithm>

#include "ui/draw/widgets.h"

namespace glint::ui {

ImVec2 promptBottom(const Rect& views) {
  return {views.x + views.width / 2, views.y + views.height - 2.2F * ImGui::GetFontSize()};
}

void drawPrompt(const std::string& name, const std::string& words, const Rect& views) {
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  ImGui::SetNextWindowPos(promptBottom(views), ImGuiCond_Always, {0.5F, 1});
  ImGui::PushStyleColor(ImGuiCol_Border, kAccent);
  ImGui::Begin(("##" + name).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const float padding = ImGui::GetStyle().WindowPadding.x, edge = wholePx(40);
  ImGui::PushTextWrapPos(std::min(padding + size.x + 1, std::max(edge, views.width - edge)));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  named(name);
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace glint::ui
