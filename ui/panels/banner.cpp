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
  const char* name = nullptr;  // name of the button; null: there is none
  std::string label = {}, tip = {};
  std::function<void()> mend = {};
  // Removes the banner; empty if that is not possible.
  std::function<void()> leave = {};
};

/// Returns true if no marker has been found so far. With live cameras, waits some frames, as a
/// person may have to come first.
bool nothingFound(const WindowModel& model) {
  constexpr uint64_t kComing = 60;  // frames
  return !model.tracks.found() && (!model.state().live || model.shown.frame->set.value() > kComing);
}

/// Returns the findings about the set on the screen.
std::vector<study::Finding> findingsOfShown(const WindowModel& model) {
  if (!model.shown.frame || model.shown.stale) return {};
  study::ShownEvidence evidence{.cameras = {},
                                .settings = *model.shown.frame->settings,
                                .nothingSoFar = nothingFound(model),
                                .lamp = model.thresholds.lamp(),
                                .glare = model.thresholds.glare()};
  for (const CameraTracks& camera : model.tracks.cameras())
    evidence.cameras.push_back(camera.measured);
  return study::findingsOf(evidence);
}

/// Returns the banner of a finding. If a button applies the remedy, or proposes settings, it
/// replaces the advice, which is written for a command line.
Banner bannerOf(const study::Finding& finding, const WindowModel& model, SettingsDraft& draft,
                ThresholdWatch& thresholds, Actions& actions) {
  using Kind = study::Finding::Kind;
  Banner banner;
  const std::vector<std::string> options = study::argumentsOf(finding.remedy);
  if (!options.empty()) {
    banner.name = "banner_use";
    banner.label = "Use it";
    banner.tip = fmt::format("Same as {}; Ctrl+Z undoes it", study::commandLine(options));
    banner.mend = [&draft, remedy = finding.remedy] {
      study::apply(remedy, draft.settings());
      draft.apply();
      draft.endStep();
    };
  } else if ((finding.kind == Kind::nothingFound || finding.kind == Kind::barelyReached ||
              finding.kind == Kind::glare) &&
             (model.state().live || model.state().canSeek)) {
    banner.name = "banner_propose";
    banner.label = "Propose ...";
    banner.tip = "Analyses a few frames and proposes settings that may find them";
    banner.mend = [&actions] { actions.propose(); };
  }
  if (finding.kind == Kind::fullFrames && !options.empty()) {
    const std::string& set = finding.remedy.sets.front();
    banner.name = "banner_raise";
    banner.label = "Allow " + set.substr(set.find('=') + 1);
  }
  if (finding.kind == Kind::lamp) {
    banner.name = "banner_ignore";
    banner.label = "Ignore it";
    banner.tip = "Ignores a rectangle around it (Ctrl+Z undoes this)";
    banner.leave = [&thresholds] { thresholds.leave(); };
  }
  if (finding.kind == Kind::glare) banner.leave = [&thresholds] { thresholds.leave(); };
  banner.words = banner.name != nullptr ? finding.observed() : finding.sentences();
  return banner;
}

}  // namespace

void BannerPanel::draw(Context& context) {
  words_.clear();
  const Rect& views = context.layout.places.views;
  if (context.viewState.copied || views.width < 20) return;
  const WindowModel& model = context.model;
  SettingsDraft& draft = context.model.draft;
  const std::vector<study::Finding> findings = findingsOfShown(model);
  if (findings.empty()) return;
  const Banner banner =
      bannerOf(findings.front(), model, draft, context.model.thresholds, context.actions);
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
