#include <fmt/format.h>

#include "app/report/figures.h"
#include "app/report/svg.h"

namespace glint::report {

std::string spaceSection(const Run& run) {
  if (!run.facts || !run.facts->space) return {};
  const SpaceFacts& facts = *run.facts->space;
  std::string floors;
  for (const double floor : facts.floors)
    floors += floor < 0 ? " unknown" : fmt::format(" {:.3f}", floor);
  std::string html = fmt::format(
      "<section id=\"space\"><h2>In space</h2>\n<p>With {}: {} points in {} rows, {} of them "
      "measured, by {:.1f} rays and to {:.2f} mm on average. Residuals: {:.3f} px rms. Noise "
      "beyond "
      "the stated sigmas, by camera:{} px.</p>\n",
      escaped(facts.rig), grouped(facts.points), grouped(facts.rows), grouped(facts.measured),
      facts.rays, facts.sigma, facts.residual, floors);
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

}  // namespace glint::report
