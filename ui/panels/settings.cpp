// The settings: what was changed last, files of them, the filters, and each setting.
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// Of settings and tracks what was changed last, and what would be done again first.
void drawHistory(SettingsDraft& draft, const TrackEditor& editor, const Actions& actions) {
  const SettingsHistory& history = draft.history();
  const bool undoesTrack = editor.undoAt() > history.undoAt();
  const bool redoesTrack = editor.redoAt() < history.redoAt();
  const std::string undoes = undoesTrack ? editor.history().undoName() : history.undoName();
  const std::string redoes = redoesTrack ? editor.history().redoName() : history.redoName();
  // At the right, and below the words before where both have no room.
  float width = 9;
  for (const char* label : {"Undo", "Redo", "Load", "Save *"})
    width += ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
  const float right = ImGui::GetWindowContentRegionMax().x - width;
  const float words = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (right > words + ImGui::GetFontSize()) ImGui::SameLine(right);
  ImGui::BeginDisabled(undoes.empty());
  if (button("undo", "Undo", undoes.empty() ? "Nothing to undo" : "Undo " + undoes + " (Ctrl+Z)"))
    actions.perform(Action::undo);
  ImGui::EndDisabled();
  ImGui::SameLine(0, 3);
  ImGui::BeginDisabled(redoes.empty());
  if (button("redo", "Redo",
             redoes.empty() ? "Nothing to redo" : "Redo " + redoes + " (Ctrl+Shift+Z)"))
    actions.perform(Action::redo);
  ImGui::EndDisabled();
  ImGui::SameLine(0, 3);
  if (button("load_settings", "Load", "A .toml file; or drop one on the window"))
    actions.perform(Action::open);
  ImGui::SameLine(0, 3);
  if (button("save_settings", history.unsaved() ? "Save *" : "Save",
             "To glint.toml, or to the file they came from (Ctrl+S)"))
    draft.save();
}

}  // namespace

void drawSettings(const WindowModel& model, SettingsDraft& draft, FiltersOff& off,
                  SettingsPanel& panel, Layout& layout, Displayed& displayed, Messages& messages,
                  const Actions& actions) {
  ImGui::AlignTextToFramePadding();
  const std::string count = counted(model.tracks.markers(), "marker");
  text(draft.applied() ? kText : kWarning, draft.applied() ? count : "applying ...");
  drawHistory(draft, model.editor, actions);
  const bool seeks = panel.search[0] != '\0';
  ImGui::SetNextItemWidth(seeks ? -ImGui::GetFrameHeight() * 1.4F : -1);
  named("search_settings", ImGui::InputTextWithHint("##search", "search settings",
                                                    panel.search.data(), panel.search.size()));
  if (seeks) {
    ImGui::SameLine(0, 3);
    if (button("search_clear", "x", "All settings")) panel.search = {};
  }
  ImGui::BeginChild("rows");
  drawSettingRows(model, draft, panel, layout, displayed,
                  [&] { drawFilters(draft, off, messages); });
  ImGui::EndChild();
}

}  // namespace glint::ui
