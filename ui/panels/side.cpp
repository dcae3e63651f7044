#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <imgui_internal.h>

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

bool isThere(const Tab& tab, const Side& side) {
  return !tab.several || side.model.cameras() > 1;
}

/// px that all of them take beside each other.
float tabsWidth(const Side& side) {
  const float apart = ImGui::GetStyle().ItemInnerSpacing.x;
  float width = 0;
  for (const Tab& tab : kTabs)
    if (isThere(tab, side)) width += ImGui::TabItemCalcSize(tab.name, false).x + apart;
  return width - apart;
}

/// Instead of tabs whose names could not be read.
void drawTabList(Side& side) {
  Layout& layout = side.layout;
  if (!layout.frontTab.empty()) layout.tab = std::exchange(layout.frontTab, "");
  std::vector<std::string> names;
  std::vector<const Tab*> tabs;
  size_t front = 0;
  for (const Tab& tab : kTabs) {
    if (!isThere(tab, side)) continue;
    if (layout.tab == tab.name) front = tabs.size();
    tabs.push_back(&tab);
    names.emplace_back(tab.name);
  }
  ImGui::SetNextItemWidth(-1);
  named("tab_list", choose("##tabs", names, front));
  layout.tab = names[front];
  layout.tabsListed = true;
  tabs[front]->draw(side);
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

void drawTabs(Side& side, ImVec2 padding, ImVec2 spacing) {
  Layout& layout = side.layout;
  if (std::exchange(layout.tabsListed, false) && layout.frontTab.empty())
    layout.frontTab = layout.tab;
  if (!ImGui::BeginTabBar("tabs")) return;
  for (const Tab& tab : kTabs)
    if (isThere(tab, side)) drawTab(tab, side, padding, spacing);
  ImGui::EndTabBar();
}

}  // namespace

void drawSide(Side side, const Rect& place) {
  {
    const Area area("side", place);
    // Tabs so narrow that all their names can be read; what is in them is as wide as elsewhere.
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 spacing = ImGui::GetStyle().ItemInnerSpacing;
    push({padding.x / 2, padding.y}, {2, spacing.y});
    // The widest ones may lose a little of their margins.
    const float room = ImGui::GetContentRegionAvail().x + ImGui::GetStyle().FramePadding.x;
    const bool fit = tabsWidth(side) <= room;
    if (fit) drawTabs(side, padding, spacing);
    ImGui::PopStyleVar(2);
    if (!fit) drawTabList(side);
  }
  drawSplitter(side.layout, place);
}

}  // namespace glint::ui
