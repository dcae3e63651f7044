#include "ui/panels/measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/caption.h"
#include "ui/draw/dialog.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

struct ToolOf {
  Action action;
  MeasureTool tool;
  const char* name;
  const char* label;
  const char* about;
};

constexpr ToolOf kTools[] = {{Action::measureDistance, MeasureTool::distance, "measure_distance",
                              "Distance", "Between two markers or places"},
                             {Action::measureAngle, MeasureTool::angle, "measure_angle", "Angle",
                              "At the second of three markers or places"},
                             {Action::setScale, MeasureTool::scale, "measure_scale", "Scale",
                              "Draw along something of known length and type the length. Lengths "
                              "are then also shown in mm"}};

std::string promptOf(MeasureTool tool, size_t points) {
  constexpr const char* kEnds[] = {"Click one end of the distance", "Click the other end"};
  constexpr const char* kArms[] = {"Click a point of the first arm", "Click where the arms meet",
                                   "Click a point of the second arm"};
  constexpr const char* kLine[] = {"Click one end of something of known length",
                                   "Click its other end"};
  const std::string words = tool == MeasureTool::distance ? kEnds[std::min<size_t>(points, 1)]
                            : tool == MeasureTool::angle  ? kArms[std::min<size_t>(points, 2)]
                                                          : kLine[std::min<size_t>(points, 1)];
  return words +
         (tool == MeasureTool::scale ? " (Esc cancels)" : ": a marker or any place (Esc cancels)");
}

}  // namespace

void MeasurePanel::perform(Action action) {
  viewState_.pick = Pick::nothing;
  for (const ToolOf& one : kTools)
    if (one.action == action) measuring_.take(one.tool);
}

void MeasurePanel::draw(Context& context) {
  drawClicks(context.layout.places.views);
  drawLength();
}

void MeasurePanel::drawClicks(const Rect& views) {
  if (!measuring_.on()) return;
  const size_t points = measuring_.begun() ? measuring_.begun()->points.size() : 0;
  drawPrompt("picking", promptOf(measuring_.tool(), points), views);
}

void MeasurePanel::drawLength() {
  const auto length = measuring_.asksLength();
  if (length && *length == 0) {
    measuring_.forgetLength();
    return messages_.fail("the line has no length: click its two ends");
  }
  if (length && !std::exchange(asks_, true)) {
    opens_ = true;
    length_ = {};
  }
  if (!asks_) return;
  if (!beginDialog("Set the scale", opens_)) {
    asks_ = false;
    return measuring_.forgetLength();
  }
  ImGui::TextUnformatted(
      fmt::format("How long is the line of {:.1f} px?", length.value_or(0)).c_str());
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 10);
  const bool entered =
      named("length_text", ImGui::InputText("mm##length", length_.data(), length_.size(),
                                            ImGuiInputTextFlags_EnterReturnsTrue));
  // The field stays active, because its text may not be a valid length.
  if (entered) ImGui::SetKeyboardFocusHere(-1);
  const std::string points = withPoints(length_.data());
  char* end = nullptr;
  const double mm = std::strtod(points.c_str(), &end);
  const bool fine = end != points.c_str() && *end == '\0' && std::isfinite(mm) && mm > 0;
  constexpr const char* kProblem = "Enter a number above 0, such as 100 or 12.5";
  if (!fine && length_[0] != '\0')
    dialogProblem("length_problem", kProblem, false);
  else
    ImGui::Dummy(ImGui::CalcTextSize(kProblem));  // keeps the room, so that the dialog never moves
  const bool can = fine && length;
  const bool ok = button("length_ok", "Set the scale", "", {}, can) || (entered && can);
  ImGui::SameLine();
  const bool stops = button("length_close", "Close") || dialogEscaped();
  if (ok) measuring_.setLength(mm);
  if (ok || stops) {
    measuring_.forgetLength();
    asks_ = false;
  }
  endDialog(!asks_);
}

void MeasurePanel::drawTools() {
  for (const ToolOf& one : kTools) {
    if (one.tool != MeasureTool::distance) ImGui::SameLine();
    const bool chosen = measuring_.tool() == one.tool;
    if (chosen)
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    if (button(one.name, one.label, fmt::format("{} ({})", one.about, keysOf(one.action))))
      perform(one.action);
    if (chosen) ImGui::PopStyleColor();
  }
}

void MeasurePanel::drawList(const WindowModel& model) {
  drawTools();
  const auto& scales = model.editor.edits().mmPerPx;
  const auto& measures = measuring_.measures();
  if (measures.empty() && scales.empty())
    faint("Measures follow their markers and are saved beside the recording.");
  ImGui::BeginChild("measures");
  std::optional<size_t> dropped, unscaled;
  const auto ofCamera = [&](CameraIndex camera) {
    return model.cameras() > 1 ? fmt::format("camera {}: ", camera) : std::string();
  };
  for (const auto& [camera, mm] : scales) {
    if (removableLine(fmt::format("scale_drop:{}", camera),
                      "Removes this scale; Ctrl+Z brings it back", kText,
                      ofCamera(camera) + fmt::format("{:.4g} mm a pixel", mm)))
      unscaled = camera.value();
  }
  for (size_t i = 0; i < measures.size(); ++i) {
    const MeasureReading& reading = measuring_.readings()[i];
    const std::string words =
        fmt::format("{}{} {}: {}", ofCamera(measures[i].camera),
                    measures[i].kind == output::MeasureKind::angle ? "angle" : "from",
                    measuring_.between(measures[i]), reading.words);
    if (removableLine(fmt::format("measure_drop:{}", i),
                      "Removes this measure; Ctrl+Z brings it back", reading.value ? kText : kFaint,
                      words))
      dropped = i;
  }
  ImGui::EndChild();
  if (dropped) measuring_.remove(*dropped);
  if (unscaled) measuring_.dropScale(*unscaled);
}

void MeasurePanel::describe(nlohmann::json& to) const {
  to["asks_length"] = asks_;
}

}  // namespace glint::ui
