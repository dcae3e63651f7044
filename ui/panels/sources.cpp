#include "ui/panels/sources.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"
#include "ui/panels/camera_controls.h"

namespace glint::ui {
namespace {

const char* stateName(const capture::Feeds::CameraStatus& camera, bool live) {
  using State = capture::Feeds::CameraStatus::State;
  switch (camera.state) {
    case State::opening:
      return "opening";
    case State::live:
      return live ? "live" : "open";
    case State::lost:
      return "disconnected; Glint keeps trying to reconnect";
    case State::ended:
      return camera.problem.empty() ? "ended" : "broken";
  }
  return "";
}

/// Returns the number of dropped frames: "12, 3 of them never arrived". Frames that never arrived
/// are known by the camera's own numbers.
std::string droppedText(const capture::Feeds::CameraStatus& camera) {
  return camera.skipped > 0
             ? fmt::format("{}, {} of them never arrived", camera.dropped, camera.skipped)
             : std::to_string(camera.dropped);
}

/// Draws a line with a name and a value. `of` is what the line is about; it is a part of the name
/// for tests.
void line(const std::string& of, const char* name, const std::string& value) {
  labelled(name, valuesBegin() / ImGui::GetFontSize(), value);
  namedWords(fmt::format("{}:{}", of, name), value);
}

/// Draws a dot of the light's colour, as high as a line, and continues on the same line.
void drawLight(Light light) {
  const float em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + em * 0.4F, at.y + em * 0.5F}, em * 0.33F,
                                              kLights[static_cast<size_t>(light)]);
  ImGui::Dummy({em * 0.8F, em});
  beside(6);
}

/// Draws the camera's light, its meaning, and a past loss until the user has acknowledged it.
void drawHealth(CameraHealth& health, size_t camera) {
  if (camera >= health.cameras().size()) return;
  const Health& now = health.cameras()[camera];
  drawLight(now.light);
  ImGui::TextUnformatted(now.words.c_str());
  namedWords(fmt::format("health:{}", camera), now.words);
  if (now.mark.empty()) return;
  text(kWarning, now.mark);
  namedWords(fmt::format("mark:{}", camera), now.mark);
  ImGui::SameLine();
  if (smallButton(fmt::format("seen:{}", camera), "Seen")) health.takeNote(camera);
}

void drawSource(WindowModel& model, size_t camera) {
  const session::SessionState& state = model.state();
  const gpu::ImageFormat& format = model.format(camera);
  ImGui::PushID(static_cast<int>(camera));
  ImGui::Separator();
  // The camera has the same number as in tiles and tables.
  const std::string number = model.cameras() > 1 ? fmt::format("{} \u00b7 ", camera) : "";
  ImGui::TextWrapped("%s%s", number.c_str(), model.task.sources[camera].shown().c_str());
  const std::string of = fmt::format("source:{}", camera);
  named(of);
  drawHealth(model.health, camera);
  line(of, "image",
       fmt::format("{} x {}, {}, {} bits", format.width, format.height,
                   format.channels == 3 ? "colour" : "grey", format.bits));
  if (camera < state.cameras.size()) {
    const capture::Feeds::CameraStatus& status = state.cameras[camera];
    line(of, "state", stateName(status, state.live));
    // Recordings read frames again after jumps, so that the number would mean nothing.
    if (state.live) line(of, "delivered", std::to_string(status.delivered));
    if (state.live || status.dropped > 0) line(of, "dropped", droppedText(status));
    if (status.rate > 0) {
      line(of, "rate", fmt::format("{:.2f} /s", status.rate));
      line(of, "jitter", fmt::format("{:.3f} ms", 1e3 * status.jitter));
    }
    if (status.uncertainty > 0)
      line(of, "times", fmt::format("exact to {:.3f} ms", 1e3 * status.uncertainty));
    if (!status.problem.empty()) text(kRecord, status.problem);
    if (status.offer) drawCameraControls(model.draft, camera, *status.offer);
  }
  ImGui::PopID();
}

/// Draws the setting of how long frames stay in memory, to look back at and to save.
void drawMemory(const WindowModel& model, Layout& layout) {
  ImGui::AlignTextToFramePadding();
  faint("remember");
  hint(
      "Keeps the last seconds in memory, at most 512 MiB, so that you can look back at them or "
      "save them");
  ImGui::SameLine(valuesBegin());
  constexpr NumberField kSeconds{.least = 0,
                                 .most = kMostRecentSeconds,
                                 .sliderLeast = 0,
                                 .sliderMost = kMostRecentSeconds,
                                 .whole = true,
                                 .byMagnitude = false,
                                 .unit = "s"};
  editNumber("recent_seconds", layout.recentSeconds, kSeconds);
  if (const auto& recent = model.state().recent)
    line("session", "in memory", fmt::format("{:.1f} s", recent->seconds));
}

}  // namespace

void SourcesPanel::draw(Context& context) {
  WindowModel& model = context.model;
  Actions& actions = context.actions;
  if (ImGui::Button("Open others (Ctrl+O)")) actions.perform(Action::open);
  ImGui::SameLine();
  if (ImGui::Button("Close (Ctrl+W)")) actions.perform(Action::close);
  if (hasExposure(model.state())) {
    ImGui::SameLine();
    if (button("find_exposure", "Find exposure (E)")) actions.perform(Action::findExposure);
  }
  ImGui::BeginChild("sources");
  if (const auto& length = model.state().length)
    line("session", "length", counted(*length, "frame"));
  if (model.state().live)
    line("session", "rate",
         fmt::format("{:.1f} /s", model.timings.delivered.rate(monotonicSeconds())));
  if (model.state().live) drawMemory(model, context.layout);
  for (size_t i = 0; i < model.cameras(); ++i) drawSource(model, i);
  ImGui::EndChild();
}

}  // namespace glint::ui
