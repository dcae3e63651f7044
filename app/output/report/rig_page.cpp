#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/image_fields.h"
#include "app/motion/calibrate/volume.h"
#include "app/output/report/charts.h"
#include "app/output/report/page.h"
#include "app/output/report/page_style.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

constexpr double kHigh = 300;  // px, height of a chart

std::string rect(double x, double y, double width, double height, std::string_view look) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", x,
                     y, width, height, look);
}

std::string keyFiguresOf(const motion::Calibration& calibration,
                         const motion::CalibrationOptions& options,
                         const std::optional<motion::VolumeMap>& map) {
  const motion::HeldOut& held = calibration.heldOut;
  const char* const unit = calibration.scaled ? "mm" : "units";
  std::string html =
      "<dl class=\"figures\">" +
      keyFigure("Accuracy", motion::gradeOf(calibration, options.target).word,
                "by moments kept back") +
      keyFigure("Coverage", motion::coverageOf(calibration, options.target).word, "of the images") +
      keyFigure("Residuals", fmt::format("{:.3f} px", held.rms),
                fmt::format("rms; mean {:.3f} px", held.mean));
  if (options.target.isWand())
    html += keyFigure(
        "Wand", fmt::format("{:.2f} mm", held.lengthMean),
        fmt::format("sd {:.3f}, worst {:.3f} mm off", held.lengthSigma, held.lengthWorst));
  if (map)
    html += keyFigure("A light in space", fmt::format("\u00b1 {:.3g} {}", map->middle, unit),
                      fmt::format("{:.3g} to {:.3g} {}", map->best, map->worst, unit));
  return html +
         keyFigure("Moments", grouped(calibration.moments),
                   fmt::format("{} with the target", grouped(calibration.found))) +
         "</dl>\n";
}

std::string cameraRows(const motion::Calibration& calibration,
                       const motion::LightRecording& recording) {
  std::string html =
      "<div class=\"scroll\"><table><thead><tr><th>Camera</th><th>f, px</th><th>+-</th>"
      "<th>centre, px</th><th>mean, px</th><th>rms, px</th><th>within 1 px</th><th>lights</th>"
      "<th>later by</th></tr></thead><tbody>\n";
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    const motion::CameraFigures& f = calibration.cameras[c];
    const motion::Lens& l = calibration.rig.cameras[c].lens;
    const std::string late = f.timeOffset == 0 ? std::string("-")
                             : recording.timed ? fmt::format("{:.2f} ms", 1e3 * f.timeOffset)
                                               : fmt::format("{:.3f} frames", f.timeOffset);
    html += fmt::format(
        "<tr><td>{}</td><td>{:.1f}</td><td>{:.2f}</td><td>{:.1f}, {:.1f}</td><td>{:.3f}</td>"
        "<td>{:.3f}</td><td>{:.1f} %</td><td>{}</td><td>{}</td></tr>\n",
        c, l.fx, f.focalSigma, l.cx, l.cy, f.mean, f.rms, 100 * f.within, grouped(f.dots), late);
  }
  return html + "</tbody></table></div>\n";
}

/// Draws every image, four in a row, with the fields that had lights in them.
std::string coverageChart(const motion::Calibration& calibration,
                          const motion::LightRecording& recording) {
  constexpr size_t kRow = 4, kFields = motion::kImageFields;
  constexpr double kStep = kWide / kRow, kSide = kStep - 24, kLabel = 22;
  std::string marks;
  double top = 0, high = 0;
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    if (c > 0 && c % kRow == 0) top += high + kLabel, high = 0;
    const motion::FrameExtent& size = recording.sizes[c];
    const double left = static_cast<double>(c % kRow) * kStep + 1;
    const double tall = kSide * size.height / size.width, from = top + kLabel;
    high = std::max(high, tall + 8);
    const uint64_t fields = calibration.cameras[c].fields;
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">camera {}: {:.0f} %</text>", left,
                         from - 6, c, 100 * motion::shareOf(fields));
    for (size_t k = 0; k < kFields * kFields; ++k)
      if ((fields >> k) & 1)
        marks += rect(left + static_cast<double>(k % kFields) * kSide / kFields,
                      from + static_cast<double>(k / kFields) * tall / kFields, kSide / kFields,
                      tall / kFields, "class=\"field\"");
    marks += rect(left, from, kSide, tall, "class=\"frame\"");
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"Coverage of each "
      "image\">{}</svg>",
      kWide, top + high + kLabel, marks);
}

