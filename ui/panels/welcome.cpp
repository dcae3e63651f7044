// What is seen where nothing is open: a place to drop recordings on, and what else can be opened.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/file_chooser.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

void centred(const char* words, ImU32 colour) {
  const float width = ImGui::CalcTextSize(words).x;
  ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - width) / 2));
  text(colour, words);
}

void drawDashes(ImDrawList& list, const Rect& r) {
  constexpr float kDash = 10;
  const auto line = [&](ImVec2 from, ImVec2 to) {
    const float length = std::max(to.x - from.x, to.y - from.y);
    for (float at = 0; at < length; at += 2 * kDash) {
      const float end = std::min(at + kDash, length);
      const ImVec2 step{(to.x - from.x) / length, (to.y - from.y) / length};
      list.AddLine({from.x + step.x * at, from.y + step.y * at},
                   {from.x + step.x * end, from.y + step.y * end}, kFaint, 2);
    }
  };
  const float right = r.x + r.width, bottom = r.y + r.height;
  line({r.x, r.y}, {right, r.y});
  line({r.x, bottom}, {right, bottom});
  line({r.x, r.y}, {r.x, bottom});
  line({right, r.y}, {right, bottom});
}

void drawButtons(const std::string& clip, const Actions& actions) {
  const float em = ImGui::GetFontSize(), width = em * 12;
  const float all = clip.empty() ? width : 2 * width + em;
  ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - all) / 2));
  if (button("welcome_open", "Open a recording ...", "", {width, em * 2}))
    actions.perform(Action::open);
  if (clip.empty()) return;
  ImGui::SameLine(0, em);
  if (button("welcome_clip", "Play the bundled clip", "", {width, em * 2})) actions.open({clip});
}

void drawRecent(const std::vector<std::vector<std::string>>& recent, const Actions& actions) {
  if (recent.empty()) return;
  ImGui::Dummy({0, ImGui::GetFontSize()});
  centred("Recent", kFaint);
  for (size_t i = 0; i < recent.size(); ++i) {
    const std::string name = joinedNames(recent[i]);
    const float width = std::min(ImGui::CalcTextSize(name.c_str()).x, ImGui::GetWindowWidth() - 40);
    ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - width) / 2));
    ImGui::PushID(static_cast<int>(i));
    if (selectable(fmt::format("welcome_recent{}", i), name, false, 0, {width, 0}))
      actions.open(recent[i]);
    ImGui::PopID();
  }
}

}  // namespace

void drawWelcome(const std::string& clip, const std::vector<std::vector<std::string>>& recent,
                 const Actions& actions, const Rect& place) {
  const float em = ImGui::GetFontSize();
  const float width = std::min(place.width - 2 * em, em * 46);
  const float height = std::min(place.height - 2 * em, em * 22);
  const Rect box{place.x + (place.width - width) / 2, place.y + (place.height - height) / 2, width,
                 height};
  const Area area("welcome", box, em, em);
  drawDashes(*ImGui::GetBackgroundDrawList(), box);
  ImGui::Dummy({0, em});
  centred("Drop recordings here", kText);
  centred("videos, folders of images; several files are cameras of one session", kFaint);
  ImGui::Dummy({0, em});
  drawButtons(clip, actions);
  drawRecent(recent, actions);
  ImGui::Dummy({0, em});
  centred("Ctrl+O  open        H  all keys        Ctrl+Q  quit", kFaint);
}

}  // namespace glint::ui
