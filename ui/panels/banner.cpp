// What is wrong for as long as it lasts, over the views, with its mend.
#include <algorithm>

#include <fmt/format.h>

#include "shared/limits.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr int kMostMarkers = static_cast<int>(shared::kMaxResolved);
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

}  // namespace

float drawBanner(const WindowModel& model, SettingsDraft& draft, Displayed& displayed,
                 const Rect& views) {
  const int most = reachedCap(model);
  if (most == 0 || views.width < 20) return 0;
  const int wanted = std::min(kMostMarkers, most * kMore);
  displayed.banner = fmt::format("{} markers found, as many as \"Most markers\" allows.", most);
  if (wanted > most) displayed.banner += " There may be more.";
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + em / 2}, ImGuiCond_Always,
                          {0.5F, 0});
  ImGui::SetNextWindowBgAlpha(0.94F);
  ImGui::PushStyleColor(ImGuiCol_Border, kWarning);
  ImGui::Begin("##banner", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const std::string label = fmt::format("Allow {}", wanted);
  const float beside = ImGui::CalcTextSize(displayed.banner.c_str()).x +
                       ImGui::CalcTextSize(label.c_str()).x + 4 * em;
  ImGui::PushTextWrapPos(views.width - 2 * em);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(displayed.banner.c_str());
  ImGui::PopTextWrapPos();
  if (wanted > most) {
    if (beside < views.width) ImGui::SameLine();
    if (button("banner_raise", label.c_str(), "Sets \"Most markers\"; Ctrl+Z undoes it")) {
      draft.settings().detect.maxMarkers = wanted;
      draft.apply();
      draft.endStep();
    }
  }
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  ImGui::PopStyleColor();
  return em / 2 + height;
}

}  // namespace glint::ui
