#include "app/output/report/space_charts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/output/report/charts.h"
#include "app/output/report/path_writer.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

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

std::string pointsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(
      sets, "points", [](const SpaceSetFigures& set) { return double(set.measured); },
      "Measured points of each set over time");
}

std::string residualsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(sets, "residual (px rms)", std::mem_fn(&SpaceSetFigures::residual),
                      "Residuals of the points of each set over time");
}

}  // namespace glint::output::report