std::string sliceChart(const motion::VolumeMap& map, size_t slice, const char* unit) {
  Chart chart(kHalf, kHigh, linearAxis(fmt::format("x ({})", unit), map.low.x(), map.high.x(), 6),
              linearAxis(fmt::format("y ({})", unit), map.low.y(), map.high.y(), 5));
  constexpr auto kCells = motion::VolumeMap::kCells;
  const double wide = chart.width() / kCells, high = chart.height() / kCells;
  const double range = std::max(map.worst - map.best, 1e-12);
  for (size_t k = 0; k < map.sigmas[slice].size(); ++k) {
    const auto& sigma = map.sigmas[slice][k];
    if (!sigma) continue;
    const double shade = 0.08 + 0.92 * std::clamp((*sigma - map.best) / range, 0.0, 1.0);
    chart.add(rect(Chart::kLeft + static_cast<double>(k % kCells) * wide,
                   Chart::kTop + chart.height() - static_cast<double>(k / kCells + 1) * high,
                   wide + 0.3, high + 0.3,
                   fmt::format("class=\"cell\" fill-opacity=\"{:.2f}\"", shade)));
  }
  return chart.finish(fmt::format("Standard deviation at z = {:.0f} {}", map.heights[slice], unit));
}

std::string lengthsChart(const motion::HeldOut& held) {
  constexpr int kBars = 24;
  const auto [least, most] = std::minmax_element(held.lengths.begin(), held.lengths.end());
  const double low = *least, step = std::max((*most - low) / kBars, 1e-9);
  std::vector<double> counts(kBars);
  for (const double length : held.lengths)
    ++counts[static_cast<size_t>(
        std::clamp(static_cast<int>((length - low) / step), 0, kBars - 1))];
  Chart chart(kHalf, kHigh, linearAxis("length (mm)", low, low + kBars * step, 6),
              linearAxis("moments", 0, *std::ranges::max_element(counts), 5));
  std::string d;
  for (size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0)
      d += fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}z",
                       chart.x(low + static_cast<double>(k) * step) + 0.5, chart.y(0),
                       chart.y(counts[k]), chart.x(low + static_cast<double>(k + 1) * step) - 0.5,
                       chart.y(0));
  chart.add(fmt::format("<path class=\"bars\" d=\"{}\"/>", d));
  return chart.finish("Histogram of the wand's lengths in moments kept back");
}

std::string sharedTable(const motion::Calibration& calibration) {
  std::string html = "<div class=\"scroll\"><table><thead><tr><th>camera</th>";
  const size_t count = calibration.shared.size();
  for (size_t c = 0; c < count; ++c) html += fmt::format("<th>{}</th>", c);
  html += "</tr></thead><tbody>\n";
  for (size_t i = 0; i < count; ++i) {
    html += fmt::format("<tr><th>{}</th>", i);
    for (size_t j = 0; j < count; ++j)
      html += fmt::format("<td>{}</td>", i == j ? "" : grouped(calibration.shared[i][j]));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>";
}

}  // namespace

std::string makeRigPage(const motion::Calibration& calibration,
                        const motion::LightRecording& recording,
                        const motion::CalibrationOptions& options, const std::string& name) {
  const auto map = motion::mapVolume(calibration);
  const char* const unit = calibration.scaled ? "mm" : "units";
  std::string html =
      beginPage("Calibration " + name, false) +
      "<p class=\"by\">Written by Glint. Every fifth moment was kept back for the figures of "
      "residuals and lengths.</p>\n";
  for (const std::string& note : motion::notesOf(calibration, recording, options))
    html += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  html +=
      keyFiguresOf(calibration, options, map) + cameraRows(calibration, recording) +
      "</header>\n<section class=\"camera\"><h2>Images and space</h2>\n" +
      figure("coverage", true, "Coverage of the images",
             "Fields in which lights were. A lens is known where lights were; empty corners are "
             "guesses.",
             coverageChart(calibration, recording));
  for (size_t slice = 0; map && slice < map->sigmas.size(); ++slice)
    html +=
        figure(fmt::format("slice{}", slice), false,
               fmt::format("Standard deviation at z = {:.0f} {}", map->heights[slice], unit),
               fmt::format("Of a light: pale {:.3g} {} and less, dark {:.3g} and more; none where "
                           "fewer than two cameras see.",
                           map->best, unit, map->worst),
               sliceChart(*map, slice, unit));
  if (!calibration.heldOut.lengths.empty())
    html += figure("lengths", false, "The wand's length",
                   "In moments kept back, without using the length. Narrow and at the true length: "
                   "good.",
                   lengthsChart(calibration.heldOut));
  return html +
         figure("shared", true, "Which cameras see each other", "Moments that both saw.",
                sharedTable(calibration)) +
         "</section></main></body></html>\n";
}

}  // namespace glint::output::report
