// What a beginner must know, and the table of shortcuts.
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {

void drawFirstHint(const Rect& views) {
  const float room = views.width - 2 * ImGui::GetFontSize();
  if (room < 8 * ImGui::GetFontSize()) return;
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + views.height - 16},
                          ImGuiCond_Always, {0.5F, 1});
  ImGui::SetNextWindowBgAlpha(0.85F);
  ImGui::PushStyleColor(ImGuiCol_Border, kAccent);
  ImGui::Begin("##hint", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PushTextWrapPos(room);
  ImGui::TextUnformatted("Space plays and pauses. The wheel zooms, dragging moves the image.");
  ImGui::TextUnformatted("Click a marker for its numbers. H shows all keys.");
  ImGui::PopTextWrapPos();
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  namePlace("first_hint", {from.x, from.y, size.x, size.y});
  ImGui::End();
  ImGui::PopStyleColor();
}

void drawHelp(bool& open) {
  if (!open) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  placeInMiddle();
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 20, screen.y - 20});
  ImGui::Begin("Keys", &open,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
  if (ImGui::BeginTable("keys", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) {
    for (const Shortcut& shortcut : shortcuts()) {
      ImGui::TableNextRow();
      for (const auto& [colour, words] :
           {std::pair{kAccent, shortcut.keys}, {kText, shortcut.name}, {kFaint, shortcut.help}}) {
        ImGui::TableNextColumn();
        text(colour, std::string(words));
      }
    }
    ImGui::EndTable();
  }
  ImGui::Separator();
  ImGui::TextUnformatted("Wheel: zoom at the cursor. Drag: move. Click a marker: its numbers.");
  named("help");
  ImGui::End();
}

}  // namespace glint::ui
