#include "ui/panels/camera_controls.h"

#include <fmt/format.h>

#include "app/capture/source/control_requests.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Puts a value into the settings of this camera, and notes the camera's id there.
void requestValue(SettingsDraft& draft, size_t camera, const capture::CameraOffer& offer,
                  const capture::CameraControl& control, const std::string& value) {
  Settings& settings = draft.settings();
  const auto number = static_cast<int>(camera);
  const Settings::Camera now = cameraSettings(settings, number);
  Settings::Camera& own = settings.cameras[number];
  own.id = offer.id;
  own.controls = now.controls;
  capture::setControlRequest(own, control.name, value);
  draft.apply();
}

/// The value that the user has chosen for a control.
struct ControlChoice {
  std::string value;   ///< empty: none
  bool ended = false;  ///< true if a step is complete
};

/// Returns true for a unit such as "0.1 ms". It is shown with the name, because behind a number it
/// would look like a second one.
bool isMultiple(const std::string& unit) {
  return !unit.empty() && unit[0] >= '0' && unit[0] <= '9';
}

ControlChoice chooseNumber(const std::string& name, const capture::CameraControl& control) {
  const auto least = static_cast<double>(control.least), most = static_cast<double>(control.most);
  const NumberField field{.least = least,
                          .most = most,
                          .sliderLeast = least,
                          .sliderMost = most,
                          .whole = true,
                          .byMagnitude = least >= 0 && most - least > 1000,
                          .unit = isMultiple(control.unit) ? std::string_view() : control.unit};
  auto number = static_cast<double>(control.value);
  const Edited edited = editNumber(name, number, field);
  // Takes the exact limit, because the largest integers of 64 bits cannot be represented as
  // doubles.
  const int64_t value = number >= most ? control.most : static_cast<int64_t>(number);
  const bool changed = edited.changed && value != control.value;
  return {changed ? std::to_string(value) : std::string(), edited.ended};
}

std::string chooseEntry(const capture::CameraControl& control) {
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

ControlChoice chooseControl(const std::string& name, const capture::CameraControl& control) {
  if (control.kind == capture::CameraControl::Kind::number) return chooseNumber(name, control);
  ImGui::SetNextItemWidth(-1);
  ControlChoice choice;
  bool on = control.value != 0;
  if (control.kind == capture::CameraControl::Kind::menu)
    choice.value = chooseEntry(control);
  else if (ImGui::Checkbox("##v", &on))
    choice.value = std::to_string(on ? 1 : 0);
  choice.ended = ImGui::IsItemDeactivatedAfterEdit();
  named(name);
  return choice;
}

void drawRow(SettingsDraft& draft, size_t camera, const capture::CameraOffer& offer,
             const capture::CameraControl& control) {
  const std::string name = fmt::format("{}:{}", camera, control.name);
  nextRow();
  ImGui::PushID(control.name.c_str());
  ImGui::TextWrapped("%s%s", control.label.c_str(),
                     isMultiple(control.unit) ? (" in " + control.unit).c_str() : "");
  nextValue();
  ImGui::BeginDisabled(control.readOnly);
  std::string chosen;
  if (control.canBeAutomatic) {
    bool automatic = control.automatic;
    if (checkbox("auto:" + name, "auto", automatic))
      chosen = automatic ? "auto" : std::to_string(control.value);
    ImGui::SameLine();
  }
  ControlChoice choice = chooseControl("control:" + name, control);
  if (!choice.value.empty()) chosen = std::move(choice.value);
  ImGui::EndDisabled();
  ImGui::PopID();
  if (!chosen.empty()) requestValue(draft, camera, offer, control, chosen);
  if (choice.ended) draft.endStep();
}

}  // namespace

void drawCameraControls(SettingsDraft& draft, size_t camera, const capture::CameraOffer& offer) {
  if (offer.controls.empty() || !beginValues("controls")) return;
  for (const capture::CameraControl& control : offer.controls)
    if (control.automates.empty()) drawRow(draft, camera, offer, control);
  ImGui::EndTable();
}

}  // namespace glint::ui
