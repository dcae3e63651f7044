#include "ui/panels/body_learner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desk/body_keeping.h"
#include "config/error.h"
#include "ui/draw/prompt.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kLeastMarkers = 3;

/// Why no body can be learned yet; or empty.
std::string obstacleOf(const WindowModel& model, const SpaceLooks& space) {
  if (space.group.size() < kLeastMarkers)
    return fmt::format("Ctrl+click {} more", counted(kLeastMarkers - space.group.size(), "point"));
  if (model.state.live) return "Record the body first: it is learned from a recording";
  const auto history = model.tracks.space();
  if (!history || !history->whole()) return "The whole recording is being tracked ...";
  return {};
}

}  // namespace

void BodyLearner::learn(const WindowModel& model, SpaceLooks& space, const Actions& actions) {
  try {
    const LearnedBody learned =
        keepBody(*model.tracks.space(), space.group, name_.data(), model.task.bodiesFile);
    messages_.note(fmt::format("{} was learned from {} and written into {}", learned.body.name,
                               counted(learned.frames, "frame"), model.task.bodiesFile));
    space.group.clear();
    actions.openCameras(
        {.sources = model.task.sources, .cameras = {}, .rig = {}, .bodies = model.task.bodiesFile});
  } catch (const Error& error) {
    messages_.fail(error.what());
  }
}

void BodyLearner::draw(const WindowModel& model, SpaceLooks& space, const Actions& actions,
                       const Rect& views) {
  if (space.group.empty() || !model.task.rig) return;
  constexpr float kUsual = 26;  // font sizes; in less room it begins where the views do
  const ImVec2 bottom = promptBottom(views);
  const bool wide = views.width > kUsual * ImGui::GetFontSize();
  ImGui::SetNextWindowPos({wide ? bottom.x : views.x + 4, bottom.y}, ImGuiCond_Always,
                          {wide ? 0.5F : 0.0F, 1});
  ImGui::PushStyleColor(ImGuiCol_Border, kAccent);
  ImGui::Begin("##body_learner", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("Points {}", fmt::join(space.group, ", ")).c_str());
  ImGui::SameLine();
  if (const std::string obstacle = obstacleOf(model, space); !obstacle.empty()) {
    faint(obstacle);
  } else {
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    ImGui::InputText("##body_name", name_.data(), name_.size());
    named("body_name");
    ImGui::SameLine();
    if (button("learn_body", "Learn body",
               fmt::format("Adds what keeps its distances to {}", model.task.bodiesFile)))
      learn(model, space, actions);
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace glint::ui
