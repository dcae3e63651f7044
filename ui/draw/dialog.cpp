#include "ui/draw/dialog.h"

#include <algorithm>
#include <utility>

#include <imgui_internal.h>

#include "ui/draw/widgets.h"

namespace glint::ui {

bool beginDialog(const char* title, bool& opens, ImVec2 size, bool* stays) {
  if (std::exchange(opens, false)) ImGui::OpenPopup(title);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  placeInMiddle();
  if (size.x > 0)
    ImGui::SetNextWindowSize({std::min(size.x, screen.x - 16), std::min(size.y, screen.y - 16)});
  return ImGui::BeginPopupModal(title, stays,
                                ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    (size.x > 0 ? 0 : ImGuiWindowFlags_AlwaysAutoResize));
}

void endDialog(bool closes) {
  if (closes) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void placeDialogButtons() {
  const float lowest = ImGui::GetWindowContentRegionMax().y - ImGui::GetFrameHeight();
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), lowest));
}

void dialogProblem(const std::string& name, const std::string& problem, bool serious) {
  if (problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, serious ? kRecord : kWarning);
  ImGui::PushTextWrapPos(std::max(ImGui::GetContentRegionMax().x, ImGui::GetFontSize() * 24));
  ImGui::TextUnformatted(problem.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  named(name);
}

void settleDialogs() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool asks = ImGui::GetTopMostPopupModal() != nullptr;
  context.DimBgRatio = asks ? 1.0F : 0.0F;
  // Moves dialogs to the front, because a message that appears while a dialog is open would lie on
  // top of it, where its buttons cannot be clicked.
  for (const ImGuiPopupData& popup : context.OpenPopupStack)
    if (asks && popup.Window) ImGui::BringWindowToDisplayFront(popup.Window);
}

bool escapeClosesList() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!dialogEscaped() || context.OpenPopupStack.empty()) return false;
  const ImGuiWindow* top = context.OpenPopupStack.back().Window;
  if (!top || (top->Flags & ImGuiWindowFlags_Modal) != 0) return false;
  ImGui::ClosePopupToLevel(context.OpenPopupStack.Size - 1, true);
  // Makes the key look as if it had been down before, so that nothing else reacts to it.
  ImGuiIO& io = ImGui::GetIO();
  io.KeysDownDuration[ImGui::GetKeyIndex(ImGuiKey_Escape)] = io.DeltaTime;
  return true;
}

bool dialogEscaped() {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
}

}  // namespace glint::ui
