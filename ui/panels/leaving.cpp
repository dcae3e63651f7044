#include "ui/panels/leaving.h"

#include <utility>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/context.h"

namespace glint::ui {

bool Leaving::allowed(const Context& context) const {
  if (answered_ || context.task.endsAlone) return true;
  return !context.draft.history().unsaved() && !context.painting.pending(context);
}

void Leaving::leave(Context& context) {
  answered_ = true;
  open_ = false;
  context.quit = true;
}

void Leaving::draw(Context& context) {
  context.driver.set("leaving", open_);
  if (!open_) return;
  if (std::exchange(opens_, false)) ImGui::OpenPopup("leaving");
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  if (!ImGui::BeginPopupModal("leaving", nullptr,
                              ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_AlwaysAutoResize |
                                  ImGuiWindowFlags_NoSavedSettings))
    return;
  const std::string& path = context.draft.history().path();
  const bool painted = context.painting.pending(context);
  ImGui::TextUnformatted(painted ? "A mask was painted and is neither used nor saved."
                                 : "The settings were changed and are not saved.");
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s %s.",
                     painted ? "Settings that use it belong into" : "They belong into",
                     path.empty() ? "glint.toml" : path.c_str());
  ImGui::Spacing();
  if (ImGui::Button("Save and quit") && (!painted || context.painting.use(context)) &&
      context.draft.save())
    leave(context);
  context.driver.note("leaving_save");
  ImGui::SameLine();
  if (ImGui::Button("Quit without saving")) leave(context);
  context.driver.note("leaving_discard");
  ImGui::SameLine();
  if (ImGui::Button("Stay") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    open_ = false;
  context.driver.note("leaving_stay");
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace glint::ui
