// Three keys to begin with, until the first one was pressed.
#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"

namespace glint::ui {

void drawFirstHint(Context& context, const Rect& views) {
  if (context.hintSeen) return;
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + views.height - 16},
                          ImGuiCond_Always, {0.5F, 1});
  ImGui::SetNextWindowBgAlpha(0.85F);
  ImGui::PushStyleColor(ImGuiCol_Border, kAccent);
  ImGui::Begin("##hint", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::TextUnformatted("Space plays and pauses. The wheel zooms, dragging moves the image.");
  ImGui::TextUnformatted("Click a marker for its numbers. H shows all keys.");
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace glint::ui
