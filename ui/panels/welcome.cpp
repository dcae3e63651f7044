// What is seen where nothing is open: a place to drop recordings on, and what else can be opened.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

void centred(const char* text, ImU32 colour) {
  const float width = ImGui::CalcTextSize(text).x;
  ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - width) / 2));
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colour), "%s", text);
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

void drawButtons(Context& context) {
  const float em = ImGui::GetFontSize(), width = em * 12;
  const bool clip = !context.task.clip.empty();
  const float all = clip ? 2 * width + em : width;
  ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - all) / 2));
  if (ImGui::Button("Open a recording ...", {width, em * 2})) perform(context, Action::open);
  context.driver.note("welcome_open");
  if (!clip) return;
  ImGui::SameLine(0, em);
  if (ImGui::Button("Play the bundled clip", {width, em * 2})) context.open({context.task.clip});
  context.driver.note("welcome_clip");
}

void drawRecent(Context& context) {
  if (context.welcomeRecent.empty()) return;
  ImGui::Dummy({0, ImGui::GetFontSize()});
  centred("Opened before", kFaint);
  int number = 0;
  for (const auto& sources : context.welcomeRecent) {
    const std::string name = joinedNames(sources);
    const float width = std::min(ImGui::CalcTextSize(name.c_str()).x, ImGui::GetWindowWidth() - 40);
    ImGui::SetCursorPosX(std::round((ImGui::GetWindowWidth() - width) / 2));
    ImGui::PushID(number);
    if (ImGui::Selectable(name.c_str(), false, 0, {width, 0})) context.open(sources);
    ImGui::PopID();
    context.driver.note("welcome_recent" + std::to_string(number++));
  }
}

}  // namespace

void drawWelcome(Context& context, const Rect& place) {
  const float em = ImGui::GetFontSize();
  const float width = std::min(place.width - 2 * em, em * 46);
  const float height = std::min(place.height - 2 * em, em * 22);
  const Rect box{place.x + (place.width - width) / 2, place.y + (place.height - height) / 2, width,
                 height};
  const Area area("welcome", box, em, em);
  drawDashes(*ImGui::GetBackgroundDrawList(), box);
  context.driver.note("welcome", box);
  ImGui::Dummy({0, em});
  centred("Drop recordings here", kText);
  centred("videos, folders of images; several files are cameras of one session", kFaint);
  ImGui::Dummy({0, em});
  drawButtons(context);
  drawRecent(context);
  ImGui::Dummy({0, em});
  centred("Ctrl+O  open        H  all keys        Ctrl+Q  quit", kFaint);
}

}  // namespace glint::ui
