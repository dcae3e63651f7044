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

/// Draws `valueOf` of each set over time, from the least to the greatest in each pixel of the
/// page's width.
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

std::string pointsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(
      sets, "points", [](const SpaceSetFigures& set) { return double(set.measured); },
      "Measured points of each set over time");
}

std::string residualsChart(const std::vector<SpaceSetFigures>& sets) {
  return setsOverTime(sets, "residual (px rms)", std::mem_fn(&SpaceSetFigures::residual),
                      "Residuals of the points of each set over time");
}

/// Makes a table with a bar for each camera: its noise beyond its stated sigmas. The longest bar is
/// the worst.
std::string camerasTable(const std::vector<double>& floors) {
  const double most = floors.empty() ? 0 : *std::ranges::max_element(floors);
  std::string html =
      "<div class=\"scroll\"><table id=\"space-cameras\"><thead><tr><th>Camera</th>"
      "<th>Noise beyond its sigmas, px</th><th></th></tr></thead><tbody>";
  for (size_t c = 0; c < floors.size(); ++c) {
    const double share = most > 0 ? std::max(0.0, floors[c]) / most : 0;
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"bar\"><i style=\"width:{:.0f}%\"></i></td></tr>", c,
        floors[c] < 0 ? "unknown" : fmt::format("{:.3f}", floors[c]), 100 * share);
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string spaceSection(const Run& run) {
  if (!run.facts || !run.facts->space) return {};
  const SpaceFacts& facts = *run.facts->space;
  std::string html = fmt::format(
      "<section id=\"space\"><h2>In space</h2>\n<p>With {}: {} points in {} rows, {} of them "
      "measured, by {:.1f} rays and to {:.2f} mm on average. Residuals: {:.3f} px rms.</p>\n",
      escaped(facts.rig), grouped(facts.points), grouped(facts.rows), grouped(facts.measured),
      facts.rays, facts.sigma, facts.residual);
  for (const std::string& remark : facts.remarks)
    html += fmt::format("<p class=\"note\">{}</p>\n", escaped(remark));
  html += camerasTable(facts.floors);
  if (!run.spaceSets.empty()) {
    html += figure("space-points", true, "Points over time",
                   "Points that two cameras or more see in a set. Dips: markers that hide, or "
                   "a camera without frames.",
                   pointsChart(run.spaceSets));
    html += figure("space-residuals", true, "Residuals over time",
                   "How far dots lie from where their points should be. Flat: the rig holds. "
                   "A step: a camera was moved.",
                   residualsChart(run.spaceSets));
  }
  if (!facts.bodies.empty()) {
    html +=
        "<div class=\"scroll\"><table id=\"bodies\"><thead><tr><th class=\"source\">Body</th>"
        "<th>Sets</th><th>Share</th><th>Measured</th><th>Sigma, mm</th><th>Sigma, degrees</th>"
        "<th>Residual, mm</th></tr></thead><tbody>";
    for (const SpaceFacts::BodyFacts& body : facts.bodies) {
      const double share = facts.sets > 0 ? 100 * double(body.sets) / double(facts.sets) : 0;
      html += fmt::format(
          "<tr><td class=\"source\">{}</td><td>{}</td><td>{:.1f} %</td><td>{}</td><td>{:.2f}</td>"
          "<td>{:.2f}</td><td>{:.2f}</td></tr>",
          escaped(body.name), grouped(body.sets), share, grouped(body.measured), body.sigma,
          body.turn, body.residual);
    }
    html += "</tbody></table></div>\n";
  }
  return html + "</section>\n";
}

}  // namespace glint::output::report
