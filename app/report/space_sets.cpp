#include "app/report/space_sets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/report/charts.h"
#include "app/report/path_writer.h"
#include "app/report/svg.h"
#include "config/error.h"

namespace glint::report {
namespace {

constexpr double kMostPx = 1e6, kLatestTime = 1e10;  // px, s: so that charts can be made

/// `valueOf` each set, least and most of each pixel of the page's width.
std::string setsOverTime(const std::vector<SpaceSetFigures>& sets, std::string title,
                         const std::function<double(const SpaceSetFigures&)>& valueOf,
                         std::string_view description) {
  double most = 0;
  for (const SpaceSetFigures& set : sets) most = std::max(most, valueOf(set));
  Chart chart(kWide, 200, timeAxis(sets.front().time, sets.back().time),
              linearAxis(std::move(title), 0, most, 4, true));
  std::map<int, Range> columns;
  for (const SpaceSetFigures& set : sets)
    columns[static_cast<int>(chart.x(set.time))].add(valueOf(set));
  PathWriter path;
  bool joined = false;
  for (const auto& [x, range] : columns)
    path.band(x + 0.5, chart.y(range.least), chart.y(range.most), std::exchange(joined, true));
  chart.add(fmt::format("<g class=\"lines\" {}><path class=\"t0\" d=\"{}\"/></g>", kPathScale,
                        path.take()));
  return chart.finish(description);
}

}  // namespace

double SpaceSetFigures::residual() const {
  return measured > 0 ? std::sqrt(squares / measured) : 0;
}

SpaceTable readSpaceTable(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"frame", "time_s", "state", "residual_px"};
  CsvReader csv(path, kColumns);
  SpaceTable table;
  while (csv.next()) {
    const auto frame = csv.value<uint64_t>(0);
    const auto time = csv.value<double>(1);
    if (!(std::abs(time) < kLatestTime)) csv.refuse(1);
    ++table.rows;
    if (!table.sets.empty() && frame < table.sets.back().frame)
      throw Error(fmt::format("{}, line {}: frame {} is out of order; sort the rows by frame.",
                              path, csv.line(), frame));
    if (table.sets.empty() || table.sets.back().frame != frame) table.sets.push_back({frame, time});
    if (csv.text(2) != "measured") continue;
    const auto residual = csv.value<double>(3);
    if (!(residual >= 0 && residual < kMostPx)) csv.refuse(3);
    ++table.sets.back().measured;
    table.sets.back().squares += residual * residual;
  }
  return table;
}

std::string pointsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(
      sets, "points", [](const SpaceSetFigures& set) { return double(set.measured); },
      "Measured points of each set over time");
}

std::string residualsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(sets, "residual (px rms)", std::mem_fn(&SpaceSetFigures::residual),
                      "Residuals of the points of each set over time");
}

}  // namespace glint::report
