#include "ui/panels/curves.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/curve_field.h"

namespace glint::ui {
namespace {

constexpr std::array kQuantities{"x", "y", "speed"};
// Font sizes.
constexpr float kUsual = 13, kLeastHeight = 7;
/// Fewer columns a frame than this, and a curve is drawn from point to point.
constexpr double kApartColumns = 0.5;
/// Frames so many px apart have a dot each.
constexpr float kDots = 6;

constexpr ImU32 kField = IM_COL32(14, 16, 20, 255);

}  // namespace

void zoomByWheel(TimeZoom& zoom, const Scale& scale, uint64_t last) {
  const ImGuiIO& io = ImGui::GetIO();
  constexpr double kStep = 1.25, kMove = 0.1;
  const auto frames = static_cast<double>(scale.last - scale.first);
  const float side = io.KeyShift && io.MouseWheelH == 0 ? io.MouseWheel : io.MouseWheelH;
  if (side != 0) {
    zoom.moveBy(-kMove * frames * static_cast<double>(side), last);
  } else if (io.MouseWheel != 0) {
    const double share = std::clamp((io.MousePos.x - scale.x) / scale.width, 0.0F, 1.0F);
    zoom.zoomBy(std::pow(kStep, io.MouseWheel), static_cast<double>(scale.first) + share * frames,
                last);
  }
}

float CurvesPanel::heightIn(float room) const {
  const float em = ImGui::GetFontSize();
  if (!on) return 0;
  if (height <= 0) return std::round(std::min(std::max(em * kUsual, room * 0.28F), room * 0.45F));
  return std::round(std::clamp(height, std::min(em * kLeastHeight, room * 0.45F), room * 0.7F));
}

std::vector<Quantity> CurvesPanel::shown() const {
  std::vector<Quantity> all;
  for (size_t i = 0; i < kQuantities.size(); ++i)
    if (wanted_[i]) all.push_back(static_cast<Quantity>(i));
  return all;
}

/// mm where all cameras have a scale, and they are wanted.
void CurvesPanel::chooseUnits(const WindowModel& model, CurveField& field) const {
  const auto& scales = model.editor.edits().mmPerPx;
  const bool mm = mm_ && std::all_of(series_.begin(), series_.end(), [&](const auto& series) {
                    return scales.contains(series.camera);
                  });
  for (const TrackSeries& series : series_)
    field.units.push_back(mm ? scales.at(series.camera) : 1);
  field.unit = mm ? "mm" : "px";
}

void CurvesPanel::look(const WindowModel& model, const ViewState& looks) {
  std::vector<std::pair<CameraIndex, TrackId>> tracks;
  for (const Selection& one : looks.more) tracks.emplace_back(CameraIndex(one.camera), one.track);
  if (looks.selected)
    tracks.emplace_back(CameraIndex(looks.selected->camera), looks.selected->track);
  const auto& history = model.editor.known();
  if (history == history_ && model.editor.revision() == revision_ && tracks == tracks_) return;
  history_ = history;
  revision_ = model.editor.revision();
  tracks_ = tracks;
  ++looked_;
  static const EditedTracks none;
  series_ = history_ ? seriesOf(*history_, model.editor.applied() ? *model.editor.applied() : none,
                                tracks_)
                     : std::vector<TrackSeries>();
}

/// As many as there are px, but for many curves on a CPU, which draws too many bars too slowly.
size_t CurvesPanel::columnsOf(const CurveField& field) const {
  constexpr size_t kMostBars = 20'000, kWidest = 3;
  const auto width = static_cast<size_t>(std::max(1.0F, field.scale.width));
  if (field.smooth) return width;
  const size_t bars = width * series_.size() * shown().size();
  return width / std::clamp<size_t>((bars + kMostBars - 1) / kMostBars, 1, kWidest);
}

void CurvesPanel::measure(const TimeAxis& axis) {
  if (axis.first == axis_.first && axis.frames == axis_.frames && axis.columns == axis_.columns &&
      measured_ == looked_)
    return;
  axis_ = axis;
  measured_ = looked_;
  for (size_t q = 0; q < kQuantities.size(); ++q) {
    columns_[q].clear();
    for (const TrackSeries& series : series_)
      columns_[q].push_back(curveColumns(axis, series.points, static_cast<Quantity>(q)));
  }
}

/// What is shown, in which units, and the tracks' names.
void CurvesPanel::drawHead(const WindowModel& model, const Actions& actions) {
  for (size_t i = 0; i < kQuantities.size(); ++i) {
    checkbox(fmt::format("curve_{}", kQuantities[i]), kQuantities[i], wanted_[i]);
    ImGui::SameLine();
  }
  if (button("curve_time", frames_ ? "frames###time" : "seconds###time", "Along the time axis"))
    frames_ = !frames_;
  ImGui::SameLine();
  if (!model.editor.edits().mmPerPx.empty()) {
    if (button("curve_unit", mm_ ? "mm###unit" : "px###unit", "Of places and speeds")) mm_ = !mm_;
    ImGui::SameLine();
  }
  if (button("curve_close", "Close", fmt::format("({})", keysOf(Action::curves))))
    actions.perform(Action::curves);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - 16;
  for (const TrackSeries& series : series_) {
    const std::string name = model.editor.nameOf(series.track);
    const float after = ImGui::GetItemRectMax().x + ImGui::GetFontSize();
    if (after + ImGui::CalcTextSize(name.c_str()).x > right) break;
    ImGui::SameLine(0, ImGui::GetFontSize());
    text(colourOfTrack(series.track), name);
  }
}

/// From point to point, as far as no frame is missing.
void CurvesPanel::drawLine(const CurveField& field, size_t series) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImDrawListFlags before = list.Flags;
  if (!field.smooth) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  const ImU32 colour = colourOfTrack(series_[series].track);
  const TimeAxis axis{axis_.first > 0 ? axis_.first - 1 : 0, axis_.frames + 2, axis_.columns};
  const auto points = pointsIn(axis, series_[series].points);
  const float apart =
      field.scale.width / static_cast<float>(std::max<uint64_t>(1, axis_.frames - 1));
  const auto first = static_cast<double>(field.scale.first);
  const auto at = [&](const SeriesPoint& point) {
    const double frame = static_cast<double>(point.set.value()) - first;
    const double value = field.units[series] * point.value[static_cast<size_t>(field.quantity)];
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

/// The values of each column, from the least to the most; neighbours alike in one piece.
void CurvesPanel::drawCurve(const CurveField& field, size_t series) {
  const auto& columns = columns_[static_cast<size_t>(field.quantity)][series];
  if (static_cast<double>(axis_.frames) < kApartColumns * static_cast<double>(axis_.columns) ||
      axis_.frames < axis_.columns)
    return drawLine(field, series);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = colourOfTrack(series_[series].track);
  const double unitHere = field.units[series];
  const float thick = std::max(1.0F, std::round(1.5F * unit()));
  struct Bar {
    float top = 0, bottom = 0;
    bool any = false;
    bool operator==(const Bar&) const = default;
  };
  const auto barOf = [&](size_t i) {
    const CurveColumn& column = columns[i];
    if (!column.any) return Bar{};
    double least = column.least, most = column.most;
    if (i > 0 && column.joined && columns[i - 1].any) {  // as far as the one before reaches
      least = std::min<double>(least, columns[i - 1].last);
      most = std::max<double>(most, columns[i - 1].last);
    }
    const float top = std::round(field.of(unitHere * most));
    return Bar{top, std::max(std::round(field.of(unitHere * least)), top + thick), true};
  };
  const float wide = field.scale.width / static_cast<float>(columns.size());
  Bar bar, next = barOf(0);
  for (size_t i = 0; i < columns.size();) {
    bar = next;
    size_t end = i + 1;
    while (end < columns.size() && (next = barOf(end)) == bar) ++end;
    if (bar.any) {
      list.AddRectFilled({field.scale.x + wide * static_cast<float>(i), bar.top},
                         {field.scale.x + wide * static_cast<float>(end), bar.bottom}, colour);
      }
    i = end;
  }
}

void CurvesPanel::drawField(const CurveField& field) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect& place = field.place;
  const float em = ImGui::GetFontSize();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height}, kField);
  list.PushClipRect({place.x, place.y}, {place.x + place.width, place.y + place.height}, true);
  const double step =
      markStep(std::max(1e-6, (field.most - field.least) * 1.3 * em / place.height));
  std::vector<std::pair<ImVec2, std::string>> marks;
  for (double value = std::ceil(field.least / step) * step; value <= field.most; value += step) {
    const float y = std::round(field.of(value));
    list.AddLine({place.x, y}, {place.x + place.width, y}, CurveField::kGrid);
    if (place.height < em) continue;
    const float top = std::clamp(y - em / 2, place.y, place.y + place.height - em);
    marks.push_back({{place.x + 3, std::round(top)}, markText(value, step)});
  }
  for (size_t i = 0; i < series_.size(); ++i) drawCurve(field, i);
  for (const auto& [at, words] : marks) {
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    list.AddRectFilled({at.x - 2, at.y}, {at.x + size.x + 2, at.y + size.y}, kField);
    list.AddText(at, kFaint, words.c_str());
  }
  const std::string name = fmt::format("{}, {}{}", kQuantities[static_cast<size_t>(field.quantity)],
                                       field.unit, field.quantity == Quantity::speed ? "/s" : "");
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const ImVec2 at{place.x + place.width - size.x - 4, place.y + 1};
  list.AddRectFilled({at.x - 3, at.y}, {at.x + size.x + 3, at.y + size.y},
                     IM_COL32(14, 16, 20, 170));
  list.AddText(at, kText, name.c_str());
  list.PopClipRect();
  namePlace(fmt::format("curve_field:{}", kQuantities[static_cast<size_t>(field.quantity)]), place);
}

