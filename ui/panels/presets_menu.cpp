#include "ui/panels/presets_menu.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/error.h"
#include "config/printable.h"
#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr const char* kPresetDelete = "Delete it?";

}  // namespace

void PresetsMenu::readNames() {
  names_ = presets_.names();
  asked_.clear();
}

void PresetsMenu::use(const std::string& name) {
  try {
    Settings settings = presets_.load(name, draft_.settings());
    draft_.become(std::move(settings), "preset " + name);
    messages_.say("preset " + printable(name));
    ImGui::CloseCurrentPopup();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void PresetsMenu::drawNames() {
  if (names_.empty()) faint("None is saved yet.");
  for (const std::string& name : names_) {
    ImGui::PushID(name.c_str());
    const bool asks = asked_ == name;
    const float x = ImGui::GetContentRegionMax().x - buttonWidth("x");
    const float end = asks ? x - buttonWidth(kPresetDelete) - ImGui::GetStyle().ItemSpacing.x : x;
    const bool used =
        selectable("preset:" + name, printable(name), false, ImGuiSelectableFlags_DontClosePopups,
                   {end - ImGui::GetCursorPosX() - 6, 0}) &&
        // A double click must not use the preset that has moved under the mouse.
        ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] < 2;
    hint(presets_.file(name).string() + "\nCtrl+Z undoes it.");
    ImGui::SameLine(end);
    const bool removed = asks && smallButton("preset_delete:" + name, kPresetDelete);
    // The button keeps its place, so that the second click of a double click does not answer the
    // question that the first one raised.
    ImGui::SameLine(x);
    ImGui::BeginDisabled(asks);
    if (smallButton("preset_x:" + name, "x")) asked_ = name;
    ImGui::EndDisabled();
    ImGui::PopID();
    if (used) return use(name);
    if (!removed) continue;
    try {
      presets_.remove(name);
      problem_.clear();
    } catch (const Error& error) {
      problem_ = error.what();
    }
    return readNames();
  }
}

void PresetsMenu::drawSave() {
  const std::string name(name_.data());
  const char* label = presets_.has(name) ? "Replace" : "Save";
  const bool entered = textField("preset_name", name_, ImGui::GetFontSize() * 13,
                                 "a name for these settings", ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool pressed = button("preset_save", label, "", {}, !name.empty());
  if (!pressed && !(entered && !name.empty())) return;
  try {
    presets_.save(name, draft_.settings());
    messages_.say("saved as preset " + printable(name));
    name_ = {};
    problem_.clear();
  } catch (const Error& error) {
    problem_ = error.what();
  }
  readNames();
}

void PresetsMenu::draw() {
  if (button("presets", "Presets", "Settings under names of your own")) {
    readNames();
    problem_.clear();
    ImGui::OpenPopup("presets");
  }
  constexpr float kWidth = 25;  // font sizes, the largest width
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float right = screen.x - kWidth * ImGui::GetFontSize(), top = ImGui::GetItemRectMax().y + 2;
  ImGui::SetNextWindowPos({std::max(0.0F, std::min(ImGui::GetItemRectMin().x, right)), top});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, std::max(1.0F, screen.y - top - 4)});
  if (!ImGui::BeginPopup("presets")) return;
  drawNames();
  ImGui::Separator();
  drawSave();
  dialogProblem("preset_problem", problem_);
  ImGui::EndPopup();
}

void PresetsMenu::describe(nlohmann::json& to) const {
  to["presets"] = names_;
}

}  // namespace glint::ui
