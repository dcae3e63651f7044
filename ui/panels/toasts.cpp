#include <algorithm>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr ImGuiWindowFlags kFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

ImU32 colourOf(LogLevel level) {
  if (level == LogLevel::error) return kRecord;
  return level == LogLevel::warning ? kWarning : kAccent;
}

void drawSaid(const std::string& said, const Rect& views) {
  if (said.empty()) return;
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + 14}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowBgAlpha(0.85F);
  ImGui::Begin("##said", nullptr, kFlags | ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(std::max(1.0F, views.width - 2 * ImGui::GetFontSize()));
  ImGui::TextUnformatted(said.c_str());
  ImGui::PopTextWrapPos();
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  namePlace("said", {from.x, from.y, size.x, size.y});
  ImGui::End();
}

}  // namespace

void drawToasts(Messages& messages, const Rect& views) {
  drawSaid(messages.offerSaid(), views);
  float bottom = views.y + views.height - 12;
  int index = 0;
  for (const Messages::Toast& toast : messages.offerToasts()) {
    const float widest = std::min(views.width - 24, ImGui::GetFontSize() * 34);
    ImGui::SetNextWindowPos({views.x + views.width - 12, bottom}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowBgAlpha(0.94F);
    ImGui::PushStyleColor(ImGuiCol_Border, colourOf(toast.level));
    ImGui::PushID(index);
    const std::string name = "##toast" + std::to_string(index++);
    ImGui::Begin(name.c_str(), nullptr, kFlags);
    ImGui::PushTextWrapPos(widest);
    ImGui::TextUnformatted(toast.text.c_str());
    ImGui::PopTextWrapPos();
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    namePlace(fmt::format("toast:{}", index - 1), {from.x, from.y, size.x, size.y});
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      messages.dismiss(toast.text);
    bottom -= ImGui::GetWindowHeight() + 6;
    ImGui::End();
    ImGui::PopID();
    ImGui::PopStyleColor();
  }
}

}  // namespace glint::ui
