// The data of curves: tracks and measures, their units, and their values in each column.
#include <algorithm>

#include "ui/draw/widgets.h"
#include "ui/panels/curve_field.h"
#include "ui/panels/curves.h"

namespace glint::ui {
namespace {

/// Returns the colour of a measure. The first one has the colour of measures over the image.
ImU32 colourOfMeasure(size_t number) {
  return number == 0 ? IM_COL32_WHITE : colourOfTrack(TrackId(number - 1));
}

}  // namespace

const std::vector<shell::SeriesPoint>& CurvesPanel::pointsOf(CurveKind kind,
                                                             const Curve& curve) const {
  return isOfMeasures(kind) ? measures_[curve.series] : series_[curve.series].points;
}

/// Chooses mm if they are wanted and all cameras have a scale, otherwise px.
void CurvesPanel::chooseUnits(const WindowModel& model, CurveField& field) {
  const auto& scales = model.editor.edits().mmPerPx;
  const bool mm = mm_ && std::all_of(curves_.begin(), curves_.end(), [&](const auto& curves) {
                    return std::all_of(curves.begin(), curves.end(), [&](const Curve& curve) {
                      return scales.contains(curve.camera);
                    });
                  });
  for (size_t i = 0; i < kCurveKinds; ++i)
    for (Curve& curve : curves_[i])
      curve.unit =
          mm && static_cast<CurveKind>(i) != CurveKind::angle ? scales.at(curve.camera) : 1;
  field.unit = mm ? "mm" : "px";
}

void CurvesPanel::readSelected(const WindowModel& model, const ViewState& viewState) {
  std::vector<std::pair<CameraIndex, TrackId>> tracks;
  for (const Selection& one : viewState.more)
    tracks.emplace_back(CameraIndex(one.camera), one.track);
  if (viewState.selected)
    tracks.emplace_back(CameraIndex(viewState.selected->camera), viewState.selected->track);
  const auto& history = model.editor.known();
  const uint64_t made = model.editor.history().revision();
  if (history == history_ && model.editor.revision() == revision_ && made == madeRevision_ &&
      tracks == tracks_)
    return;
  history_ = history;
  revision_ = model.editor.revision();
  madeRevision_ = made;
  tracks_ = tracks;
  ++contents_;
  for (auto& curves : curves_) curves.clear();
  series_.clear();
  measures_.clear();
  if (!history_) return;
  readAll(model);
  for (const CurveKind kind : {CurveKind::x, CurveKind::y, CurveKind::speed})
    for (size_t i = 0; i < series_.size(); ++i)
      curvesOf(kind).push_back({.name = model.editor.nameOf(series_[i].track),
                                .colour = colourOfTrack(series_[i].track),
                                .camera = series_[i].camera,
                                .series = i});
}

/// Reads the rows of the selected tracks, and the values of measures in each frame. Takes only
/// measures all of whose tracks are found, and of which at least one point moves.
void CurvesPanel::readAll(const WindowModel& model) {
  const Measuring& measuring = model.measuring;
  auto wanted = tracks_;
  std::vector<const output::ImageMeasure*> found;
  for (const output::ImageMeasure& measure : measuring.measures()) {
    std::vector<std::pair<CameraIndex, TrackId>> own;
    const bool all = std::ranges::all_of(measure.points, [&](const output::MeasurePoint& point) {
      const auto track = measuring.trackOf(measure.camera, point);
      if (track) own.emplace_back(measure.camera, *track);
      return track || !point.frame;
    });
    if (!all || own.empty()) continue;
    found.push_back(&measure);
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  static const output::EditedTracks none;
  auto all =
      shell::seriesOf(*history_, model.editor.applied() ? *model.editor.applied() : none, wanted);
  auto next = all.begin() + static_cast<std::ptrdiff_t>(tracks_.size());
  series_.assign(all.begin(), next);
  for (const output::ImageMeasure* measure : found) {
    std::vector<shell::MeasureEnd> ends;
    for (const output::MeasurePoint& point : measure->points) {
      if (point.frame)
        ends.emplace_back(std::move(*next++));
      else
        ends.emplace_back(output::MeasurePlace{point.x, point.y});
    }
    const bool angle = measure->kind == output::MeasureKind::angle;
    curvesOf(angle ? CurveKind::angle : CurveKind::distance)
        .push_back({.name = measuring.between(*measure),
                    .colour = colourOfMeasure(measures_.size()),
                    .camera = measure->camera,
                    .series = measures_.size()});
    measures_.push_back(shell::measureSeries(measure->kind, ends));
  }
}

/// Returns the number of columns: one for each px, or fewer for many curves on a CPU, which would
/// draw too many bars too slowly.
size_t CurvesPanel::columnsOf(const CurveField& field) const {
  constexpr size_t kMostBars = 20'000, kWidest = 3;
  const auto width = static_cast<size_t>(std::max(1.0F, field.scale.width));
  if (field.smooth) return width;
  size_t bars = 0;
  for (const CurveKind kind : shown()) bars += width * curvesOf(kind).size();
  return width / std::clamp<size_t>((bars + kMostBars - 1) / kMostBars, 1, kWidest);
}

void CurvesPanel::measure(const shell::TimeAxis& axis) {
  if (axis.first == axis_.first && axis.frames == axis_.frames && axis.columns == axis_.columns &&
      measured_ == contents_)
    return;
  axis_ = axis;
  measured_ = contents_;
  for (size_t i = 0; i < kCurveKinds; ++i) {
    const auto kind = static_cast<CurveKind>(i);
    for (Curve& curve : curves_[i])
      curve.columns = shell::curveColumns(axis, pointsOf(kind, curve), quantityOf(kind));
  }
}

}  // namespace glint::ui
