#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "app/output/report/charts.h"
#include "app/output/report/path_writer.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

Axis timeAxisOf(const FrameTimes& frames) {
  if (frames.all().empty()) return timeAxis(0, 1);
  const FrameTime& last = frames.all().back();
  return timeAxis(frames.all().front().time, frames.timeAt(last.frame + 1));
}

// The columns that are drawn: parts of time of 2^shift frames each.
class Columns {
 public:
  Columns(const FrameTimes& frames, unsigned shift, const Chart& chart)
      : frames_(frames), shift_(shift), chart_(chart) {}

  uint32_t firstFrame(size_t column) const { return static_cast<uint32_t>(column << shift_); }
  uint32_t lastFrame(size_t column) const {
    return static_cast<uint32_t>(((column + 1) << shift_) - 1);
  }
  double left(size_t column) const { return at(firstFrame(column)); }
  double right(size_t column) const { return at(lastFrame(column) + 1); }
  double middle(size_t column) const {
    return (at(firstFrame(column)) + at(lastFrame(column))) / 2;
  }

 private:
  double at(uint32_t frame) const {
    const double end = Chart::kLeft + chart_.width();
    return std::clamp(chart_.x(frames_.timeAt(frame)), Chart::kLeft, end);
  }

  const FrameTimes& frames_;
  unsigned shift_;
  const Chart& chart_;
};

// Returns a track's bins as they are drawn, from the first to the last that has rows.
std::vector<TrackBin> cellsOf(const TrackSummary& track, unsigned coarse) {
  const uint32_t first = track.bins.front().at >> coarse;
  std::vector<TrackBin> cells((track.bins.back().at >> coarse) - first + 1);
  for (uint32_t i = 0; i < cells.size(); ++i) cells[i].at = first + i;
  for (const TrackBin& bin : track.bins) cells[(bin.at >> coarse) - first].add(bin);
  return cells;
}

// Names of presence, which are also classes of the style.
constexpr std::array kPresences{"measured", "predicted", "absent"};

// Returns the presence of a track in a cell with `frames` of its frames, as an index in kPresences.
size_t presenceOf(const TrackBin& bin, uint64_t frames) {
  if (10 * uint64_t{bin.measured} >= 9 * frames) return 0;
  return 2 * (uint64_t{bin.measured} + bin.predicted) >= frames ? 1 : 2;
}

std::string presenceRow(const TrackSummary& track, const Drawn& drawn, const Columns& columns,
                        double y) {
  const std::vector<TrackBin> cells = cellsOf(track, drawn.coarse);
  std::array<PathWriter, kPresences.size()> paths;
  const auto stateOf = [&](const TrackBin& cell) {
    const uint64_t from = std::max(track.first, columns.firstFrame(cell.at));
    return presenceOf(cell, std::min(track.last, columns.lastFrame(cell.at)) - from + 1);
  };
  for (size_t i = 0, end; i < cells.size(); i = end) {
    const size_t state = stateOf(cells[i]);
    for (end = i + 1; end < cells.size() && stateOf(cells[end]) == state;) ++end;
    paths[state].move(columns.left(cells[i].at), y);
    paths[state].line(columns.right(cells[end - 1].at), y);
  }
  std::string row;
  for (size_t state = 0; state < paths.size(); ++state) {
    const std::string d = paths[state].take();
    if (!d.empty()) row += fmt::format("<path class=\"{}\" d=\"{}\"/>", kPresences[state], d);
  }
  return row;
}

std::string trackTitle(const TrackSummary& track) {
  const double share =
      100.0 * static_cast<double>(track.predicted) / static_cast<double>(track.rows());
  return fmt::format("<title>track {}: frames {} to {}, {} rows, {:.1f} % predicted</title>",
                     track.id, track.first, track.last, track.rows(), share);
}

// Draws the ids at the left of the rows, of all or of every few, in the colours of the lines below.
std::string presenceLabels(const Drawn& drawn, double rowHeight) {
  const size_t count = drawn.tracks.size();
  constexpr double kLegible = 12;  // px, the height of the text
  const auto step = static_cast<size_t>(
      rowHeight >= kLegible ? 1 : std::max(1.0, niceStep(static_cast<double>(count), 24)));
  std::string labels;
  for (size_t i = step - 1; i < count; i += step) {
    const double y = Chart::kTop + (static_cast<double>(i) + 0.5) * rowHeight;
    labels += fmt::format(
        "<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>"
        "<circle class=\"t{}\" cx=\"{}\" cy=\"{:.1f}\" r=\"3\"/>",
        Chart::kLeft - 14, y + 4, drawn.tracks[i]->id, i % 8, Chart::kLeft - 7, y);
  }
  return "<g class=\"axis\">" + labels + "</g>";
}

