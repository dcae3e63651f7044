#include "app/shell/desk/track_series.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/output/takes/take.h"

namespace glint::shell {
namespace {

bool isBefore(const SeriesPoint& point, SetIndex set) {
  return point.set < set;
}

SeriesPoint pointOf(const motion::TrackRow& row) {
  return {.set = row.set,
          .value = {static_cast<float>(row.x), static_cast<float>(row.y), 0,
                    static_cast<float>(std::hypot(row.vx, row.vy))},
          .measured = row.state == motion::TrackState::measured};
}

}  // namespace

const SeriesPoint* pointAt(std::span<const SeriesPoint> points, SetIndex set) {
  const auto found = std::lower_bound(points.begin(), points.end(), set, isBefore);
  return found == points.end() || found->set != set ? nullptr : &*found;
}

const SeriesPoint* TrackSeries::at(SetIndex set) const {
  return pointAt(points, set);
}

std::vector<PointSeries> seriesOf(const SpaceHistory& history, std::span<const uint64_t> points) {
  std::vector<PointSeries> all;
  for (const uint64_t point : points)
    all.push_back({.point = point, .name = fmt::format("point {}", point)});
  for (const motion::SpaceRow& row : history.rowsOf(points)) {
    PointSeries& series = *std::ranges::find(all, row.point, &PointSeries::point);
    const SetIndex set(row.frame);
    const bool joined = !series.points.empty() && series.points.back().set + 1 == set;
    series.points.push_back(
        {.set = set,
         .value = {static_cast<float>(row.at.x()), static_cast<float>(row.at.y()),
                   static_cast<float>(row.at.z()), static_cast<float>(row.velocity.norm())},
         .measured = row.state == motion::TrackState::measured,
         .joined = joined});
    if (!row.label.empty()) series.name = output::columnName(row);
  }
  return all;
}

std::vector<TrackSeries> seriesOf(const session::TrackHistory& history,
                                  const output::EditedTracks& edits,
                                  std::span<const std::pair<CameraIndex, TrackId>> tracks) {
  std::vector<TrackSeries> all;
  for (const auto& [camera, track] : tracks) all.push_back({camera, track});
  const bool plain = edits.edits().edits.empty();
  for (size_t i = 0; i < history.cameras(); ++i) {
    const CameraIndex camera(i);
    std::vector<TrackSeries*> own;
    for (TrackSeries& series : all)
      if (series.camera == camera) own.push_back(&series);
    if (own.empty()) continue;
    for (const auto& frame : history.frames(camera, SetIndex(), SetIndex::most()))
      for (const motion::TrackRow& row : frame->rows) {
        const TrackId track = plain ? row.track : edits.of(row.track, row.frame);
        for (TrackSeries* series : own) {
          if (series->track != track) continue;
          SeriesPoint point = pointOf(row);
          point.joined = !series->points.empty() && series->points.back().set + 1 == point.set;
          series->points.push_back(point);
        }
      }
  }
  return all;
}

std::span<const SeriesPoint> pointsIn(const TimeAxis& axis, std::span<const SeriesPoint> points) {
  const auto begin = std::lower_bound(points.begin(), points.end(), SetIndex(axis.first), isBefore);
  const auto end =
      std::lower_bound(begin, points.end(), SetIndex(axis.first + axis.frames), isBefore);
  return {begin, end};
}

std::vector<CurveColumn> curveColumns(const TimeAxis& axis, std::span<const SeriesPoint> points,
                                      Quantity quantity) {
  std::vector<CurveColumn> columns(axis.columns);
  const auto shown = pointsIn(axis, points);
  auto next = shown.begin();
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto [begin, end] = axis.framesOf(i);
    CurveColumn& column = columns[i];
    // If a frame is wider than a column, it lies in several columns. The first one gets it.
    for (; next != shown.end() && next->set.value() < end; ++next) {
      const float value = next->value[static_cast<size_t>(quantity)];
      if (!column.any)
        column = {value, value, value, value, true, next->joined && next != shown.begin()};
      column.least = std::min(column.least, value);
      column.most = std::max(column.most, value);
      column.last = value;
    }
  }
  return columns;
}

double markStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= least * (1 - 1e-12)) return times * power;
  return 10 * power;
}

std::vector<SeriesPoint> measureSeries(output::MeasureKind kind, std::span<const MeasureEnd> ends) {
  std::vector<SeriesPoint> points;
  const auto moves = [](const MeasureEnd& end) { return std::holds_alternative<TrackSeries>(end); };
  const auto first = std::ranges::find_if(ends, moves);
  if (first == ends.end()) return points;
  for (const SeriesPoint& at : std::get<TrackSeries>(*first).points) {
    std::vector<std::optional<output::MeasurePlace>> places;
    bool measured = true;
    for (const MeasureEnd& end : ends) {
      if (const auto* place = std::get_if<output::MeasurePlace>(&end)) {
        places.emplace_back(*place);
        continue;
      }
      const SeriesPoint* row = std::get<TrackSeries>(end).at(at.set);
      places.emplace_back();
      if (!row) break;
      places.back() = output::MeasurePlace{row->value[0], row->value[1]};
      measured = measured && row->measured;
    }
    const auto value = output::valueOf(kind, places);
    if (!value) continue;
    const bool joined = !points.empty() && points.back().set + 1 == at.set;
    points.push_back({.set = at.set,
                      .value = {static_cast<float>(*value), 0, 0, 0},
                      .measured = measured,
                      .joined = joined});
  }
  return points;
}

}  // namespace glint::shell
