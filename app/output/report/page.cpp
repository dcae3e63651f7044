#include "app/output/report/page.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/output/report/charts.h"
#include "app/output/report/page_style.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

constexpr size_t kMostDrawn = 1000;  // the most tracks that are drawn
// Bytes, the largest page.
constexpr size_t kMostBytes = 1'900'000;

// A chart with its name and an explanation. `none` is shown if there is no chart.
struct Figure {
  std::string_view name;  // name of the chart, in ids and data-chart
  std::string_view title;
  std::string aid;
  std::string svg;
  std::string_view none;
  uint64_t count = 0;  // number of the things that the chart shows
  bool wide = false;
};

std::string toHtml(const Figure& figure, uint16_t camera) {
  const std::string none = fmt::format("<p class=\"none\">{}</p>", figure.none);
  const std::string chart =
      figure.wide ? fmt::format("<div class=\"scroll\">{}</div>", figure.svg) : figure.svg;
  return fmt::format(
      "<figure id=\"camera{}-{}\" class=\"{}\" data-chart=\"{}\" data-count=\"{}\">"
      "<figcaption><h3>{}</h3><p>{}</p></figcaption>{}</figure>\n",
      camera, figure.name, figure.wide ? "wide" : "half", figure.name, figure.count, figure.title,
      figure.aid, figure.svg.empty() ? none : chart);
}

std::string presenceAid(const CameraSummary& camera, const Drawn& drawn) {
  std::string aid =
      "One row per track. Long unbroken rows: stable identities. Many short rows: lost tracks that "
      "came back with new ids.";
  if (const unsigned shift = camera.shift() + drawn.coarse; shift > 0)
    aid += fmt::format(
        " Each step covers {} frames: measured if nine in ten of them are, absent if most have no "
        "row.",
        uint64_t{1} << shift);
  if (drawn.tracks.size() < camera.tracks().size())
    aid += fmt::format(" This chart and those below show the {} tracks with the most rows, of {}.",
                       grouped(drawn.tracks.size()), grouped(camera.tracks().size()));
  return aid;
}

std::string frameTimesAid(const Run& run, const Camera& camera) {
  const Intervals times = intervals(camera.summary.frames);
  std::string aid = fmt::format(
      "Flat: a regular source. Spikes: late or missing frames. Median {} ms, 99 % within {} ms, "
      "longest {} ms.",
      rounded(1e3 * times.median), rounded(1e3 * times.high), rounded(1e3 * times.longest));
  if (times.missing > 0)
    aid += run.allFrames ? fmt::format(" {} frame numbers are missing.", grouped(times.missing))
                         : fmt::format(
                               " {} frames have no rows, so their times are unknown; stats.csv "
                               "(<code>glint track --stats</code>) lists them.",
                               grouped(times.missing));
  else if (!run.allFrames)
    aid += " Only stats.csv (<code>glint track --stats</code>) lists dropped frames.";
  return aid;
}

std::vector<Figure> trackFigures(const Camera& camera, const Drawn& drawn) {
  const CameraSummary& s = camera.summary;
  const uint64_t tracks = drawn.tracks.size(), measured = s.rows() - s.predicted();
  return {
      {"presence", "Presence", presenceAid(s, drawn), presenceChart(camera, drawn), "", tracks,
       true},
      {"x", "x over time",
       "One line per track, in the colours of the dots above. Smooth: well tracked. A sudden jump: "
       "one marker was taken for another.",
       coordinateChart(camera, drawn, Coordinate::x), "", tracks, true},
      {"y", "y over time", "The same for y, which points down as in the image.",
       coordinateChart(camera, drawn, Coordinate::y), "", tracks, true},
      {"steps", "Step lengths",
       "How far markers move from one frame to the next. A separate hill far to the right: jumps "
       "between markers.",
       stepsChart(s), "No track was measured in two successive frames.", s.steps.count()},
      {"gaps", "Gaps",
       "Stretches without a measurement inside tracks. Short ones: single misses. Long ones: "
       "hidden markers.",
       gapsChart(s), "No track has a gap.", s.gapCount()},
      {"sigma", "Position uncertainty",
       "Standard deviation of each measured position, from the image noise. Far to the left: "
       "exact. A tail to the right: faint or crowded markers.",
       sigmaChart(s), "Nothing was measured.", measured},
      {"phase", "Pixel phase",
       fmt::format("Flat: no pixel locking. The density varies by {:.1f} % in x and {:.1f} % in y. "
                   "Markers at rest make peaks of their own.",
                   100 * s.phaseX.swing(), 100 * s.phaseY.swing()),
       phaseChart(s), "Nothing was measured.", measured},
  };
}