// Returns the height of a row if there are `count` rows, in whole pixels, so that thin rows are
// sharp.
double rowHeightOf(size_t count) {
  constexpr double kAllHeight = 840, kMost = 14;
  return std::clamp(std::floor(kAllHeight / static_cast<double>(count)), 1.0, kMost);
}

}  // namespace

std::string presenceChart(const Camera& camera, const Drawn& drawn) {
  const double rowHeight = rowHeightOf(drawn.tracks.size());
  const double plot = rowHeight * static_cast<double>(drawn.tracks.size());
  Chart chart(kWide, plot + Chart::kTop + Chart::kBottom, timeAxisOf(camera.summary.frames),
              {.title = "track", .ticks = {}});
  const Columns columns(camera.summary.frames, camera.summary.shift() + drawn.coarse, chart);
  for (size_t i = kPresences.size(); i-- > 0;)
    chart.addLegend(kPresences[i], fmt::format("{} key-line", kPresences[i]));
  chart.add(presenceLabels(drawn, rowHeight));
  chart.add(fmt::format("<g class=\"presence\" {} style=\"--row:{}px\">", kPathScale,
                        kPathUnits * (rowHeight >= 4 ? 0.75 * rowHeight : rowHeight)));
  for (size_t i = 0; i < drawn.tracks.size(); ++i) {
    const TrackSummary& track = *drawn.tracks[i];
    const double y = Chart::kTop + (static_cast<double>(i) + 0.5) * rowHeight;
    chart.add(fmt::format("<g data-t=\"{}\">{}{}</g>", track.id, trackTitle(track),
                          presenceRow(track, drawn, columns, y)));
  }
  chart.add("</g>");
  return chart.finish("For each track, when it was measured, predicted and absent");
}

std::string coordinateChart(const Camera& camera, const Drawn& drawn, Coordinate coordinate) {
  const bool isX = coordinate == Coordinate::x;
  const Range& range = isX ? camera.summary.x : camera.summary.y;
  Axis axis = linearAxis(isX ? "x (px)" : "y (px)", range.least, range.most, 6, true);
  if (!isX) std::swap(axis.least, axis.most);  // downwards, as in the image
  Chart chart(kWide, 320, timeAxisOf(camera.summary.frames), std::move(axis));
  const Columns columns(camera.summary.frames, camera.summary.shift() + drawn.coarse, chart);
  chart.add(
      fmt::format("<g class=\"lines{}\" {}>", drawn.tracks.size() > 60 ? " many" : "", kPathScale));
  for (size_t i = 0; i < drawn.tracks.size(); ++i) {
    const TrackSummary& track = *drawn.tracks[i];
    PathWriter path;
    bool joined = false;
    for (const TrackBin& cell : cellsOf(track, drawn.coarse)) {
      const Range& values = isX ? cell.x : cell.y;
      if (!values.empty())
        path.band(columns.middle(cell.at), chart.y(values.least), chart.y(values.most), joined);
      joined = !values.empty();
    }
    chart.add(
        fmt::format("<path class=\"t{}\" data-t=\"{}\" d=\"{}\"><title>track {}</title></path>",
                    i % 8, track.id, path.take(), track.id));
  }
  chart.add("</g>");
  return chart.finish(isX ? "x of each track over time" : "y of each track over time");
}

std::string frameTimesChart(const Camera& camera) {
  const FrameTimes& frames = camera.summary.frames;
  std::map<int, Range> columns;  // the intervals, ms, by x on the page, px
  Chart chart(
      kWide, 200, timeAxisOf(frames),
      linearAxis("interval between frames (ms)", 0, 1e3 * intervals(frames).longest, 4, true));
  for (size_t i = 1; i < frames.all().size(); ++i) {
    const FrameTime &before = frames.all()[i - 1], &frame = frames.all()[i];
    if (frame.frame - before.frame == 1)
      columns[static_cast<int>(chart.x(frame.time))].add(1e3 * (frame.time - before.time));
  }
  PathWriter path;
  for (const auto& [x, range] : columns)
    path.band(x + 0.5, chart.y(range.least), chart.y(range.most), false);
  chart.add(fmt::format("<g class=\"lines dots\" {}><path class=\"t0\" d=\"{}\"/></g>", kPathScale,
                        path.take()));
  std::map<int, uint64_t> drops;
  for (const Drop& drop : camera.drops) drops[static_cast<int>(chart.x(drop.time))] += drop.count;
  if (!drops.empty()) chart.addLegend("dropped frames", "drop key-line");
  for (const auto& [x, count] : drops)
    chart.add(fmt::format("<path class=\"drop\" d=\"M{} {}v-12\"><title>{} dropped</title></path>",
                          x + 0.5, Chart::kTop + chart.height(), count));
  return chart.finish("Time between successive frames, and dropped frames, over time");
}

}  // namespace glint::output::report
