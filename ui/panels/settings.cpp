// Every setting, generated from its one declaration.
#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "config/describe.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// "threshold_sigma" of "detect.threshold_sigma", readable.
std::string labelOf(std::string_view key) {
  std::string label(key.substr(key.find('.') + 1));
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::string groupOf(std::string_view key) {
  std::string group(key.substr(0, key.find('.')));
  group[0] = static_cast<char>(group[0] - 'a' + 'A');
  return group;
}

/// px: larger than any image.
constexpr double kNoLimit = 65536;

/// Wide ranges are chosen from by their magnitude.
template <class T>
ImGuiSliderFlags flagsOf(const Range<T>& range) {
  const double least = std::max(1e-3, static_cast<double>(range.least));
  const bool wide = static_cast<double>(range.usual) / least > 1e4;
  return ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0);
}

/// Draws a row of each setting; one group opens and closes together.
class Rows {
 public:
  Rows(const WindowModel& model, SettingsDraft& draft, Displayed& displayed)
      : model_(model), draft_(draft), displayed_(displayed) {}
  ~Rows() { endGroup(); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  template <class T, class Default, class R>
  void row(std::string_view name, T& value, const Default& standard, const R& range,
           std::string_view unit, std::string_view help) {
    const std::string key(name);
    const std::string group = groupOf(key);
    if (group == "Device") return;  // cannot change while it runs
    // Nothing to be seen of what cannot apply, but for the way back to its default.
    if (value == T(standard) && !appliesHere(key, draft_.settings(), model_.state.live)) return;
    if (group != group_) beginGroup(group);
    if (!open_) return;
    nextRow();
    ImGui::PushID(key.c_str());
    const T before = value;
    const std::string unused = whyUnused(key, draft_.settings(), model_.state.live);
    label(key, unused, std::string(help), value == T(standard));
    if (resets_) value = T(standard);
    nextValue();
    ImGui::BeginDisabled(!unused.empty());
    edit(key, value, range, std::string(unit));
    if (ImGui::IsItemDeactivatedAfterEdit()) draft_.endStep();
    ImGui::EndDisabled();
    named("set:" + key);
    if (!unused.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      explain(key, unused, std::string(help));
    ImGui::PopID();
    if (!(value == before)) draft_.apply();
  }

 private:
  void beginGroup(const std::string& group) {
    endGroup();
    group_ = group;
    ImGui::SetNextItemOpen(true, ImGuiCond_Once);
    if (!ImGui::CollapsingHeader(group.c_str())) return;
    open_ = beginValues(group.c_str());
  }

  void endGroup() {
    if (open_) ImGui::EndTable();
    open_ = false;
  }

  /// With the way back to the default where it is another one.
  void label(const std::string& key, const std::string& unused, const std::string& help,
             bool isDefault) {
    text(unused.empty() ? kText : kFaint, labelOf(key));
    named("label:" + key);
    if (ImGui::IsItemHovered()) explain(key, unused, help);
    resets_ = false;
    if (isDefault) return;
    ImGui::SameLine(ImGui::GetFontSize() * 8.2F);
    resets_ = smallButton("reset:" + key, "x");
    hint("Back to the default");
  }

  /// Beside the cursor.
  void explain(const std::string& key, const std::string& unused, const std::string& help) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28);
    ImGui::TextUnformatted(key.c_str());
    ImGui::TextUnformatted(help.c_str());
    if (!unused.empty()) ImGui::TextUnformatted(("Has no effect now: it " + unused + ".").c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    displayed_.setting = key;
    displayed_.whyUnused = unused;
  }

  void edit(const std::string&, double& value, const Range<double>& range,
            const std::string& unit) {
    const double least = range.least, most = range.usual;
    double edited = value;
    const std::string format = "%.6g" + (unit.empty() ? "" : " " + unit);
    const bool limitless = value == range.most && range.most == kNoLimit;
    const std::string shown =
        limitless    ? std::string("no limit")
        : value > most ? fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit) : format;
    if (ImGui::SliderScalar("##v", ImGuiDataType_Double, &edited, &least, &most, shown.c_str(),
                            flagsOf(range)))
      value = std::clamp(edited, range.least, range.most);
  }
  void edit(const std::string&, int& value, const Range<int>& range, const std::string& unit) {
    const std::string format = "%d" + (unit.empty() ? "" : " " + unit);
    int edited = value;
    if (ImGui::SliderInt("##v", &edited, range.least, range.usual, format.c_str(), flagsOf(range)))
      value = std::clamp(edited, range.least, range.most);
  }
  template <class R>
  void edit(const std::string&, bool& value, const R&, const std::string&) {
    ImGui::Checkbox("##v", &value);
  }
  void edit(const std::string& key, Threshold& value, const Range<double>& range,
            const std::string&) {
    bool automatic = !value;
    const double measured = measuredThreshold();
    if (checkbox("auto:" + key, "auto", automatic))
      value = automatic ? Threshold() : Threshold(std::clamp(measured, range.least, range.most));
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    double shown = value.value_or(measured);
    const double least = 0, most = 1;
    if (ImGui::SliderScalar("##v", ImGuiDataType_Double, &shown, &least, &most,
                            value ? "%.3f of full scale" : "now %.3f",
                            ImGuiSliderFlags_AlwaysClamp))
      value = shown;
  }
  template <class R>
  void edit(const std::string&, std::string& value, const R&, const std::string&) {
    char text[1024] = {};
    value.copy(text, sizeof text - 1);
    const bool entered = ImGui::InputTextWithHint("##v", "none", text, sizeof text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    if (entered || ImGui::IsItemDeactivatedAfterEdit()) value = text;  // left by a click
  }
  template <class E, class R>
  requires std::is_enum_v<E>
  void edit(const std::string&, E& value, const R&, const std::string&) {
    const auto& names = Choices<E>::names;
    auto chosen = static_cast<size_t>(value);
    if (choose("##v", {names.begin(), names.end()}, chosen)) value = static_cast<E>(chosen);
  }

  /// Of the frame that is shown, of full scale.
  double measuredThreshold() const {
    for (size_t i = 0; i < model_.tracks.cameras().size(); ++i) {
      const LayerMeasurement& measured = *model_.tracks.cameras()[i].measured;
      if (measured.stamp)
        return static_cast<double>(measured.threshold) / model_.format(i).fullScale();
    }
    return 0;
  }

  const WindowModel& model_;
  SettingsDraft& draft_;
  Displayed& displayed_;
  std::string group_;
  bool open_ = false;
  bool resets_ = false;
};

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
  if (button("undo", "Undo",
             undoes.empty() ? "Nothing to undo" : "Undo " + undoes + " (Ctrl+Z)"))
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
                  Displayed& displayed, Messages& messages, const Actions& actions) {
  ImGui::AlignTextToFramePadding();
  const std::string count = counted(model.tracks.markers(), "marker");
  text(draft.applied() ? kText : kWarning, draft.applied() ? count : "applying ...");
  drawHistory(draft, model.editor, actions);
  ImGui::BeginChild("rows");
  drawFilters(draft, off, messages);
  {
    Rows rows(model, draft, displayed);
    describe(draft.settings(),
             [&](const auto& s) { rows.row(s.key, s.value, s.initial, s.range, s.unit, s.help); });
  }
  ImGui::EndChild();
}

}  // namespace glint::ui
