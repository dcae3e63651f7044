#include "ui/draw/hints.h"

#include <algorithm>

#include "ui/draw/names.h"
#include "ui/draw/style.h"

namespace glint::ui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kRest{500};

/// The item under the cursor. It is known by its place.
struct Rest {
  ImVec2 at;
  int frame = -2;  // the frame of ImGui in which restsOnItem() was last called
  Clock::time_point due = {};
  // True if the cursor had rested for long enough in that frame.
  bool over = false;
};

Rest& rest() {
  static Rest only;
  return only;
}

}  // namespace

bool restsOnItem() {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  Rest& known = rest();
  const ImVec2 at = ImGui::GetItemRectMin();
  const int frame = ImGui::GetFrameCount();
  const bool same = at.x == known.at.x && at.y == known.at.y && frame - known.frame <= 1;
  const Clock::time_point now = Clock::now(), due = same ? known.due : now + kRest;
  known = {at, frame, due, now >= due};
  return known.over;
}

void placeHint(ImVec2 words) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const ImVec2 size{words.x + 2 * padding.x, words.y + 2 * padding.y};
  // px, `cursor` is the height of the mouse cursor.
  const float apart = wholePx(4), cursor = wholePx(20);
  const float below = std::max(ImGui::GetItemRectMax().y + apart, io.MousePos.y + cursor);
  const float above = ImGui::GetItemRectMin().y - apart - size.y;
  const bool fits = below + size.y <= io.DisplaySize.y || above < 0;
  const float right = io.DisplaySize.x - size.x - apart;
  const ImVec2 at{std::max(apart, std::min(io.MousePos.x, right)), fits ? below : above};
  ImGui::SetNextWindowPos(at);
  namePlace("hint", {at.x, at.y, size.x, size.y});
}

void tip(const std::string& text) {
  placeHint(ImGui::CalcTextSize(text.c_str()));
  ImGui::SetTooltip("%s", text.c_str());
  namedPlaces().words["hint"] = text;
}

void hint(const std::string& text) {
  if (!text.empty() && restsOnItem()) tip(text);
}

std::optional<Clock::time_point> nextHint() {
  const Rest& known = rest();
  if (known.frame != ImGui::GetFrameCount() || known.over) return std::nullopt;
  return known.due;  // the time may have passed while a slow picture was drawn
}

}  // namespace glint::ui