std::string cameraSection(const Run& run, uint16_t number, const Drawn& drawn) {
  const Camera& camera = run.cameras.at(number);
  const bool named = run.facts && number < run.facts->sources.size();
  std::string html =
      fmt::format("<section class=\"camera\" data-camera=\"{}\"><h2>Camera {}{}</h2>\n", number,
                  number, named ? ": " + escaped(run.facts->sources[number]) : "");
  if (camera.summary.rows() == 0)
    html += "<p>Nothing was tracked: the file holds no rows of this camera.</p>\n";
  else
    for (const Figure& figure : trackFigures(camera, drawn)) html += toHtml(figure, number);
  const size_t times = intervals(camera.summary.frames).count;
  html += toHtml({"times", "Frame times and drops", times == 0 ? "" : frameTimesAid(run, camera),
                  times == 0 ? "" : frameTimesChart(camera),
                  "The times of two successive frames are not known.", times, true},
                 number);
  return html + "</section>\n";
}

// Returns the tracks that are drawn: those with the most rows of all cameras together. Those of a
// camera are in the order of ids.
std::map<uint16_t, Drawn> drawnOf(const Run& run) {
  std::vector<std::pair<uint16_t, const TrackSummary*>> tracks;
  for (const auto& [number, camera] : run.cameras)
    for (const TrackSummary& track : camera.summary.tracks()) tracks.emplace_back(number, &track);
  std::ranges::stable_sort(
      tracks, [](const auto& a, const auto& b) { return a.second->rows() > b.second->rows(); });
  tracks.resize(std::min(tracks.size(), kMostDrawn));
  std::map<uint16_t, Drawn> drawn;
  for (const auto& [number, track] : tracks) drawn[number].tracks.push_back(track);
  for (auto& [number, of] : drawn)
    std::ranges::sort(of.tracks, [](const auto* a, const auto* b) { return a->id < b->id; });
  return drawn;
}

// Returns the title of the page: the names of the sources without their folders, or the file of
// tracks.
std::string titleOf(const Run& run) {
  if (!run.facts || run.facts->sources.empty()) return run.name;
  constexpr size_t kMostNamed = 3;
  const auto& sources = run.facts->sources;
  std::string title;
  for (size_t i = 0; i < std::min(sources.size(), kMostNamed); ++i) {
    const std::string folderless = std::filesystem::path(sources[i]).filename().string();
    title += (i == 0 ? "" : ", ") + (folderless.empty() ? sources[i] : folderless);
  }
  if (sources.size() > kMostNamed)
    title += fmt::format(" and {} more", sources.size() - kMostNamed);
  return title;
}

std::string head(const Run& run) {
  std::string html = beginPage("Tracks of " + titleOf(run), true);
  html += fmt::format(
      "<p class=\"by\">{}, written by Glint. Lengths are in pixels of the image, times those of "
      "the "
      "source.</p>\n",
      escaped(run.name));
  for (const std::string& note : run.notes)
    html += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
  const bool empty = std::ranges::all_of(
      run.cameras, [](const auto& camera) { return camera.second.summary.rows() == 0; });
  if (empty) html += "<p class=\"note\">The file holds no rows: nothing was tracked.</p>\n";
  return html + keyFigures(run) + cameraTable(run) + runDetails(run) + "</header>\n" +
         spaceSection(run);
}

}  // namespace

std::string makePage(const Run& run) {
  const std::string first = head(run);
  auto drawn = drawnOf(run);
  constexpr unsigned kCoarsest = 10;  // a single column is left then
  for (unsigned coarse = 0;; ++coarse) {
    std::string page = first;
    for (const auto& [number, camera] : run.cameras) {
      drawn[number].coarse = coarse;
      page += cameraSection(run, number, drawn[number]);
    }
    page += fmt::format("</main><script>{}</script></body></html>\n", kPageScript);
    if (page.size() <= kMostBytes || coarse == kCoarsest) return page;
  }
}

}  // namespace glint::output::report
