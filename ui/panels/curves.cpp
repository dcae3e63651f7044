#include "ui/panels/curves.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"
#include "ui/panels/curve_field.h"

namespace glint::ui {
namespace {

constexpr std::array<const char*, kCurveKinds> kCurveNames{"x",     "y",        "z",
                                                           "speed", "distance", "angle"};

std::string unitOf(const CurveField& field) {
  if (field.kind == CurveKind::angle) return "\u00b0";
  return field.kind == CurveKind::speed ? fmt::format("{}/s", field.unit) : field.unit;
}

// Heights in font sizes: three fields, each further field, and the smallest panel.
constexpr float kUsual = 13, kMoreEach = 3, kLeast = 7;  // kMoreEach: a field beyond three
constexpr float kName = 16;  // the widest name of a track or measure, font sizes
/// The largest number of columns for each frame at which a curve is drawn as bars. Above it, the
/// curve is drawn from point to point.
constexpr double kApartColumns = 0.5;
/// The smallest distance of frames, px, at which each one gets a dot.
constexpr float kDots = 6;

constexpr ImU32 kField = IM_COL32(14, 16, 20, 255);

}  // namespace

float CurvesPanel::heightIn(const Layout& layout, float room) const {
  const float em = ImGui::GetFontSize(), height = layout.curvesHeight * em;
  if (!layout.curves) return 0;
  const auto fields = static_cast<float>(std::max<size_t>(3, shown().size()));
  const float usual = em * (kUsual + kMoreEach * (fields - 3));
  if (height <= 0) return std::round(std::min(std::max(usual, room * 0.28F), room * 0.45F));
  return std::round(std::clamp(height, std::min(em * kLeast, room * 0.45F), room * 0.7F));
}

std::vector<CurveKind> CurvesPanel::shown() const {
  std::vector<CurveKind> all;
  for (size_t i = 0; i < kCurveKinds; ++i)
    if (wanted_[i] && !curves_[i].empty()) all.push_back(static_cast<CurveKind>(i));
  return all;
}

/// Draws the choice of curves and units, and the names of tracks and measures.
void CurvesPanel::drawHead(Context& context) {
  for (size_t i = 0; i < kCurveKinds; ++i) {
    const auto kind = static_cast<CurveKind>(i);
    const bool always = !isOfMeasures(kind) && kind != CurveKind::z;
    if (!always && curves_[i].empty()) continue;
    checkbox(fmt::format("curve_{}", kCurveNames[i]), kCurveNames[i], wanted_[i]);
    ImGui::SameLine();
  }
  if (button("curve_time", frames_ ? "frames###time" : "seconds###time", "Along the time axis"))
    frames_ = !frames_;
  ImGui::SameLine();
  if (!context.model.editor.edits().mmPerPx.empty()) {
    if (button("curve_unit", mm_ ? "mm###unit" : "px###unit", "Unit of positions and speeds"))
      mm_ = !mm_;
    ImGui::SameLine();
  }
  if (!chosen_.empty() && !tracks_.empty()) {
    if (button("curve_space", inSpace_ ? "in space###space" : "in the image###space",
               "Curves of the selected points in space, or of the tracks"))
      inSpace_ = !inSpace_;
    ImGui::SameLine();
  }
  if (button("curve_close", "Close", fmt::format("({})", keysOf(Action::curves))))
    context.actions.perform(Action::curves);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - 16;
  for (const CurveKind kind : {CurveKind::x, CurveKind::distance, CurveKind::angle})
    for (const Curve& curve : curvesOf(kind)) {
      const float after = ImGui::GetItemRectMax().x + ImGui::GetFontSize();
      const std::string name = endThatFits(curve.name, kName * ImGui::GetFontSize());
      if (after + ImGui::CalcTextSize(name.c_str()).x > right) return;
      ImGui::SameLine(0, ImGui::GetFontSize());
      text(curve.colour, name);
    }
}

/// Draws a curve from point to point, interrupted where a frame is missing.
void CurvesPanel::drawLine(const CurveField& field, const Curve& curve) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImDrawListFlags before = list.Flags;
  if (!field.smooth) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  const ImU32 colour = curve.colour;
  const shell::TimeAxis axis{axis_.first > 0 ? axis_.first - 1 : 0, axis_.frames + 2,
                             axis_.columns};
  const auto points = shell::pointsIn(axis, pointsOf(field.kind, curve));
  const float apart =
      field.scale.width / static_cast<float>(std::max<uint64_t>(1, axis_.frames - 1));
  const auto first = static_cast<double>(field.scale.first);
  const auto at = [&](const shell::SeriesPoint& point) {
    const double frame = static_cast<double>(point.set.value()) - first;
    const double value = curve.unit * point.value[static_cast<size_t>(quantityOf(field.kind))];
    return ImVec2{field.scale.x + apart * static_cast<float>(frame), field.of(value)};
  };
  for (size_t i = 0; i < points.size(); ++i) {
    const bool alone = !points[i].joined && (i + 1 == points.size() || !points[i + 1].joined);
    const ImVec2 p = at(points[i]);
    if (i > 0 && points[i].joined) list.AddLine(at(points[i - 1]), p, colour, unit());
    const float dot = apart >= kDots * unit() || alone ? 1.5F * unit() : 0;
    if (dot > 0) list.AddRectFilled({p.x - dot, p.y - dot}, {p.x + dot, p.y + dot}, colour);
  }
  list.Flags = before;
}

