// The time along the curves: its marks, and the values of tracks in the frame under the cursor.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/curve_field.h"
#include "ui/panels/curves.h"

namespace glint::ui {
namespace {

/// Returns the time of a set, s, as its source says. The times of sets that are not known yet
/// follow at the recording's rate.
double timeOf(const session::TrackHistory& history, CameraIndex camera, uint64_t set, double rate) {
  const uint64_t known = std::max<uint64_t>(1, history.measured());
  const auto frame = history.frame(camera, SetIndex(std::min(set, known - 1)));
  const double time = frame ? frame->time : 0;
  return set < known ? time : time + static_cast<double>(set - known + 1) / rate;
}

/// Returns the place of a time between the sets `first` and `last`, in sets.
double setAt(const session::TrackHistory& history, CameraIndex camera, double time, uint64_t first,
             uint64_t last, double rate) {
  while (last > first + 1) {
    const uint64_t middle = first + (last - first) / 2;
    (timeOf(history, camera, middle, rate) <= time ? first : last) = middle;
  }
  const double from = timeOf(history, camera, first, rate);
  const double to = timeOf(history, camera, last, rate);
  const double share = to > from ? (time - from) / (to - from) : 0;
  return static_cast<double>(first) + share * static_cast<double>(last - first);
}

}  // namespace

std::string markText(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0 : value, digits);
}

/// Draws the marks of the time through the fields and below them.
void CurvesPanel::drawTimes(const WindowModel& model, const CurveField& field, float bottom) {
  if (!history_) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const Scale& scale = field.scale;
  const CameraIndex camera = firstCamera();
  const double from = frames_ ? static_cast<double>(scale.first)
                              : timeOf(*history_, camera, scale.first, model.rate());
  const double to = frames_ ? static_cast<double>(scale.last)
                            : timeOf(*history_, camera, scale.last, model.rate());
  if (!(to > from)) return;
  const double room = static_cast<double>(4.5F * em / scale.width);
  const double step = shell::markStep(std::max(frames_ ? 1.0 : 1e-6, (to - from) * room));
  float free = scale.x;  // px, the place beyond which there is room for words
  for (double value = std::ceil(from / step) * step; value <= to; value += step) {
    const double set =
        frames_ ? value : setAt(*history_, camera, value, scale.first, scale.last, model.rate());
    const double share = (set - static_cast<double>(scale.first)) /
                         static_cast<double>(std::max<uint64_t>(1, scale.last - scale.first));
    const float x = std::round(scale.x + scale.width * static_cast<float>(share));
    list.AddLine({x, field.place.y}, {x, bottom}, CurveField::kGrid);
    const std::string words = markText(value, step) + (frames_ ? "" : " s");
    const float wide = ImGui::CalcTextSize(words.c_str()).x;
    const float left = std::clamp(x - wide / 2, scale.x, scale.x + scale.width - wide);
    if (left < free) continue;
    list.AddText({left, bottom + 1}, kFaint, words.c_str());
    free = left + wide + em * 0.6F;
  }
}

/// Returns the camera whose times are shown.
CameraIndex CurvesPanel::firstCamera() const {
  for (const auto& curves : curves_)
    if (!curves.empty()) return curves.front().camera;
  return {};
}

/// Draws a line through the fields at the frame under the cursor, and a tooltip with the values of
/// each track and measure there.
void CurvesPanel::drawTooltip(const WindowModel& model, const CurveField& field, float top,
                              float bottom) {
  const uint64_t frame = field.scale.at(ImGui::GetIO().MousePos.x);
  const float x = field.scale.of(frame);
  ImGui::GetWindowDrawList()->AddLine({x, top}, {x, bottom}, IM_COL32(255, 255, 255, 90));
  const CameraIndex camera = firstCamera();
  ImGui::BeginTooltip();
  tooltip_ = fmt::format("frame {}, {:.3f} s", frame,
                         history_ ? timeOf(*history_, camera, frame, model.rate()) : 0);
  ImGui::TextUnformatted(tooltip_.c_str());
  for (const Curve& curve : curvesOf(CurveKind::x)) {
    const shell::SeriesPoint* point =
        shell::pointAt(pointsOf(CurveKind::x, curve), SetIndex(frame));
    std::string words = curve.name + ": ";
    if (point) {
      const double u = curve.unit;
      const char* unit = lengthUnit(CurveKind::x);
      words += fmt::format("x {:.2f}  y {:.2f} ", u * point->value[0], u * point->value[1]);
      if (showsPoints_) words += fmt::format(" z {:.2f} ", u * point->value[2]);
      words += fmt::format("{}  speed {:.1f} {}/s{}", unit, u * point->value[3], unit,
                           point->measured ? "" : "  expected");
    } else {
      words += "not there";
    }
    text(curve.colour, words);
    tooltip_ += "; " + words;
  }
  for (const CurveKind kind : {CurveKind::distance, CurveKind::angle})
    for (const Curve& curve : curvesOf(kind)) {
      const shell::SeriesPoint* point = shell::pointAt(measures_[curve.series], SetIndex(frame));
      std::string words = curve.name + ": not there";
      if (point)
        words = fmt::format("{}: {:.{}f}{}", curve.name, curve.unit * point->value[0],
                            kind == CurveKind::angle ? 1 : 2,
                            kind == CurveKind::angle ? "\u00b0" : fmt::format(" {}", imageUnit_));
      text(curve.colour, words);
      tooltip_ += "; " + words;
    }
  ImGui::EndTooltip();
}

/// Draws the edge by which the panel is made higher or lower.
void CurvesPanel::drawEdge(Layout& layout) const {
  const Rect& place = layout.places.curves;
  const float half = std::round(3 * unit());
  const Area area("curves_edge", {place.x, place.y - half, place.width, 2 * half}, 0, 0);
  ImGui::InvisibleButton("edge", {place.width, 2 * half});
  named("curves_edge");
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive())
    layout.curvesHeight = (place.height - ImGui::GetIO().MouseDelta.y) / ImGui::GetFontSize();
}

}  // namespace glint::ui