/// Whether there is nothing to draw, which it says.
bool CurvesPanel::drawEmpty(const WindowModel& model) const {
  const bool any = std::any_of(series_.begin(), series_.end(),
                               [](const TrackSeries& one) { return !one.points.empty(); });
  if (any) return false;
  if (model.editor.known())
    faint("Click a marker, or a row of the tab Tracks; with Ctrl, several.");
  else
    faint(model.state.canSeek ? "The tracks of the whole recording are being sought ..."
                              : "Only tracks of recordings are drawn over their length.");
  named("curves_empty");
  return true;
}

/// The values of all series that are shown, with some room beyond.
void CurvesPanel::fit(CurveField& field) const {
  bool first = field.quantity != Quantity::speed;  // which begins at 0
  field.least = field.most = 0;
  for (size_t i = 0; i < series_.size(); ++i)
    for (const CurveColumn& column : columns_[static_cast<size_t>(field.quantity)][i]) {
      if (!column.any) continue;
      const double least = field.units[i] * column.least, most = field.units[i] * column.most;
      field.least = first ? least : std::min(field.least, least);
      field.most = first ? most : std::max(field.most, most);
      first = false;
    }
  const double room = std::max(0.08 * (field.most - field.least), 0.02);
  field.least -= room;
  field.most += room;
}