/// Draws a curve as bars that reach from the least to the greatest value of each column. Equal
/// neighbours are drawn as one bar.
void CurvesPanel::drawCurve(const CurveField& field, const Curve& curve) {
  const auto& columns = curve.columns;
  if (static_cast<double>(axis_.frames) < kApartColumns * static_cast<double>(axis_.columns) ||
      axis_.frames < axis_.columns)
    return drawLine(field, curve);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = std::max(1.0F, std::round(1.5F * unit()));
  struct Bar {
    float top = 0, bottom = 0;
    bool any = false;
    bool operator==(const Bar&) const = default;
  };
  const auto barOf = [&](size_t i) {
    const shell::CurveColumn& column = columns[i];
    if (!column.any) return Bar{};
    double least = column.least, most = column.most;
    // Reaches to the last value of the column before.
    if (i > 0 && column.joined && columns[i - 1].any) {
      least = std::min<double>(least, columns[i - 1].last);
      most = std::max<double>(most, columns[i - 1].last);
    }
    const float top = std::round(field.of(curve.unit * most));
    return Bar{top, std::max(std::round(field.of(curve.unit * least)), top + thick), true};
  };
  const float wide = field.scale.width / static_cast<float>(columns.size());
  Bar bar, next = barOf(0);
  for (size_t i = 0; i < columns.size();) {
    bar = next;
    size_t end = i + 1;
    while (end < columns.size() && (next = barOf(end)) == bar) ++end;
    if (bar.any) {
      list.AddRectFilled({field.scale.x + wide * static_cast<float>(i), bar.top},
                         {field.scale.x + wide * static_cast<float>(end), bar.bottom},
                         curve.colour);
    }
    i = end;
  }
}

void CurvesPanel::drawField(const CurveField& field) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect& place = field.place;
  const float em = ImGui::GetFontSize();
  list.AddRectFilled(upperLeft(place), lowerRight(place), kField);
  list.PushClipRect(upperLeft(place), lowerRight(place), true);
  const double step =
      shell::markStep(std::max(1e-6, (field.most - field.least) * 1.3 * em / place.height));
  std::vector<std::pair<ImVec2, std::string>> marks;
  for (double value = std::ceil(field.least / step) * step; field.any && value <= field.most;
       value += step) {
    const float y = std::round(field.of(value));
    list.AddLine({place.x, y}, {place.x + place.width, y}, CurveField::kGrid);
    if (place.height < em) continue;
    const float top = std::clamp(y - em / 2, place.y, place.y + place.height - em);
    marks.push_back({{place.x + 3, std::round(top)}, markText(value, step)});
  }
  for (const Curve& curve : curvesOf(field.kind)) drawCurve(field, curve);
  for (const auto& [at, words] : marks) {
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    list.AddRectFilled({at.x - 2, at.y}, {at.x + size.x + 2, at.y + size.y}, kField);
    list.AddText(at, kFaint, words.c_str());
  }
  const char* kind = kCurveNames[static_cast<size_t>(field.kind)];
  const std::string name = fmt::format("{}, {}", kind, unitOf(field));
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const ImVec2 at{place.x + place.width - size.x - 4, place.y + 1};
  list.AddRectFilled({at.x - 3, at.y}, {at.x + size.x + 3, at.y + size.y}, withAlpha(kField, 0.9F));
  list.AddText(at, kText, name.c_str());
  list.PopClipRect();
  namePlace(fmt::format("curve_field:{}", kind), place);
}

