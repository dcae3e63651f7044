// What is seen where nothing is open: a place to drop recordings on, cameras, and what was open.
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
  const float dash = wholePx(10);
  const auto line = [&](ImVec2 from, ImVec2 to) {
    const float length = std::max(to.x - from.x, to.y - from.y);
    for (float at = 0; at < length; at += 2 * dash) {
      const float end = std::min(at + dash, length);
      const ImVec2 step{(to.x - from.x) / length, (to.y - from.y) / length};
      list.AddLine({from.x + step.x * at, from.y + step.y * at},
                   {from.x + step.x * end, from.y + step.y * end}, kFaint, wholePx(2));
    }
  };
  const float right = r.x + r.width, bottom = r.y + r.height;
  line({r.x, r.y}, {right, r.y});
  line({r.x, bottom}, {right, bottom});
  line({r.x, r.y}, {r.x, bottom});
  line({right, r.y}, {right, bottom});
}

void drawButtons(const std::string& clip, const Opening& scene, const Actions& actions) {
  const float em = ImGui::GetFontSize();
  if (button("welcome_open", "Open a recording ...", "", {-1, em * 2}))
    actions.perform(Action::open);
  if (!clip.empty() && button("welcome_clip", "Play the bundled clip", "", {-1, em * 2}))
    actions.open({clip});
  if (!scene.sources.empty() && button("welcome_scene", "Four cameras in space",
                                       "A synthetic dancer, with the cameras' rig", {-1, em * 2}))
    actions.openCameras(scene);
}

void drawRecent(const std::vector<std::vector<std::string>>& recent, const Actions& actions) {
  if (recent.empty()) return;
  ImGui::Dummy({0, ImGui::GetFontSize() / 2});
  faint("Recent");
  for (size_t i = 0; i < recent.size(); ++i) {
    const std::string name = joinedNames(recent[i]);
    ImGui::PushID(static_cast<int>(i));
    if (selectable(fmt::format("welcome_recent{}", i),
                   endThatFits(name, ImGui::GetContentRegionAvail().x)))
      actions.open(recent[i]);
    hint(name);
    ImGui::PopID();
  }
}

/// Recordings: what is dropped or chosen.
void drawRecordings(const std::string& clip, const Opening& scene,
                    const std::vector<std::vector<std::string>>& recent, const Actions& actions,
                    const Rect& place) {
  const float em = ImGui::GetFontSize();
  const Area area("welcome", place, em, em);
  drawDashes(*ImGui::GetBackgroundDrawList(), place);
  ImGui::TextUnformatted("Recordings");
  ImGui::PushTextWrapPos(0);
  faint("Drop videos or folders of images here. Several files are the cameras of one session.");
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, em / 2});
  drawButtons(clip, scene, actions);
  drawRecent(recent, actions);
}

}  // namespace

Rect drawWelcome(const std::string& clip, const Opening& scene,
                 const std::vector<std::vector<std::string>>& recent, const Actions& actions,
                 CameraChooser* cameras, const Rect& place) {
  const float em = ImGui::GetFontSize(), foot = em * 2.5F;
  const float width = std::min(place.width - 2 * em, em * 72);
  const float height = std::min(place.height - 2 * em - foot, em * 34);
  const float left = place.x + std::round((place.width - width) / 2);
  const float top = place.y + std::round((place.height - foot - height) / 2);
  const float recordings = std::round(width * 0.36F);
  drawRecordings(clip, scene, recent, actions, {left, top, recordings, height});
  if (cameras) {
    const Rect right{left + recordings + em, top, width - recordings - em, height};
    const Area area("welcome cameras", right, em, em);
    ImGui::TextUnformatted("Cameras");
    cameras->draw(ImGui::GetContentRegionAvail().y);
  }
  const Area area("welcome keys", {place.x, place.y + place.height - foot, place.width, foot});
  centred("Ctrl+O  open        H  all keys        Ctrl+Q  quit", kFaint);
  return {left, top, recordings, height};
}

}  // namespace glint::ui
