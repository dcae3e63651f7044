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

/// At the top, or below the card where it would cover that and there is room above `lowest`.
void drawSaid(const std::string& said, const Rect& views, const Rect& card, float lowest) {
  if (said.empty()) return;
  const float apart = 1.8F * ImGui::GetFontSize();  // names of what is shown stand at the top
  const float widest = std::max(1.0F, views.width - 2 * ImGui::GetFontSize());
  const ImVec2 words = ImGui::CalcTextSize(said.c_str(), nullptr, false, widest);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const float middle = views.x + views.width / 2, below = card.y + card.height;
  const float half = words.x / 2 + padding.x, height = words.y + 2 * padding.y;
  const bool covers = card.x < middle + half && card.x + card.width > middle - half &&
                      card.y < views.y + apart + height;
  const bool fits = below + apart + height <= lowest;
  const float top = covers && fits ? std::max(views.y, below) : views.y;
  ImGui::SetNextWindowPos({middle, top + apart}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowBgAlpha(0.85F);
  ImGui::Begin("##said", nullptr, kFlags | ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(widest);
  ImGui::TextUnformatted(said.c_str());
  ImGui::PopTextWrapPos();
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  namePlace("said", {from.x, from.y, size.x, size.y});
  ImGui::End();
}

}  // namespace

void drawToasts(Messages& messages, const Rect& views, const Rect& card, float lowest) {
  drawSaid(messages.offerSaid(), views, card, lowest);
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
