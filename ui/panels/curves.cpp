#include "ui/panels/curves.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr std::array kQuantities{"x", "y", "speed"};
// Font sizes.
constexpr float kUsual = 13, kLeastHeight = 7;
/// Fewer columns a frame than this, and a curve is drawn from point to point.
constexpr double kApartColumns = 0.5;
/// Frames so many px apart have a dot each.
constexpr float kDots = 6;

constexpr ImU32 kGrid = IM_COL32(255, 255, 255, 22), kField = IM_COL32(14, 16, 20, 255);

/// s of a set, as its source says; those that are not known yet follow in the recording's rate.
double timeOf(const TrackHistory& history, CameraIndex camera, uint64_t set, double rate) {
  const uint64_t known = std::max<uint64_t>(1, history.measured());
  const auto frame = history.frame(camera, SetIndex(std::min(set, known - 1)));
  const double time = frame ? frame->time : 0;
  return set < known ? time : time + static_cast<double>(set - known + 1) / rate;
}

/// Where a time is between the sets from `first` to `last`, in sets.
double setAt(const TrackHistory& history, CameraIndex camera, double time, uint64_t first,
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

/// So many digits that marks `step` apart differ.
std::string markText(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0 : value, digits);
}

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

/// One quantity's place on the screen, and the values at its edges.
struct CurvesPanel::Field {
  Quantity quantity;
  Rect place;
  Scale scale;
  double rate = 30;
  double least = 0, most = 1;      // in the unit that is shown
  std::vector<double> units = {};  // a series each: how many of these a px is
  const char* unit = "px";
  bool smooth = true;

  float of(double value) const {
    const double share = (value - least) / (most - least);
    return place.y + place.height * static_cast<float>(1 - share);
  }
};

float CurvesPanel::heightIn(float room) const {
  const float em = ImGui::GetFontSize();
  if (!on) return 0;
  const float wanted = height > 0 ? height : em * kUsual;
  return std::round(std::clamp(wanted, std::min(em * kLeastHeight, room * 0.5F), room * 0.6F));
}

std::vector<Quantity> CurvesPanel::shown() const {
  std::vector<Quantity> all;
  for (size_t i = 0; i < kQuantities.size(); ++i)
    if (wanted_[i]) all.push_back(static_cast<Quantity>(i));
  return all;
}

/// mm a px where that is shown, otherwise 1.
double CurvesPanel::unitOf(const WindowModel& model, CameraIndex camera) const {
  const auto& scales = model.editor.edits().mmPerPx;
  const auto found = scales.find(camera);
  return mm_ && found != scales.end() ? found->second : 1;
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
    ImGui::SameLine(0, ImGui::GetFontSize());
    const std::string name = model.editor.nameOf(series.track);
    if (ImGui::GetCursorScreenPos().x + ImGui::CalcTextSize(name.c_str()).x > right) break;
    ImGui::AlignTextToFramePadding();
    text(colourOfTrack(series.track), name);
  }
  ImGui::NewLine();
}

/// From point to point, as far as no frame is missing.
void CurvesPanel::drawLine(const Field& field, size_t series) {
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
    ++rectangles_;
  }
  list.Flags = before;
}

/// The values of each column, from the least to the most; neighbours alike in one piece.
void CurvesPanel::drawCurve(const Field& field, size_t series) {
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
  for (size_t i = 0; i < columns.size();) {
    const Bar bar = barOf(i);
    size_t end = i + 1;
    while (end < columns.size() && barOf(end) == bar) ++end;
    if (bar.any) {
      list.AddRectFilled({field.scale.x + static_cast<float>(i), bar.top},
                         {field.scale.x + static_cast<float>(end), bar.bottom}, colour);
      ++rectangles_;
    }
    i = end;
  }
}

