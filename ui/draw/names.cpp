#include "ui/draw/names.h"

#include <imgui.h>

namespace glint::ui {

NamedPlaces& namedPlaces() {
  static NamedPlaces all;
  return all;
}

void namePlace(const std::string& name, const Rect& place) {
  if (namedPlaces().wanted) namedPlaces().places[name] = place;
}

void nameWindow(const std::string& name) {
  if (ImGui::IsWindowAppearing()) return;
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  namePlace(name, {from.x, from.y, size.x, size.y});
}

bool named(const std::string& name, bool result) {
  // The item of a popup is elsewhere in its first picture.
  if (ImGui::IsWindowAppearing()) return result;
  const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  namePlace(name, {from.x, from.y, size.x, size.y});
  return result;
}

void namedWords(const std::string& name, const std::string& words) {
  named(name);
  if (namedPlaces().wanted) namedPlaces().words[name] = words;
}

}  // namespace glint::ui
