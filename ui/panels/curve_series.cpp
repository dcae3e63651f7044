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
  if (isOfMeasures(kind)) return measures_[curve.series];
  return showsPoints_ ? points_[curve.series].points : series_[curve.series].points;
}

/// Chooses mm in images if they are wanted and all cameras have a scale, otherwise px. Points in
/// space are always in mm.
void CurvesPanel::chooseUnits(const WindowModel& model) {
  const auto& scales = model.editor.edits().mmPerPx;
  const auto isInImage = [&](size_t i) {
    return !showsPoints_ || isOfMeasures(static_cast<CurveKind>(i));
  };
  bool mm = mm_;
  for (size_t i = 0; i < kCurveKinds; ++i)
    for (const Curve& curve : curves_[i])
      mm = mm && (!isInImage(i) || scales.contains(curve.camera));
  for (size_t i = 0; i < kCurveKinds; ++i)
    for (Curve& curve : curves_[i]) {
      const bool scaled = mm && isInImage(i) && static_cast<CurveKind>(i) != CurveKind::angle;
      curve.unit = scaled ? scales.at(curve.camera) : 1;
    }
  imageUnit_ = mm ? "mm" : "px";
}

void CurvesPanel::readSelected(const WindowModel& model, const ViewState& viewState) {
  std::vector<std::pair<CameraIndex, TrackId>> tracks;
  for (const Selection& one : viewState.more)
    tracks.emplace_back(CameraIndex(one.camera), one.track);
  if (viewState.selected)
    tracks.emplace_back(CameraIndex(viewState.selected->camera), viewState.selected->track);
  std::vector<uint64_t> chosen = viewState.space.group;
  if (chosen.empty() && viewState.space.point) chosen = {*viewState.space.point};
  auto space = model.tracks.space();
  if (space && !space->whole()) space.reset();
  const bool points = space && !chosen.empty() && (inSpace_ || tracks.empty());
  const auto& history = model.editor.known();
  const uint64_t made = model.editor.history().revision();
  if (history == history_ && model.editor.revision() == revision_ && made == madeRevision_ &&
      tracks == tracks_ && space == space_ && chosen == chosen_ && points == showsPoints_)
    return;
  history_ = history;
  revision_ = model.editor.revision();
  madeRevision_ = made;
  tracks_ = tracks;
  space_ = space;
  chosen_ = chosen;
  showsPoints_ = points;
  ++contents_;
  for (auto& curves : curves_) curves.clear();
  series_.clear();
  points_.clear();
  measures_.clear();
  if (!history_) return;
  readAll(model);
  readPoints();
  for (const CurveKind kind : {CurveKind::x, CurveKind::y, CurveKind::speed})
    for (size_t i = 0; i < series_.size(); ++i)
      curvesOf(kind).push_back({.name = model.editor.nameOf(series_[i].track),
                                .colour = colourOfTrack(model.tracks.colouredAs(
                                    {series_[i].camera.value(), series_[i].track})),
                                .camera = series_[i].camera,
                                .series = i});
}

/// Reads the rows of the selected points in space.
void CurvesPanel::readPoints() {
  if (!showsPoints_) return;
  points_ = shell::seriesOf(*space_, chosen_);
  for (const CurveKind kind : {CurveKind::x, CurveKind::y, CurveKind::z, CurveKind::speed})
    for (size_t i = 0; i < points_.size(); ++i)
      curvesOf(kind).push_back({.name = points_[i].name,
                                .colour = colourOfTrack(TrackId(points_[i].point)),
                                .series = i});
}

/// Reads the rows of the selected tracks, and the values of measures in each frame. Takes only
/// measures all of whose tracks are found, and of which at least one point moves.
void CurvesPanel::readAll(const WindowModel& model) {
  const Measuring& measuring = model.measuring;
  auto wanted = showsPoints_ ? decltype(tracks_)() : tracks_;
  const auto count = static_cast<std::ptrdiff_t>(wanted.size());
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
  auto next = all.begin() + count;
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