/// Says so if there is nothing to draw, and returns true.
bool CurvesPanel::drawEmpty(const WindowModel& model) const {
  const auto hasRows = [](const auto& one) { return !one.points.empty(); };
  const bool any = std::ranges::any_of(series_, hasRows) || std::ranges::any_of(points_, hasRows);
  if (any || !measures_.empty()) return false;
  const char* words =
      model.editor.known()
          ? "Click a marker, or a row of the tab Tracks; with Ctrl, several. Measures have curves, "
            "too."
      : model.task.stills     ? kStillsShareNothing
      : model.state().canSeek ? "Tracking the whole recording ..."
                              : "Curves over the whole length need a recording.";
  faint(words);
  namedWords("curves_empty", words);
  return true;
}

/// Sets the range of a field to the values of its curves, with a little margin.
void CurvesPanel::fit(CurveField& field) const {
  bool first = field.kind != CurveKind::speed;  // the axis of speed begins at 0
  field.any = false;
  field.least = field.most = 0;
  for (const Curve& curve : curvesOf(field.kind))
    for (const shell::CurveColumn& column : curve.columns) {
      if (!column.any) continue;
      const double least = curve.unit * column.least, most = curve.unit * column.most;
      field.least = first ? least : std::min(field.least, least);
      field.most = first ? most : std::max(field.most, most);
      first = false;
      field.any = true;
    }
  const double room = std::max(0.08 * (field.most - field.least), 0.02);
  field.least -= room;
  field.most += room;
}

/// Handles the mouse over all fields, which are ImGui's last item.
void CurvesPanel::handleMouse(Context& context, const Scale& scale, uint64_t last) {
  Player& player = context.model.player;
  shell::TimeZoom& zoom = context.viewState.zoom;
  if (ImGui::IsItemHovered()) zoomByWheel(zoom, scale, last);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom.reset();
  if (!ImGui::IsItemActive() || !player.state().canSeek) return;
  if (player.playing()) player.togglePlay();
  player.scrub(scale.at(ImGui::GetIO().MousePos.x));
}

void CurvesPanel::draw(Context& context) {
  const WindowModel& model = context.model;
  const Rect& place = context.layout.places.curves;
  tooltip_.clear();
  if (place.height <= 0) return;
  drawEdge(context.layout);
  const Area area("curves", place);
  readSelected(model, context.viewState);
  drawHead(context);
  const auto last = model.player.lastFrame();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bottom = place.y + place.height - ImGui::GetFontSize() - 6;
  if (drawEmpty(model) || !last || bottom < at.y + 8) return;
  const shell::TimeZoom::Range range = context.viewState.zoom.range(*last);
  const Rect whole{at.x, at.y, place.width - 2 * wholePx(8), bottom - at.y};
  CurveField field{.place = whole,
                   .scale = {at.x + timeInset(), whole.width - 2 * timeInset(), range.first,
                             std::max(range.first + 1, range.last)}};
  field.smooth = context.viewState.overlay.smoothLines;
  chooseUnits(model);
  measure({range.first, range.last - range.first + 1, columnsOf(field)});
  ImGui::InvisibleButton("fields", {whole.width, whole.height});
  namePlace("curves", {field.scale.x, whole.y, field.scale.width, whole.height});
  const bool hovered = ImGui::IsItemHovered();
  handleMouse(context, field.scale, *last);
  const auto kinds = shown();
  const float gap = 3, number = static_cast<float>(std::max<size_t>(1, kinds.size()));
  const float each = std::floor((whole.height + gap) / number);
  for (size_t i = 0; i < kinds.size(); ++i) {
    field.kind = kinds[i];
    field.unit = lengthUnit(field.kind);
    field.place = {whole.x, whole.y + each * static_cast<float>(i), whole.width, each - gap};
    fit(field);
    drawField(field);
  }
  field.place = whole;
  drawTimes(model, field, bottom);
  const uint64_t frame = model.player.frame();
  if (frame >= range.first && frame <= range.last) {
    const float x = field.scale.of(frame);
    ImGui::GetWindowDrawList()->AddLine({x, whole.y}, {x, bottom}, IM_COL32(255, 255, 255, 160));
  }
  if (hovered && !kinds.empty()) drawTooltip(model, field, whole.y, bottom);
}

void CurvesPanel::describe(nlohmann::json& to) const {
  to["curves_told"] = tooltip_;
  to["curves_of"] = nlohmann::json::array();  // track, points
  for (const shell::TrackSeries& series : series_)
    to["curves_of"].push_back({series.track.value(), series.points.size()});
  to["curves_of_points"] = nlohmann::json::array();  // point, rows
  for (const shell::PointSeries& series : points_)
    to["curves_of_points"].push_back({series.point, series.points.size()});
  to["curves_of_measures"] = measures_.size();
}

}  // namespace glint::ui
