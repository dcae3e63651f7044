#include "ui/panels/settings.h"

#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Draws the buttons to undo and redo the latest changes of settings and tracks, and those to load
/// and save settings.
void drawHistory(Context& context) {
  SettingsDraft& draft = context.model.draft;
  const UndoOrder& order = context.model.order;
  Actions& actions = context.actions;
  const shell::SettingsHistory& history = draft.history();
  const std::string undoes = order.undoName(), redoes = order.redoName();
  // The buttons stand at the right, or on a line of their own if there is too little room.
  float width = 3 * wholePx(3);
  for (const char* label : {"Undo", "Redo", "Load", "Save *"}) width += buttonWidth(label);
  const float right = ImGui::GetWindowContentRegionMax().x - width;
  const float words = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (right > words + ImGui::GetFontSize()) ImGui::SameLine(right);
  if (button("undo", "Undo", undoes.empty() ? "Nothing to undo" : "Undo " + undoes + " (Ctrl+Z)",
             {}, !undoes.empty()))
    actions.perform(Action::undo);
  besideIfRoom("Redo", 3);
  if (button("redo", "Redo",
             redoes.empty() ? "Nothing to redo" : "Redo " + redoes + " (Ctrl+Shift+Z)", {},
             !redoes.empty()))
    actions.perform(Action::redo);
  besideIfRoom("Load", 3);
  if (button("load_settings", "Load", "Loads a .toml file. You can also drop one on the window"))
    actions.perform(Action::open);
  besideIfRoom("Save *", 3);
  if (button("save_settings", history.unsaved() ? "Save *" : "Save",
             "Saves to glint.toml, or to the file that they were loaded from (Ctrl+S)",
             {buttonWidth("Save *"), 0}))
    draft.save();
}

}  // namespace

/// Draws the tools of settings and the search, beside each other if there is room, otherwise on two
/// lines.
void SettingsPanel::drawTools(Context& context) {
  const WindowModel& model = context.model;
  Actions& actions = context.actions;
  const bool recorded = !model.state().live && model.state().canSeek;
  if (button("propose", "Propose ...",
             model.state().live ? "Analyses a few of the latest frames and proposes settings"
             : recorded         ? "Analyses a few frames and proposes settings"
                                : "Works with cameras and recordings only: record this first",
             {}, recorded || model.state().live))
    actions.propose();
  besideIfRoom("Range ...", 3);
  if (button("try_range", "Range ...",
             recorded ? "Tries a range of values of one or two settings on the whole recording"
                      : "Works with recordings only: record first",
             {}, recorded))
    actions.tryRange({});
  besideIfRoom("Presets", 3);
  presets_.draw();
  const float em = ImGui::GetFontSize();
  beside(3);
  if (ImGui::GetContentRegionAvail().x < 9 * em) ImGui::NewLine();
  const bool seeks = rows_.search[0] != '\0';
  textField("search_settings", rows_.search, seeks ? -1.7F * em : -1, "search settings");
  if (!seeks) return;
  beside(3);
  if (button("search_clear", "x", "All settings")) rows_.search = {};
}

void SettingsPanel::draw(Context& context) {
  const WindowModel& model = context.model;
  ImGui::AlignTextToFramePadding();
  const std::string count = counted(model.counts.markers, "marker");
  text(model.draft.applied() ? kText : kWarning, model.draft.applied() ? count : "applying ...");
  namedWords("marker_count", count);
  drawHistory(context);
  drawTools(context);
  ImGui::BeginChild("rows");
  drawSettingRows(context, rows_, [&] { filters_.draw(context); });
  ImGui::EndChild();
}

void SettingsPanel::describe(nlohmann::json& to) const {
  presets_.describe(to);
  filters_.describe(to);
  const RowsState::Displayed displayed = rows_.displayed.get();
  if (!displayed.pointed.empty()) to["led_to"] = displayed.pointed;
  if (displayed.setting.empty()) return;
  to["explained"] = displayed.setting;
  to["why_grey"] = displayed.whyUnused;
}

}  // namespace glint::ui
