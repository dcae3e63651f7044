#include <algorithm>
#include <string>

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

/// Tabs so narrow that all their names can be read; what is in them is as wide as elsewhere.
class Tabs {
 public:
  explicit Tabs(Context& context)
      : context_(context),
        padding_(ImGui::GetStyle().FramePadding),
        spacing_(ImGui::GetStyle().ItemInnerSpacing) {
    push({padding_.x / 2, padding_.y}, {2, spacing_.y});
    open_ = ImGui::BeginTabBar("tabs");
  }
  ~Tabs() {
    if (open_) ImGui::EndTabBar();
    ImGui::PopStyleVar(2);
  }
  Tabs(const Tabs&) = delete;
  Tabs& operator=(const Tabs&) = delete;

  /// `label`: the name, or what is shown and "###" with it.
  void add(const char* name, const char* label, void (*draw)(Context&)) {
    if (!open_) return;
    const bool wanted = context_.frontTab == name;
    if (wanted) context_.frontTab.clear();
    const bool front =
        ImGui::BeginTabItem(label, nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0);
    context_.driver.note(std::string("tab:") + name);
    if (!front) return;
    context_.tab = name;
    push(padding_, spacing_);
    draw(context_);
    ImGui::PopStyleVar(2);
    ImGui::EndTabItem();
  }
  void add(const char* name, void (*draw)(Context&)) { add(name, name, draw); }

 private:
  static void push(ImVec2 padding, ImVec2 spacing) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, spacing);
  }

  Context& context_;
  ImVec2 padding_, spacing_;
  bool open_ = false;
};

}  // namespace

void drawSide(Context& context, const Rect& place) {
  {
    const Area area("side", place);
    Tabs tabs(context);
    tabs.add("Settings", drawSettings);
    tabs.add("Limits", drawHistograms);
    tabs.add("Drawing", drawDrawing);
    tabs.add("Mask", [](Context& c) { c.painting.draw(c); });
    tabs.add("Tracks", drawTracks);
    tabs.add("Times", drawTimings);
    tabs.add("Sources", drawSources);
    const int unread = context.messages.unread();
    const std::string log = unread > 0 ? "Log (" + std::to_string(unread) + ")###Log" : "Log###Log";
    tabs.add("Log", log.c_str(), drawLog);
  }
  drawSplitter(context, place);
}

}  // namespace glint::ui
