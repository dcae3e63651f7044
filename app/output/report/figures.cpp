#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/output/report/charts.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

constexpr const char* kUnknown = "\xe2\x80\x93";  // an en dash

// Returns a duration, and its unit if that is not obvious.
std::pair<std::string, const char*> duration(double seconds) {
  if (seconds < 60) return {rounded(seconds) + " s", ""};
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 3600) return {fmt::format("{}:{:02}", whole / 60, whole % 60), "min:s"};
  return {fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60), "h:min:s"};
}

std::string percent(uint64_t part, uint64_t all) {
  if (all == 0) return kUnknown;
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

// Returns the time from the first frame to the end of the last, s.
double lengthOf(const FrameTimes& frames) {
  if (frames.all().empty()) return 0;
  return frames.timeAt(frames.all().back().frame + 1) - frames.all().front().time;
}

std::string droppedFrames(const Run& run) {
  if (!run.allFrames) return run.facts ? grouped(run.facts->dropped) : std::string(kUnknown);
  uint64_t most = 0;  // drops of the camera with the most: all cameras drop the same frames
  for (const auto& [number, camera] : run.cameras) {
    uint64_t dropped = 0;
    for (const Drop& drop : camera.drops) dropped += drop.count;
    most = std::max(most, dropped);
  }
  return grouped(most);
}

struct Totals {
  uint64_t frames = 0, tracks = 0, rows = 0, predicted = 0;
  double seconds = 0;
  std::vector<uint64_t> lengths;
};

Totals totalsOf(const Run& run) {
  Totals all;
  for (const auto& [number, camera] : run.cameras) {
    const CameraSummary& summary = camera.summary;
    all.frames = std::max<uint64_t>(all.frames, summary.frames.all().size());
    all.tracks += summary.tracks().size();
    all.rows += summary.rows();
    all.predicted += summary.predicted();
    all.seconds = std::max(all.seconds, lengthOf(summary.frames));
    for (const TrackSummary& track : summary.tracks()) all.lengths.push_back(track.length());
  }
  if (run.facts) all.frames = std::max(all.frames, run.facts->frames);
  std::ranges::sort(all.lengths);
  return all;
}

/// Returns true if the run searched a picture.
bool hasScores(const Run& run) {
  return std::ranges::any_of(
      run.cameras, [](const auto& camera) { return camera.second.summary.scores.count() > 0; });
}

std::string cameraRow(const Run& run, uint16_t number, const Camera& camera) {
  const CameraSummary& s = camera.summary;
  const Intervals times = intervals(s.frames);
  const uint64_t gaps = s.gapCount();
  const auto length = [&](const LogHistogram& histogram) {
    return histogram.count() == 0 ? std::string(kUnknown)
                                  : rounded(histogram.quantile(0.5)) + " px";
  };
  const bool named = run.facts && number < run.facts->sources.size();
  std::string row = fmt::format("<tr><th scope=\"row\">{}</th><td class=\"source\">{}</td>", number,
                                named ? escaped(run.facts->sources[number]) : kUnknown);
  for (const std::string& text :
       {grouped(s.frames.all().size()), times.median > 0 ? rounded(1 / times.median) : kUnknown,
        grouped(s.tracks().size()), grouped(s.rows()), percent(s.predicted(), s.rows()),
        s.tracks().empty() ? kUnknown : grouped(s.medianLength()), grouped(gaps),
        gaps == 0 ? kUnknown : grouped(s.gaps.rbegin()->first), length(s.steps), length(s.sigmaX),
        length(s.sigmaY)})
    row += fmt::format("<td>{}</td>", text);
  if (hasScores(run))
    row += fmt::format("<td>{}</td>", s.scores.count() == 0
                                          ? kUnknown
                                          : rounded(std::min(s.scores.quantile(0.5), 1.0)));
  return row + "</tr>";
}

}  // namespace

std::string keyFigures(const Run& run) {
  const Totals all = totalsOf(run);
  std::string html = "<dl class=\"figures\">";
  html += keyFigure("Frames", grouped(all.frames), run.allFrames || run.facts ? "" : "with rows");
  const auto [length, unit] = duration(all.seconds);
  html += keyFigure("Duration", length, unit);
  html += keyFigure("Cameras", grouped(run.cameras.size()));
  html += keyFigure("Tracks", grouped(all.tracks));
  html +=
      keyFigure("Median track",
                all.lengths.empty() ? kUnknown : grouped(all.lengths[(all.lengths.size() - 1) / 2]),
                "frames");
  html += keyFigure(
      "Rows", grouped(all.rows),
      all.frames == 0
          ? ""
          : rounded(static_cast<double>(all.rows) / static_cast<double>(all.frames)) + " a frame");
  html += keyFigure("Predicted", percent(all.predicted, all.rows), "of the rows");
  html += keyFigure("Dropped", droppedFrames(run), "frames");
  return html + "</dl>";
}

std::string cameraTable(const Run& run) {
  std::string html =
      "<div class=\"scroll\"><table id=\"cameras\"><thead><tr><th>Camera</th><th "
      "class=\"source\">Source</th><th>Frames</th><th>Frames/s</th><th>Tracks</th><th>Rows</th>"
      "<th>Predicted</th><th>Median track, frames</th><th>Gaps</th><th>Longest gap, frames</th>"
      "<th>Median step</th><th>Median sigma_x</th><th>Median sigma_y</th>";
  if (hasScores(run)) html += "<th>Median score</th>";
  html += "</tr></thead><tbody>";
  for (const auto& [number, camera] : run.cameras) html += cameraRow(run, number, camera);
  return html + "</tbody></table></div>";
}

std::string runDetails(const Run& run) {
  if (!run.facts) return {};
  const RunFacts& facts = *run.facts;
  std::string changed, all;
  for (const Setting& setting : facts.settings) {
    const std::string text = escaped(setting.text);
    if (!setting.usual) changed += (changed.empty() ? "<code>" : ", <code>") + text + "</code>";
    all +=
        fmt::format("<li{}><code>{}</code></li>", setting.usual ? "" : " class=\"changed\"", text);
  }
  std::string inputs;
  for (const std::string& input : facts.inputs)
    inputs += fmt::format("<p class=\"input\">{}</p>", escaped(input));
  return fmt::format(
      "<div id=\"run\"><p>Frames of {}; glint {} on {}. Settings: {}.</p>{}"
      "<details><summary>All settings</summary><ul class=\"settings\">{}</ul></details></div>",
      escaped(facts.image), escaped(facts.version), escaped(facts.device),
      changed.empty() ? "all default" : changed + "; the others default", inputs, all);
}

}  // namespace glint::output::report
