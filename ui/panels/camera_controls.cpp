// Exposure, gain and all else that a live camera offers, with its own ranges, units and menus.

#include <fmt/format.h>

#include "app/capture/control_requests.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// Puts it into the settings of this camera, which know it by its id from then on.
void wish(SettingsDraft& draft, size_t camera, const CameraOffer& offer,
          const CameraControl& control, const std::string& value) {
  Settings& settings = draft.settings();
  const auto number = static_cast<int>(camera);
  const Settings::Camera now = cameraSettings(settings, number);
  Settings::Camera& own = settings.cameras[number];
  own.id = offer.id;
  own.controls = now.controls;
  setControlRequest(own, control.name, value);
  draft.apply();
}

std::string editNumber(const CameraControl& control) {
  int64_t value = control.value;
  const std::string format = "%lld" + afterValue(control.unit);
  const bool wide = control.most - control.least > 1000 && control.least >= 0;
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0);
  const bool changed = ImGui::SliderScalar("##v", ImGuiDataType_S64, &value, &control.least,
                                           &control.most, format.c_str(), flags);
  return changed && value != control.value ? std::to_string(value) : std::string();
}

std::string editMenu(const CameraControl& control) {
  std::vector<std::string> names;
  size_t chosen = control.menu.size();
  for (const auto& [value, name] : control.menu) {
    if (value == control.value) chosen = names.size();
    names.push_back(name);
  }
  if (chosen == names.size()) names.push_back(std::to_string(control.value));
  if (!choose("##v", names, chosen) || chosen == control.menu.size()) return {};
  return std::to_string(control.menu[chosen].first);
}

/// The value that was chosen; empty: none.
std::string edit(const CameraControl& control) {
  ImGui::SetNextItemWidth(-1);
  if (control.kind == CameraControl::Kind::number) return editNumber(control);
  if (control.kind == CameraControl::Kind::menu) return editMenu(control);
  bool on = control.value != 0;
  return ImGui::Checkbox("##v", &on) ? std::to_string(on ? 1 : 0) : std::string();
}

void drawRow(SettingsDraft& draft, size_t camera, const CameraOffer& offer,
             const CameraControl& control) {
  const std::string name = fmt::format("{}:{}", camera, control.name);
  nextRow();
  ImGui::PushID(control.name.c_str());
  ImGui::TextWrapped("%s", control.label.c_str());
  nextValue();
  ImGui::BeginDisabled(control.readOnly);
  std::string chosen;
  if (control.canBeAutomatic) {
    bool automatic = control.automatic;
    if (checkbox("auto:" + name, "auto", automatic))
      chosen = automatic ? "auto" : std::to_string(control.value);
    ImGui::SameLine();
  }
  if (std::string edited = edit(control); !edited.empty()) chosen = std::move(edited);
  if (ImGui::IsItemDeactivatedAfterEdit()) draft.endStep();
  named("control:" + name);
  ImGui::EndDisabled();
  ImGui::PopID();
  if (!chosen.empty()) wish(draft, camera, offer, control, chosen);
}

}  // namespace

void drawCameraControls(SettingsDraft& draft, size_t camera, const CameraOffer& offer) {
  if (offer.controls.empty() || !beginValues("controls")) return;
  for (const CameraControl& control : offer.controls)
    if (control.automates.empty()) drawRow(draft, camera, offer, control);
  ImGui::EndTable();
}

}  // namespace glint::ui
