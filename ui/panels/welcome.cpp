#include "ui/panels/welcome.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kMostWelcomed = 6;
constexpr float kNameSize = 2;  // the program's name, font sizes
constexpr const char* kPurpose =
    "Finds markers in videos and live cameras, follows them, and computes where they are in space.";

void centred(const char* words, ImU32 colour) {
  const float width = ImGui::CalcTextSize(words).x;
  ImGui::SetCursorPosX(std::max(0.0F, std::round((ImGui::GetWindowWidth() - width) / 2)));
  text(colour, words);
}

/// Draws the program's name, and what it does, above the rest.
void drawHead(const Rect& place) {
  const Area area("welcome head", place, 0, 0);
  ImGui::SetWindowFontScale(kNameSize);
  centred("Glint", kText);
  ImGui::SetWindowFontScale(1);
  const std::string purpose = inLines(kPurpose, place.width - 2 * ImGui::GetFontSize());
  centred(purpose.c_str(), kFaint);
  named("welcome_purpose");
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

void drawButtons(const std::string& clip, const shell::Opening& scene, Actions& actions) {
  const float em = ImGui::GetFontSize();
  if (button("welcome_open", "Open a recording ...", "", {-1, em * 2}))
    actions.perform(Action::open);
  if (!clip.empty() && button("welcome_clip", "Try the sample clip", "", {-1, em * 2}))
    actions.open(std::vector{Address(clip)});
  if (!scene.sources.empty() && button("welcome_scene", "Four cameras in space",
                                       "A synthetic dancer, with the cameras' rig", {-1, em * 2}))
    actions.open(scene);
}

void drawRecent(const std::vector<std::vector<Address>>& recent, Actions& actions) {
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

}  // namespace

Welcome::Welcome(Context& context, const RecentSources& recent, CameraChooser& cameras,
                 const FileChooser& chooser)
    : cameras_(cameras), chooser_(chooser) {
  if (context.model.task.empty) recent_ = recent();
  if (recent_.size() > kMostWelcomed) recent_.resize(kMostWelcomed);
}

/// Draws the area in which recordings are dropped or chosen.
void Welcome::drawRecordings(Context& context, const Rect& place) const {
  const float em = ImGui::GetFontSize();
  const Area area("welcome", place, em, em);
  drawDashes(*ImGui::GetBackgroundDrawList(), place);
  ImGui::TextUnformatted("Recordings");
  wrapped(kFaint,
          "Drop videos or folders of images here. Several files opened together are treated as "
          "synchronised cameras.");
  ImGui::Dummy({0, em / 2});
  drawButtons(context.model.task.clip, context.model.task.scene, context.actions);
  drawRecent(recent_, context.actions);
}

void Welcome::draw(Context& context) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), foot = em * 2.5F;
  const float width = std::min(screen.x - 2 * em, em * 72);
  const float head = em * (ImGui::CalcTextSize(kPurpose).x <= screen.x - 2 * em ? 4.5F : 6);
  const float height = std::min(screen.y - 2 * em - head - foot, em * 34);
  const float left = std::round((screen.x - width) / 2);
  const float begin = std::round((screen.y - foot - head - height) / 2), top = begin + head;
  drawHead({0, begin, screen.x, head});
  const Rect recordings{left, top, std::round(width * 0.36F), height};
  context.layout.places.messages = recordings;
  drawRecordings(context, recordings);
  // The file chooser lists the cameras itself.
  if (!chooser_.open) {
    const float beside = left + recordings.width + em;
    const Area area("welcome cameras", {beside, top, width - recordings.width - em, height}, em,
                    em);
    ImGui::TextUnformatted("Cameras");
    cameras_.draw(ImGui::GetContentRegionAvail().y);
  }
  const Area area("welcome keys", {0, screen.y - foot, screen.x, foot});
  centred("Ctrl+O  open        H  all keys        Ctrl+Q  quit", kFaint);
}

}  // namespace glint::ui
