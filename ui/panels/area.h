// A part of the window that neither moves nor has a frame.
#pragma once

#include <imgui.h>

#include "ui/geometry.h"

namespace glint::ui {

/// Between its construction and destruction ImGui's items stand within `place`.
class Area {
 public:
  Area(const char* name, const Rect& place, float padX = 8, float padY = 4) {
    ImGui::SetNextWindowPos({place.x, place.y});
    ImGui::SetNextWindowSize({place.width, place.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padX, padY});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(2);
  }
  ~Area() { ImGui::End(); }
  Area(const Area&) = delete;
  Area& operator=(const Area&) = delete;
};

/// A tooltip for the last item, also where it is grey: then it says what it would do.
inline void hint(const char* text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", text);
}

}  // namespace glint::ui
