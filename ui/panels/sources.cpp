// What is open: each camera, what it delivers, and what it lacks.
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/colours.h"
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
      return "lost; it may come back";
    case State::ended:
      return camera.problem.empty() ? "ended" : "broken";
  }
  return "";
}

/// "12, 3 of them never came": by the camera's own numbers.
std::string droppedText(const Feeds::CameraStatus& camera) {
  return camera.skipped > 0
             ? fmt::format("{}, {} of them never came", camera.dropped, camera.skipped)
             : std::to_string(camera.dropped);
}

void line(const char* name, const std::string& value) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s", name);
  ImGui::SameLine(ImGui::GetFontSize() * 7);
  ImGui::TextWrapped("%s", value.c_str());
}

void drawSource(Context& context, size_t camera) {
  const SessionState& state = context.state();
  const CameraGroups& groups = context.task.session.groups();
  const ImageFormat& format = groups.formats[groups.places[camera].group].image;
  ImGui::PushID(static_cast<int>(camera));
  ImGui::TextWrapped("%s", context.task.sources[camera].c_str());
  context.driver.note("source:" + std::to_string(camera));
  line("image", std::to_string(format.width) + " x " + std::to_string(format.height) +
                    (format.channels == 3 ? ", colour, " : ", grey, ") +
                    std::to_string(format.bits) + " bits");
  if (camera < state.cameras.size()) {
    const Feeds::CameraStatus& status = state.cameras[camera];
    line("state", stateName(status, state.live));
    line("delivered", std::to_string(status.delivered));
    if (state.live || status.dropped > 0) line("dropped", droppedText(status));
    if (status.rate > 0) {
      line("rate", fmt::format("{:.2f} /s", status.rate));
      line("jitter", fmt::format("{:.3f} ms", 1e3 * status.jitter));
    }
    if (status.uncertainty > 0)
      line("times", fmt::format("to {:.3f} ms", 1e3 * status.uncertainty));
    if (!status.problem.empty())
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kRecord), "%s", status.problem.c_str());
    if (status.offer) drawCameraControls(context, camera, *status.offer);
  }
  ImGui::Separator();
  ImGui::PopID();
}

}  // namespace

void drawSources(Context& context) {
  if (ImGui::Button("Open others (Ctrl+O)")) perform(context, Action::open);
  ImGui::SameLine();
  if (ImGui::Button("Close (Ctrl+W)")) perform(context, Action::close);
  if (context.state().live) {
    ImGui::SameLine();
    if (ImGui::Button("Find exposure (E)")) perform(context, Action::findExposure);
  }
  ImGui::BeginChild("sources");
  if (const auto& length = context.state().length)
    line("length", std::to_string(*length) + " frames");
  if (context.state().live) line("rate", std::to_string(context.camera.perSecond()) + " /s");
  for (size_t i = 0; i < context.cameras(); ++i) drawSource(context, i);
  ImGui::EndChild();
}

}  // namespace glint::ui
