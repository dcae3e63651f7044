#include <algorithm>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// The edge that makes the panel wider or narrower.
void drawSplitter(Context& context, const Rect& place) {
  const Area area("splitter", {place.x - 3, place.y, 6, place.height}, 0, 0);
  ImGui::InvisibleButton("edge", {6, place.height});
  context.driver.note("splitter");
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!ImGui::IsItemActive()) return;
  const float em = ImGui::GetFontSize();
  context.sideWidth = std::clamp(context.sideWidth - ImGui::GetIO().MouseDelta.x, em * 16, em * 60);
}

void tab(Context& context, const char* name, void (*draw)(Context&)) {
  const bool wanted = context.frontTab == name;
  if (wanted) context.frontTab.clear();
  const bool open = ImGui::BeginTabItem(name, nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0);
  context.driver.note(std::string("tab:") + name);
  if (!open) return;
  context.tab = name;
  draw(context);
  ImGui::EndTabItem();
}

}  // namespace

void drawSide(Context& context, const Rect& place) {
  {
    const Area area("side", place);
    if (ImGui::BeginTabBar("tabs")) {
      tab(context, "Settings", drawSettings);
      tab(context, "Limits", drawHistograms);
      tab(context, "Drawing", drawDrawing);
      tab(context, "Mask", [](Context& c) { c.painting.draw(c); });
      tab(context, "Tracks", drawTracks);
      tab(context, "Times", drawTimings);
      tab(context, "Sources", drawSources);
      const int unread = context.messages.unread();
      const std::string log =
          unread > 0 ? "Log (" + std::to_string(unread) + ")###Log" : "Log###Log";
      if (ImGui::BeginTabItem(log.c_str())) {
        drawLog(context);
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
  }
  drawSplitter(context, place);
}

}  // namespace glint::ui
