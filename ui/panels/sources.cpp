// What is open: each camera, what it delivers, and what it lacks.

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

const char* stateName(const Feeds::CameraStatus& camera, bool live) {
  using State = Feeds::CameraStatus::State;
  switch (camera.state) {
    case State::opening:
      return "opening";
    case State::live:
      return live ? "live" : "open";
    case State::lost:
      return "lost; Glint keeps looking for it";
    case State::ended:
      return camera.problem.empty() ? "ended" : "broken";
  }
  return "";
}

/// "12, 3 of them never came": by the camera's own numbers.
std::string droppedText(const Feeds::CameraStatus& camera) {
  return camera.skipped > 0
             ? fmt::format("{}, {} of them never arrived", camera.dropped, camera.skipped)
             : std::to_string(camera.dropped);
}

void line(const char* name, const std::string& value) {
  labelled(name, 7, value);
}

void drawSource(const WindowModel& model, SettingsDraft& draft, size_t camera) {
  const SessionState& state = model.state;
  const ImageFormat& format = model.format(camera);
  ImGui::PushID(static_cast<int>(camera));
  ImGui::TextWrapped("%s", model.task.sources[camera].c_str());
  named("source:" + std::to_string(camera));
  line("image", fmt::format("{} x {}, {}, {} bits", format.width, format.height,
                            format.channels == 3 ? "colour" : "grey", format.bits));
  if (camera < state.cameras.size()) {
    const Feeds::CameraStatus& status = state.cameras[camera];
    line("state", stateName(status, state.live));
    // Of a recording frames are read again after jumps.
    if (state.live) line("delivered", std::to_string(status.delivered));
    if (state.live || status.dropped > 0) line("dropped", droppedText(status));
    if (status.rate > 0) {
      line("rate", fmt::format("{:.2f} /s", status.rate));
      line("jitter", fmt::format("{:.3f} ms", 1e3 * status.jitter));
    }
    if (status.uncertainty > 0)
      line("times", fmt::format("to {:.3f} ms", 1e3 * status.uncertainty));
    if (!status.problem.empty()) text(kRecord, status.problem);
    if (status.offer) drawCameraControls(draft, camera, *status.offer);
  }
  ImGui::Separator();
  ImGui::PopID();
}

}  // namespace

void drawSources(const WindowModel& model, SettingsDraft& draft, const Actions& actions) {
  if (ImGui::Button("Open others (Ctrl+O)")) actions.perform(Action::open);
  ImGui::SameLine();
  if (ImGui::Button("Close (Ctrl+W)")) actions.perform(Action::close);
  if (model.state.live) {
    ImGui::SameLine();
    if (ImGui::Button("Find exposure (E)")) actions.perform(Action::findExposure);
  }
  ImGui::BeginChild("sources");
  if (const auto& length = model.state.length) line("length", fmt::format("{} frames", *length));
  if (model.state.live)
    line("rate", fmt::format("{:.1f} /s", model.timings.delivered.rate(monotonicSeconds())));
  for (size_t i = 0; i < model.cameras(); ++i) drawSource(model, draft, i);
  ImGui::EndChild();
}

}  // namespace glint::ui
