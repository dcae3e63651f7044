#include "ui/panels/toasts.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

ImU32 colourOf(base::LogLevel level) {
  if (level == base::LogLevel::error) return kRecord;
  return level == base::LogLevel::warning ? kWarning : kAccent;
}

/// Returns the middle of the upper edge for a box of this size, px. The box is at the top, beside
/// the card of a marker or below it, and does not reach below `lowest`.
ImVec2 placeOfSaid(ImVec2 size, const Rect& views, const Rect& card, float lowest) {
  // The names of the sources stand at the top.
  const float apart = 1.8F * ImGui::GetFontSize();
  const ImVec2 usual{views.x + views.width / 2, views.y + apart};
  const float left = card.x - views.x, right = views.x + views.width - card.x - card.width;
  const float below = card.y + card.height, half = size.x / 2 + ImGui::GetFontSize() / 2;
  const bool covers =
      card.x < usual.x + half && card.x + card.width > usual.x - half && card.y < usual.y + size.y;
  if (!covers) return usual;
  if (std::max(left, right) >= size.x + apart)
    return {left > right ? views.x + left / 2 : views.x + views.width - right / 2, usual.y};
  const float within = views.y + views.height - below - size.y;
  if (within > 0) return {usual.x, below + std::min(apart, within / 2)};
  return below + apart + size.y <= lowest ? ImVec2{usual.x, below + apart} : usual;
}

void drawSaid(const std::string& said, const Rect& views, const Rect& card, float lowest) {
  if (said.empty()) return;
  const float widest = std::max(1.0F, views.width - 2 * ImGui::GetFontSize());
  const ImVec2 words = ImGui::CalcTextSize(said.c_str(), nullptr, false, widest);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const ImVec2 place =
      placeOfSaid({words.x + 2 * padding.x, words.y + 2 * padding.y}, views, card, lowest);
  const Box box("said", place, {0.5F, 0}, ImGui::GetColorU32(ImGuiCol_Border), 0.85F,
                ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(widest);
  noteLetters(said);
  ImGui::TextUnformatted(said.c_str());
  ImGui::PopTextWrapPos();
  nameWindow("said");
}

}  // namespace

void Toasts::draw(Context& context) {
  if (context.viewState.copied) return;
  const PanelPlaces& places = context.layout.places;
  const Rect& views = places.messages;
  // The words about what was just done move below the card, down to the timeline.
  drawSaid(messages_.offerSaid(), views, places.card, places.transport.y);
  const float edge = wholePx(12), padding = ImGui::GetStyle().WindowPadding.x;
  float bottom = views.y + views.height - edge;
  int index = 0;
  for (const Messages::Toast& toast : messages_.offerToasts()) {
    const float widest = std::min(views.width - 2 * edge, ImGui::GetFontSize() * 34);
    const std::string name = fmt::format("toast:{}", index++);
    const Box box(name, {views.x + views.width - edge, bottom}, {1, 1}, colourOf(toast.level),
                  0.94F);
    ImGui::PushTextWrapPos(widest);
    noteLetters(toast.text);
    ImGui::TextUnformatted(inLines(toast.text, widest - padding).c_str());
    ImGui::PopTextWrapPos();
    nameWindow(name);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      messages_.dismiss(toast.text);
    bottom -= ImGui::GetWindowHeight() + wholePx(6);
  }
}

void Toasts::describe(nlohmann::json& to) const {
  to["unread"] = messages_.unread();
  to["said"] = messages_.said();
  std::string all;
  for (const Messages::Toast& toast : messages_.toasts()) all += toast.text + "\n";
  to["toasts"] = all;
}

}  // namespace glint::ui
