#include <algorithm>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// The edge that makes the panel wider or narrower.
void drawSplitter(Layout& layout, const Rect& place) {
  const Area area("splitter", {place.x - 3, place.y, 6, place.height}, 0, 0);
  ImGui::InvisibleButton("edge", {6, place.height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!ImGui::IsItemActive()) return;
  const float em = ImGui::GetFontSize();
  layout.sideWidth = std::clamp(layout.sideWidth - ImGui::GetIO().MouseDelta.x, em * 16, em * 60);
}

void push(ImVec2 padding, ImVec2 spacing) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, spacing);
}

void drawTab(const Tab& tab, Side& side, ImVec2 padding, ImVec2 spacing) {
  const std::string name = tab.name;
  const bool wanted = side.layout.frontTab == name;
  if (wanted) side.layout.frontTab.clear();
  const bool front =
      ImGui::BeginTabItem(tab.name, nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0);
  if (!named("tab:" + name, front)) return;
  side.layout.tab = name;
  push(padding, spacing);
  tab.draw(side);
  ImGui::PopStyleVar(2);
  ImGui::EndTabItem();
}

}  // namespace

void drawSide(Side side, const Rect& place) {
  {
    const Area area("side", place);
    // Tabs so narrow that all their names can be read; what is in them is as wide as elsewhere.
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 spacing = ImGui::GetStyle().ItemInnerSpacing;
    push({padding.x / 2, padding.y}, {2, spacing.y});
    if (ImGui::BeginTabBar("tabs")) {
      for (const Tab& tab : kTabs)
        if (!tab.several || side.model.cameras() > 1) drawTab(tab, side, padding, spacing);
      ImGui::EndTabBar();
    }
    ImGui::PopStyleVar(2);
  }
  drawSplitter(side.layout, place);
}

}  // namespace glint::ui
