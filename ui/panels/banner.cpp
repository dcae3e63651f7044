// What is wrong for as long as it lasts, over the views, with its mend.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/frame/threshold_doubt.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr int kMore = 4;  // times as many at each click

/// detect.max_markers of the frame that is shown, where a camera has found so many; otherwise 0.
int reachedCap(const WindowModel& model) {
  if (!model.shown.frame || model.shown.stale) return 0;
  const int most = model.shown.frame->settings->detect.maxMarkers;
  const auto& cameras = model.tracks.cameras();
  const bool full = std::any_of(cameras.begin(), cameras.end(), [&](const CameraTracks& camera) {
    return camera.measured->markers.size() >= static_cast<size_t>(most);
  });
  return full ? most : 0;
}

/// What is wrong, and a button that mends it; nothing: no words.
struct Banner {
  std::string words = {};
  const char* name = nullptr;  // of the button; null: there is none
  std::string label = {}, tip = {};
  std::function<void()> mend = {};
  std::function<void()> leave = {};  // takes it away as it is; empty: that cannot be done
};

Banner capBanner(const WindowModel& model, SettingsDraft& draft) {
  const int most = reachedCap(model);
  if (most == 0) return {};
  Banner banner{fmt::format("{} markers found, as many as \"Most markers\" allows.", most)};
  const int wanted = std::min(kMostDetections, most * kMore);
  if (wanted <= most) return banner;
  banner.words += " There may be more.";
  banner.name = "banner_raise";
  banner.label = fmt::format("Allow {}", wanted);
  banner.tip = "Sets \"Most markers\"; Ctrl+Z undoes it";
  banner.mend = [&draft, wanted] {
    draft.settings().detect.maxMarkers = wanted;
    draft.apply();
    draft.endStep();
  };
  return banner;
}

/// With a button that proposes settings, where that can be done.
Banner proposing(const WindowModel& model, const Actions& actions, std::string words) {
  Banner banner{std::move(words)};
  if (!model.state.live && !model.state.canSeek) return banner;
  banner.name = "banner_propose";
  banner.label = "Propose ...";
  banner.tip = "Looks at a few frames, and proposes settings that may find them";
  banner.mend = actions.propose;
  return banner;
}

/// Whether nothing has been found so far; live, somebody may have to come first.
bool nothingFound(const WindowModel& model) {
  constexpr uint64_t kComing = 60;  // frames
  return !model.tracks.found() && (!model.state.live || model.shown.frame->set.value() > kComing);
}

/// Of the frame that is shown: that markers, or dimmer ones, may be missing.
Banner barelyBanner(const WindowModel& model, const Actions& actions) {
  if (!model.shown.frame || model.shown.stale) return {};
  if (nothingFound(model))
    return proposing(model, actions,
                     "No markers found. Some may be darker than their surroundings, or faint.");
  for (const CameraTracks& camera : model.tracks.cameras()) {
    const size_t barely = countBarely(*camera.measured, *model.shown.frame->settings);
    const size_t markers = camera.measured->markers.size();
    if (!manyBarely(barely, markers, 1)) continue;
    return proposing(model, actions,
                     barelyText(static_cast<double>(barely), static_cast<double>(markers)) + ".");
  }
  return {};
}

/// Of the frame that is shown: that a lamp hides dimmer markers.
Banner lampBanner(SettingsDraft& draft, LampWatch& lamps) {
  const Lamp* lamp = lamps.lamp();
  if (lamp == nullptr) return {};
  return {.words = fmt::format("The large marker at ({:.0f}, {:.0f}) raises the threshold above "
                               "{:.0f} dimmer markers.",
                               lamp->x, lamp->y, lamp->hides),
          .name = "banner_ignore",
          .label = "Ignore it",
          .tip = "Nothing is measured in a rectangle about it; Ctrl+Z undoes it",
          .mend =
              [&draft, lamp = *lamp] {
                ignoreLamp(lamp, draft.settings());
                draft.apply();
                draft.endStep();
              },
          .leave = [&lamps] { lamps.leave(); }};
}

}  // namespace

float drawBanner(const WindowModel& model, SettingsDraft& draft, LampWatch& lamps,
                 const Actions& actions, Displayed& displayed, const Rect& views) {
  if (views.width < 20) return 0;
  Banner banner = capBanner(model, draft);
  if (banner.words.empty()) banner = barelyBanner(model, actions);
  if (banner.words.empty()) banner = lampBanner(draft, lamps);
  if (banner.words.empty()) return 0;
  displayed.banner = banner.words;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + em / 2}, ImGuiCond_Always,
                          {0.5F, 0});
  ImGui::SetNextWindowBgAlpha(0.94F);
  ImGui::PushStyleColor(ImGuiCol_Border, kWarning);
  ImGui::Begin("##banner", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  constexpr const char* kLeave = "Keep it";
  const std::string buttons = banner.label + (banner.leave ? kLeave : "");
  const float beside = ImGui::CalcTextSize(displayed.banner.c_str()).x +
                       ImGui::CalcTextSize(buttons.c_str()).x + (banner.leave ? 6 : 4) * em;
  ImGui::PushTextWrapPos(views.width - 2 * em);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(displayed.banner.c_str());
  ImGui::PopTextWrapPos();
  if (banner.name != nullptr) {
    if (beside < views.width) ImGui::SameLine();
    if (button(banner.name, banner.label.c_str(), banner.tip)) banner.mend();
    if (banner.leave) {
      ImGui::SameLine();
      if (button("banner_leave", kLeave)) banner.leave();
    }
  }
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  ImGui::PopStyleColor();
  return em / 2 + height;
}

}  // namespace glint::ui