void CurvesPanel::drawField(const Field& field) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect& place = field.place;
  const float em = ImGui::GetFontSize();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height}, kField);
  list.PushClipRect({place.x, place.y}, {place.x + place.width, place.y + place.height}, true);
  const double step =
      markStep(std::max(1e-6, (field.most - field.least) * 1.6 * em / place.height));
  std::vector<std::pair<ImVec2, std::string>> marks;
  for (double value = std::ceil(field.least / step) * step; value <= field.most; value += step) {
    const float y = std::round(field.of(value));
    list.AddLine({place.x, y}, {place.x + place.width, y}, kGrid);
    if (y - em / 2 < place.y || y + em / 2 > place.y + place.height) continue;
    marks.push_back({{place.x + 3, y - em / 2}, markText(value, step)});
  }
  for (size_t i = 0; i < series_.size(); ++i) drawCurve(field, i);
  for (const auto& [at, words] : marks) {
    list.AddText({at.x + 1, at.y + 1}, IM_COL32(0, 0, 0, 200), words.c_str());
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

/// The marks along the time, below the fields and through them.
void CurvesPanel::drawTimes(const WindowModel& model, const Field& field, float bottom) {
  if (!history_) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const Scale& scale = field.scale;
  const CameraIndex camera = series_.empty() ? CameraIndex() : series_.front().camera;
  const double from = frames_ ? static_cast<double>(scale.first)
                              : timeOf(*history_, camera, scale.first, model.rate);
  const double to =
      frames_ ? static_cast<double>(scale.last) : timeOf(*history_, camera, scale.last, model.rate);
  if (!(to > from)) return;
  const double room = static_cast<double>(4.5F * em / scale.width);
  const double step = markStep(std::max(frames_ ? 1.0 : 1e-6, (to - from) * room));
  float free = scale.x;  // from where on there is room for words
  for (double value = std::ceil(from / step) * step; value <= to; value += step) {
    const double set =
        frames_ ? value : setAt(*history_, camera, value, scale.first, scale.last, model.rate);
    const double share = (set - static_cast<double>(scale.first)) /
                         static_cast<double>(std::max<uint64_t>(1, scale.last - scale.first));
    const float x = std::round(scale.x + scale.width * static_cast<float>(share));
    list.AddLine({x, field.place.y}, {x, bottom}, kGrid);
    const std::string words = markText(value, step) + (frames_ ? "" : " s");
    const float wide = ImGui::CalcTextSize(words.c_str()).x;
    const float left = std::clamp(x - wide / 2, scale.x, scale.x + scale.width - wide);
    if (left < free) continue;
    list.AddText({left, bottom + 1}, kFaint, words.c_str());
    free = left + wide + em * 0.6F;
  }
}

/// The frame under the cursor: a line through the fields, and what each track is there.
void CurvesPanel::tell(const WindowModel& model, const Field& field, float top, float bottom) {
  const uint64_t frame = field.scale.at(ImGui::GetIO().MousePos.x);
  const float x = field.scale.of(frame);
  ImGui::GetWindowDrawList()->AddLine({x, top}, {x, bottom}, IM_COL32(255, 255, 255, 90));
  const CameraIndex camera = series_.empty() ? CameraIndex() : series_.front().camera;
  ImGui::BeginTooltip();
  told_ = fmt::format("frame {}, {:.3f} s", frame,
                      history_ ? timeOf(*history_, camera, frame, model.rate) : 0);
  ImGui::TextUnformatted(told_.c_str());
  for (size_t i = 0; i < series_.size(); ++i) {
    const TrackSeries& series = series_[i];
    const SeriesPoint* point = series.at(SetIndex(frame));
    std::string words = model.editor.nameOf(series.track) + ": ";
    if (point) {
      const double u = field.units[i];
      words += fmt::format("x {:.2f}  y {:.2f} {}  speed {:.1f} {}/s{}", u * point->value[0],
                           u * point->value[1], field.unit, u * point->value[2], field.unit,
                           point->measured ? "" : "  expected");
    } else {
      words += "not there";
    }
    text(colourOfTrack(series.track), words);
    told_ += "; " + words;
  }
  ImGui::EndTooltip();
}

/// The edge that makes the panel higher or lower.
void CurvesPanel::drawEdge(const Rect& place) {
  const float half = std::round(3 * unit());
  const Area area("curves_edge", {place.x, place.y - half, place.width, 2 * half}, 0, 0);
  ImGui::InvisibleButton("edge", {place.width, 2 * half});
  named("curves_edge");
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) height = place.height - ImGui::GetIO().MouseDelta.y;
}

