// The settings: what was changed last, files of them, the filters, and each setting.
#include <utility>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// Of settings and tracks what was changed last, and what would be done again first.
void drawHistory(SettingsDraft& draft, const UndoOrder& order, const Actions& actions) {
  const SettingsHistory& history = draft.history();
  const std::string undoes = order.undoName(), redoes = order.redoName();
  // At the right, and below the words before where both have no room.
  float width = 3 * wholePx(3);
  for (const char* label : {"Undo", "Redo", "Load", "Save *"}) width += buttonWidth(label);
  const float right = ImGui::GetWindowContentRegionMax().x - width;
  const float words = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (right > words + ImGui::GetFontSize()) ImGui::SameLine(right);
  ImGui::BeginDisabled(undoes.empty());
  if (button("undo", "Undo", undoes.empty() ? "Nothing to undo" : "Undo " + undoes + " (Ctrl+Z)"))
    actions.perform(Action::undo);
  ImGui::EndDisabled();
  besideIfRoom("Redo", 3);
  ImGui::BeginDisabled(redoes.empty());
  if (button("redo", "Redo",
             redoes.empty() ? "Nothing to redo" : "Redo " + redoes + " (Ctrl+Shift+Z)"))
    actions.perform(Action::redo);
  ImGui::EndDisabled();
  besideIfRoom("Load", 3);
  if (button("load_settings", "Load", "A .toml file; or drop one on the window"))
    actions.perform(Action::open);
  besideIfRoom("Save *", 3);
  if (button("save_settings", history.unsaved() ? "Save *" : "Save",
             "To glint.toml, or to the file they came from (Ctrl+S)", {buttonWidth("Save *"), 0}))
    draft.save();
}

/// Beside each other where both have room; otherwise what is sought has a line of its own.
void drawTools(SettingsPanel& panel, PresetsMenu& presets, const WindowModel& model,
               const Actions& actions) {
  const bool recorded = !model.state.live && model.state.canSeek;
  ImGui::BeginDisabled(!recorded && !model.state.live);
  if (button("propose", "Propose ...",
             model.state.live ? "Looks at a few frames of the last seconds, and proposes settings"
             : recorded       ? "Looks at a few frames, and proposes settings for them"
                              : "For cameras and recordings: record this first"))
    actions.propose();
  ImGui::EndDisabled();
  besideIfRoom("Range ...", 3);
  ImGui::BeginDisabled(!recorded);
  if (button("try_range", "Range ...",
             recorded ? "Tries ranges of one or two settings on the whole recording"
                      : "For recordings: record first"))
    actions.tryRange({});
  ImGui::EndDisabled();
  besideIfRoom("Presets", 3);
  presets.draw();
  const float em = ImGui::GetFontSize();
  beside(3);
  if (ImGui::GetContentRegionAvail().x < 9 * em) ImGui::NewLine();
  const bool seeks = panel.search[0] != '\0';
  ImGui::SetNextItemWidth(seeks ? -1.7F * em : -1);
  named("search_settings", ImGui::InputTextWithHint("##search", "search settings",
                                                    panel.search.data(), panel.search.size()));
  if (!seeks) return;
  beside(3);
  if (button("search_clear", "x", "All settings")) panel.search = {};
}

/// Of the first camera that has an image.
double thresholdOf(const WindowModel& model) {
  for (size_t i = 0; i < model.tracks.cameras().size(); ++i) {
    const LayerMeasurement& measured = *model.tracks.cameras()[i].measured;
    if (measured.stamp)
      return static_cast<double>(measured.threshold) / model.format(i).fullScale();
  }
  return 0;
}

}  // namespace

void lookAgain(const WindowModel& model, Told& told) {
  constexpr double kHeld = 0.2;
  const double now = monotonicSeconds();
  if (model.playing && now - told.at < kHeld) return;
  told = {model.tracks.markers(), model.tracks.rows(), thresholdOf(model), now};
}

void drawSettings(Side& s) {
  ImGui::AlignTextToFramePadding();
  const std::string count = counted(s.settings.told.markers, "marker");
  text(s.draft.applied() ? kText : kWarning, s.draft.applied() ? count : "applying ...");
  namedWords("marker_count", count);
  drawHistory(s.draft, s.order, s.actions);
  drawTools(s.settings, s.presets, s.model, s.actions);
  ImGui::BeginChild("rows");
  drawSettingRows(s.model, s.draft, s.settings, s.layout, s.looks.displayed, [&] {
    drawFilters(s.model, s.looks, s.actions, s.draft, s.filtersOff, s.settings, s.messages);
  });
  ImGui::EndChild();
  if (!s.settings.ranged.empty()) s.actions.tryRange(std::exchange(s.settings.ranged, {}));
}

}  // namespace glint::ui
