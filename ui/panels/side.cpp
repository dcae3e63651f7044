#include "ui/panels/side.h"

#include <algorithm>
#include <utility>

#include <imgui_internal.h>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Draws the edge that makes the panel wider or narrower.
void drawSplitter(Layout& layout, const Rect& place) {
  const Area area("splitter", {place.x - 3, place.y, 6, place.height}, 0, 0);
  ImGui::InvisibleButton("edge", {6, place.height});
  named("side_edge");
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!ImGui::IsItemActive()) return;
  const float em = ImGui::GetFontSize();
  layout.sideWidth = std::clamp(layout.sideWidth - ImGui::GetIO().MouseDelta.x / em, 16.0F, 60.0F);
}

void push(ImVec2 padding, ImVec2 spacing) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, spacing);
}

/// Returns the width of all tabs beside each other, px.
float tabsWidth(const std::vector<const Tab*>& tabs) {
  const float apart = ImGui::GetStyle().ItemInnerSpacing.x;
  float width = 0;
  for (const Tab* tab : tabs) width += ImGui::TabItemCalcSize(tab->name.c_str(), false).x + apart;
  return width - apart;
}

}  // namespace

std::vector<const Tab*> Side::tabsThere(const WindowModel& model) const {
  std::vector<const Tab*> tabs;
  for (const Tab& tab : all_)
    if (tab.when == Tab::When::always || model.cameras() > 1) tabs.push_back(&tab);
  return tabs;
}

void Side::draw(Context& context) {
  const Rect& place = context.layout.places.side;
  if (place.width <= 0) return;
  {
    const Area area("side", place);
    // Narrows the tabs so that all their names can be read. Their contents keep the usual spacing.
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 spacing = ImGui::GetStyle().ItemInnerSpacing;
    push({padding.x / 2, padding.y}, {2, spacing.y});
    // The widest tabs may lose a little of their margins.
    const float room = ImGui::GetContentRegionAvail().x + ImGui::GetStyle().FramePadding.x;
    const bool fit = tabsWidth(tabsThere(context.model)) <= room;
    if (fit) drawTabs(context, padding, spacing);
    ImGui::PopStyleVar(2);
    if (!fit) drawRows(context);
  }
  drawSplitter(context.layout, place);
}

/// Draws the tabs in several rows, because they have no room in one.
void Side::drawRows(Context& context) {
  Layout& layout = context.layout;
  if (!layout.frontTab.empty()) layout.tab = std::exchange(layout.frontTab, "");
  const std::vector<const Tab*> tabs = tabsThere(context.model);
  const Tab* front = tabs.front();
  for (const Tab* tab : tabs)
    if (tab->name == layout.tab) front = tab;
  const float room = ImGui::GetContentRegionAvail().x, apart = wholePx(2);
  float used = 0;
  for (const Tab* tab : tabs) {
    const float width = std::min(room, buttonWidth(tab->name.c_str()));
    if (used > 0 && used + apart + width <= room)
      beside(2);
    else
      used = 0;
    used += (used > 0 ? apart : 0) + width;
    const ImGuiCol colour = tab == front ? ImGuiCol_TabActive : ImGuiCol_Tab;
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(colour));
    if (named("tab:" + tab->name, ImGui::Button(tab->name.c_str(), {width, 0}))) front = tab;
    ImGui::PopStyleColor();
  }
  ImGui::Separator();
  layout.tab = front->name;
  inRows_ = true;
  front->panel.draw(context);
}

void Side::drawTabs(Context& context, ImVec2 padding, ImVec2 spacing) {
  Layout& layout = context.layout;
  if (std::exchange(inRows_, false) && layout.frontTab.empty()) layout.frontTab = layout.tab;
  if (!ImGui::BeginTabBar("tabs")) return;
  for (const Tab* tab : tabsThere(context.model)) drawTab(*tab, context, padding, spacing);
  ImGui::EndTabBar();
}

void Side::drawTab(const Tab& tab, Context& context, ImVec2 padding, ImVec2 spacing) const {
  Layout& layout = context.layout;
  const bool wanted = layout.frontTab == tab.name;
  if (wanted) layout.frontTab.clear();
  const bool front =
      ImGui::BeginTabItem(tab.name.c_str(), nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0);
  if (!named("tab:" + tab.name, front)) return;
  layout.tab = tab.name;
  push(padding, spacing);
  tab.panel.draw(context);
  ImGui::PopStyleVar(2);
  ImGui::EndTabItem();
}

void Side::describe(nlohmann::json& to) const {
  for (const Tab& tab : all_) tab.panel.describe(to);
}

}  // namespace glint::ui
