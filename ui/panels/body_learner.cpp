#include "ui/panels/body_learner.h"

#include <algorithm>
#include <cfloat>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/shell/desk/space_history.h"
#include "config/error.h"
#include "ui/draw/caption.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kLeastMarkers = 3;

/// Returns why no body can be learned yet; empty if it can.
std::string obstacleOf(const WindowModel& model, const SpaceViewState& space) {
  if (space.group.size() < kLeastMarkers)
    return fmt::format("Ctrl+click {} more", counted(kLeastMarkers - space.group.size(), "point"));
  if (model.state().live) return "Record the body first: it is learned from a recording";
  if (model.task.stills) return kStillsShareNothing;
  const auto history = model.tracks.space();
  if (!history || !history->whole()) return "Tracking the whole recording ...";
  return {};
}

}  // namespace

void BodyLearner::learn(Context& context) const {
  const WindowModel& model = context.model;
  SpaceViewState& space = context.viewState.space;
  try {
    const motion::LearnedBody learned =
        shell::keepBody(*model.tracks.space(), space.group, name_.data(), model.task.bodiesFile);
    context.messages.note(fmt::format("{} was learned from {} and written into {}",
                                      learned.body.name, counted(learned.frames, "frame"),
                                      model.task.bodiesFile));
    space.group.clear();
    context.actions.open(shell::Opening{
        .sources = model.task.sources, .cameras = {}, .rig = {}, .bodies = model.task.bodiesFile});
  } catch (const Error& error) {
    context.messages.fail(error.what());
  }
}

void BodyLearner::draw(Context& context) {
  const WindowModel& model = context.model;
  const SpaceViewState& space = context.viewState.space;
  const Rect& views = context.layout.places.views;
  if (space.group.empty() || !model.task.rig) return;
  constexpr float kName = 8;  // font sizes
  constexpr const char* kLearn = "Learn body";
  const float em = ImGui::GetFontSize(), most = std::max(1.0F, views.width - 2 * wholePx(4));
  const std::string points = fmt::format("Points {}", fmt::join(space.group, ", "));
  const std::string obstacle = obstacleOf(model, space);
  const float further =
      obstacle.empty() ? em * kName + buttonWidth(kLearn) : ImGui::CalcTextSize(obstacle.c_str()).x;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {most, FLT_MAX});
  const Box box("body_learner", promptBottom(views), {0.5F, 1}, kAccent);
  ImGui::PushTextWrapPos(std::max(1.0F, most - ImGui::GetStyle().WindowPadding.x));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(points.c_str());
  // If there is little room, the field and the button have a line of their own.
  if (ImGui::CalcTextSize(points.c_str()).x + further + 4 * em < most) ImGui::SameLine();
  if (!obstacle.empty()) {
    faint(obstacle);
  } else {
    textField("body_name", name_, em * kName);
    ImGui::SameLine();
    if (button("learn_body", kLearn, fmt::format("Adds the body to {}", model.task.bodiesFile)))
      learn(context);
  }
  ImGui::PopTextWrapPos();
  nameWindow("body_learner");
}

}  // namespace glint::ui