/// The mouse over all fields, ImGui's last item.
void CurvesPanel::handleMouse(const WindowModel& model, const Scale& scale, uint64_t last,
                              Player& player, TimeZoom& zoom) {
  if (ImGui::IsItemHovered()) zoomByWheel(zoom, scale, last);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom.reset();
  if (!ImGui::IsItemActive() || !model.state.canSeek) return;
  if (player.playing()) player.togglePlay();
  player.scrub(scale.at(ImGui::GetIO().MousePos.x));
}

void CurvesPanel::draw(const WindowModel& model, const ViewState& looks, Player& player,
                       TimeZoom& zoom, const Actions& actions, const Rect& place) {
  told_.clear();
  if (place.height <= 0) return;
  drawEdge(place);
  const Area area("curves", place);
  look(model, looks);
  drawHead(model, actions);
  const auto last = player.lastFrame();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bottom = place.y + place.height - ImGui::GetFontSize() - 6;
  if (drawEmpty(model) || !last || bottom < at.y + 8) return;
  const TimeZoom::Range range = zoom.range(*last);
  const Rect whole{at.x, at.y, place.width - 16, bottom - at.y};
  CurveField field{.place = whole,
                   .scale = {at.x + kTimeInset, whole.width - 2 * kTimeInset, range.first,
                             std::max(range.first + 1, range.last)}};
  field.smooth = looks.overlay.smoothLines;
  chooseUnits(model, field);
  measure({range.first, range.last - range.first + 1, columnsOf(field)});
  ImGui::InvisibleButton("fields", {whole.width, whole.height});
  namePlace("curves", {field.scale.x, whole.y, field.scale.width, whole.height});
  const bool hovered = ImGui::IsItemHovered();
  handleMouse(model, field.scale, *last, player, zoom);
  const auto quantities = shown();
  const float gap = 3, number = static_cast<float>(std::max<size_t>(1, quantities.size()));
  const float each = std::floor((whole.height + gap) / number);
  for (size_t i = 0; i < quantities.size(); ++i) {
    field.quantity = quantities[i];
    field.place = {whole.x, whole.y + each * static_cast<float>(i), whole.width, each - gap};
    fit(field);
    drawField(field);
  }
  field.place = whole;
  drawTimes(model, field, bottom);
  const uint64_t frame = player.frame();
  if (frame >= range.first && frame <= range.last) {
    const float x = field.scale.of(frame);
    ImGui::GetWindowDrawList()->AddLine({x, whole.y}, {x, bottom}, IM_COL32(255, 255, 255, 160));
  }
  if (hovered && !quantities.empty()) tell(model, field, whole.y, bottom);
}

}  // namespace glint::ui
