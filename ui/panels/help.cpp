#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"

namespace glint::ui {

void drawHelp(Context& context) {
  if (!context.help) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 20, screen.y - 20});
  ImGui::Begin("Keys", &context.help,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
  if (ImGui::BeginTable("keys", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) {
    for (const Shortcut& shortcut : shortcuts()) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kAccent), "%.*s",
                         static_cast<int>(shortcut.keys.size()), shortcut.keys.data());
      ImGui::TableNextColumn();
      ImGui::Text("%.*s", static_cast<int>(shortcut.name.size()), shortcut.name.data());
      ImGui::TableNextColumn();
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%.*s",
                         static_cast<int>(shortcut.help.size()), shortcut.help.data());
    }
    ImGui::EndTable();
  }
  ImGui::Separator();
  ImGui::TextUnformatted("Wheel: zoom at the cursor. Drag: move. Click a marker: its numbers.");
  context.driver.note("help");
  ImGui::End();
}

}  // namespace glint::ui
