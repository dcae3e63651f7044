#include "app/shell/desk/measure_series.h"

#include <algorithm>
#include <optional>

namespace glint::shell {

std::vector<SeriesPoint> measureSeries(output::MeasureKind kind, std::span<const MeasureEnd> ends) {
  std::vector<SeriesPoint> points;
  const auto moves = [](const MeasureEnd& end) { return std::holds_alternative<TrackSeries>(end); };
  const auto first = std::find_if(ends.begin(), ends.end(), moves);
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
                      .value = {static_cast<float>(*value), 0, 0},
                      .measured = measured,
                      .joined = joined});
  }
  return points;
}

}  // namespace glint::shell