void CurvesPanel::draw(const WindowModel& model, const ViewState& looks, Player& player,
                       TimeZoom& zoom, const Actions& actions, const Rect& place) {
  told_.clear();
  rectangles_ = 0;
  if (place.height <= 0) return;
  drawEdge(place);
  const Area area("curves", place);
  look(model, looks);
  drawHead(model, actions);
  const float em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect fields{at.x, at.y, place.width - 16,
                    std::max(0.0F, place.y + place.height - at.y - em - 6)};
  const auto last = player.lastFrame();
  const bool any = std::any_of(series_.begin(), series_.end(),
                               [](const TrackSeries& one) { return !one.points.empty(); });
  if (!any || !last || fields.height < em) {
    faint(!model.editor.known()
              ? (model.state.canSeek ? "The tracks of the whole recording are being sought ..."
                                     : "Only tracks of recordings are drawn over their length.")
              : "Click a marker, or a row of the tab Tracks; with Ctrl, several.");
    named("curves_empty");
    return;
  }
  const TimeZoom::Range range = zoom.range(*last);
  const Scale scale{at.x + kTimeInset, fields.width - 2 * kTimeInset, range.first,
                    std::max(range.first + 1, range.last)};
  measure({range.first, range.last - range.first + 1,
           static_cast<size_t>(std::max(1.0F, scale.width))});
  const auto quantities = shown();
  Field field{.quantity = Quantity::x, .place = fields, .scale = scale, .rate = model.rate};
  field.smooth = looks.overlay.smoothLines;
  for (const TrackSeries& series : series_) field.units.push_back(unitOf(model, series.camera));
  const bool scaled = mm_ && std::all_of(series_.begin(), series_.end(), [&](const auto& series) {
                        return model.editor.edits().mmPerPx.contains(series.camera);
                      });
  if (!scaled) std::fill(field.units.begin(), field.units.end(), 1);
  field.unit = scaled ? "mm" : "px";
  ImGui::InvisibleButton("fields", {fields.width, fields.height});
  namePlace("curves", {scale.x, fields.y, scale.width, fields.height});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (hovered) zoomByWheel(zoom, scale, *last);
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom.reset();
  if (active && model.state.canSeek) {
    if (player.playing()) player.togglePlay();
    player.scrub(scale.at(ImGui::GetIO().MousePos.x));
  }
  const float gap = 3,
              each = std::floor((fields.height + gap) /
                                static_cast<float>(std::max<size_t>(1, quantities.size())));
  for (size_t i = 0; i < quantities.size(); ++i) {
    field.quantity = quantities[i];
    field.place = {fields.x, fields.y + each * static_cast<float>(i), fields.width, each - gap};
    bool first = true;
    for (size_t s = 0; s < series_.size(); ++s)
      for (const CurveColumn& column : columns_[static_cast<size_t>(field.quantity)][s]) {
        if (!column.any) continue;
        const double low = field.units[s] * column.least, high = field.units[s] * column.most;
        field.least = first ? low : std::min(field.least, low);
        field.most = first ? high : std::max(field.most, high);
        first = false;
      }
    const double pad = std::max(0.08 * (field.most - field.least), 0.02);
    field.least -= pad;
    field.most += pad;
    drawField(field);
  }
  field.place = fields;
  const float bottom = fields.y + fields.height;
  drawTimes(model, field, bottom);
  if (player.frame() >= range.first && player.frame() <= range.last) {
    const float x = scale.of(player.frame());
    ImGui::GetWindowDrawList()->AddLine({x, fields.y}, {x, bottom}, IM_COL32(255, 255, 255, 160));
  }
  if (hovered && !quantities.empty()) tell(model, field, fields.y, bottom);
}

}  // namespace glint::ui
