#include "ui/panels/banner.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/study/advice/findings.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// A finding in words, and the buttons beside it.
struct Banner {
  std::string words = {};
  const char* name = nullptr;  // of the button; null: there is none
  std::string label = {}, tip = {};
  std::function<void()> mend = {};
  std::function<void()> leave = {};  // takes the banner away; empty: that cannot be done
};

/// True if no marker has been found so far. Live, somebody may have to come first.
bool nothingFound(const WindowModel& model) {
  constexpr uint64_t kComing = 60;  // frames
  return !model.tracks.found() && (!model.state().live || model.shown.frame->set.value() > kComing);
}

/// Returns the findings about the frame that is shown, the most important one first.
std::vector<study::Finding> findingsOfShown(const WindowModel& model, const study::Lamp* lamp) {
  if (!model.shown.frame || model.shown.stale) return {};
  study::FrameEvidence evidence{.cameras = {},
                                .settings = *model.shown.frame->settings,
                                .nothingSoFar = nothingFound(model),
                                .lamp = lamp};
  for (const CameraTracks& camera : model.tracks.cameras())
    evidence.cameras.push_back(camera.measured);
  return study::findingsOf(evidence);
}

/// Adds the button that helps with the finding, if there is one.
Banner bannerOf(const study::Finding& finding, const WindowModel& model, SettingsDraft& draft,
                LampWatch& lamps, Actions& actions) {
  Banner banner{finding.sentences()};
  const auto useRemedy = [&draft, remedy = finding.remedy] {
    study::apply(remedy, draft.settings());
    draft.apply();
    draft.endStep();
  };
  switch (finding.kind) {
    case study::Finding::Kind::fullFrames: {
      if (finding.remedy.sets.empty()) break;  // there are as many as can be
      Settings then = *model.shown.frame->settings;
      study::apply(finding.remedy, then);
      banner.name = "banner_raise";
      banner.label = fmt::format("Allow {}", then.detect.maxMarkers);
      banner.tip = "Sets \"Most markers\"; Ctrl+Z undoes it";
      banner.mend = useRemedy;
      break;
    }
    case study::Finding::Kind::nothingFound:
    case study::Finding::Kind::barelyReached:
      if (!model.state().live && !model.state().canSeek) break;
      banner.name = "banner_propose";
      banner.label = "Propose ...";
      banner.tip = "Looks at a few frames, and proposes settings that may find them";
      banner.mend = [&actions] { actions.propose(); };
      break;
    case study::Finding::Kind::lamp:
      banner.name = "banner_ignore";
      banner.label = "Ignore it";
      banner.tip = "Nothing is measured in a rectangle about it; Ctrl+Z undoes it";
      banner.mend = useRemedy;
      banner.leave = [&lamps] { lamps.leave(); };
      break;
    default:
      break;
  }
  return banner;
}

}  // namespace

void BannerPanel::draw(Context& context) {
  words_.clear();
  const Rect& views = context.layout.places.views;
  if (context.looks.copied || views.width < 20) return;
  const WindowModel& model = context.model;
  SettingsDraft& draft = context.model.draft;
  const std::vector<study::Finding> findings = findingsOfShown(model, model.lamps.lamp());
  if (findings.empty()) return;
  const Banner banner =
      bannerOf(findings.front(), model, draft, context.model.lamps, context.actions);
  words_ = banner.words;
  const float em = ImGui::GetFontSize();
  const Box box("banner", {views.x + views.width / 2, views.y + em / 2}, {0.5F, 0}, kWarning,
                0.94F);
  constexpr const char* kLeave = "Keep it";
  const std::string buttons = banner.label + (banner.leave ? kLeave : "");
  const float beside = ImGui::CalcTextSize(words_.c_str()).x +
                       ImGui::CalcTextSize(buttons.c_str()).x + (banner.leave ? 6 : 4) * em;
  ImGui::PushTextWrapPos(views.width - 2 * em);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(words_.c_str());
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
  Rect& messages = context.layout.places.messages;
  messages.y += em / 2 + height;
  messages.height -= em / 2 + height;
}

void BannerPanel::describe(nlohmann::json& to) const {
  to["banner"] = words_;
}

}  // namespace glint::ui
