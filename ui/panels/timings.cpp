#include "ui/panels/timings.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kLatencyBins = 48;

double sumOf(const std::vector<gpu::PassTime>& passes) {
  double sum = 0;
  for (const gpu::PassTime& pass : passes) sum += pass.microseconds;
  return sum;
}

/// The names of all passes, by which each pass keeps its colour.
using PassNames = std::set<std::string>;

ImU32 colourOf(const PassNames& names, const std::string& name) {
  const auto number = static_cast<size_t>(std::distance(names.begin(), names.lower_bound(name)));
  // There are seven colours, and then the same ones darker.
  return withAlpha(colourOfTrack(TrackId(number)),
                   number < output::kTrackColours.size() ? 1.0F : 0.55F);
}

/// Draws a column for each timed frame, with its passes on top of each other.
void drawStack(const std::deque<std::vector<gpu::PassTime>>& frames, const PassNames& names) {
  double most = 1;
  for (const auto& frame : frames) most = std::max(most, sumOf(frame));
  const Plot plot = beginPlot(ImGui::GetFontSize() * 6);
  ImGui::Dummy({plot.width(), plot.height() + 6});
  named("pass_times");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = plot.width() / static_cast<float>(Timings::kMostFrames);
  const float unit = plot.height() / static_cast<float>(most);
  float x = plot.to.x - width * static_cast<float>(frames.size());
  for (const auto& frame : frames) {
    float y = plot.to.y;
    for (const gpu::PassTime& pass : frame) {
      const float height = unit * static_cast<float>(pass.microseconds);
      if (height > 0.3F)
        list.AddRectFilled({x, y - height}, {x + width, y}, colourOf(names, pass.name));
      y -= height;
    }
    x += width;
  }
  list.AddText({plot.from.x + 4, plot.from.y + 2}, kFaint,
               fmt::format("{:.2f} ms", most / 1000).c_str());
}

void drawPercentiles(const char* name, double median, double p99) {
  ImGui::Text("%s: median %.1f ms, 99 %% within %.1f ms", name, median * 1000, p99 * 1000);
}

void drawArrivals(const Latencies& latencies) {
  const Latencies::Summary summary = latencies.summary(kLatencyBins);
  if (summary.count == 0) return;
  drawPercentiles("arrival to result", summary.median, summary.p99);
  const Plot plot = beginPlot(ImGui::GetFontSize() * 3.6F);
  ImGui::Dummy({plot.width(), plot.height() + 6});
  plot.drawBars(summary.bins, kAccent);
  const std::string words = fmt::format("{:.3g} ms", summary.most * 1000);
  ImGui::GetWindowDrawList()->AddText(
      {plot.to.x - ImGui::CalcTextSize(words.c_str()).x - 4, plot.from.y + 2}, kFaint,
      words.c_str());
}

void drawPass(const gpu::PassTime& pass, double most, ImU32 colour) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  std::string name = pass.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  ImGui::TextUnformatted(name.c_str());
  ImGui::TableNextColumn();
  columnNumber(kText, fmt::format("{:.1f}", pass.microseconds), "00000.0");
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  const auto share = static_cast<float>(pass.microseconds / most);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + 2}, {at.x + std::max(2.0F, width * share), at.y + height - 2}, colour, 2);
  ImGui::Dummy({width, height});
}

}  // namespace

void TimingsPanel::draw(Context& context) {
  const WindowModel& model = context.model;
  const std::vector<gpu::PassTime>& passes = model.state().deviceTimes;
  PassNames names;
  for (const auto& frame : model.timings.passes)
    for (const gpu::PassTime& pass : frame) names.insert(pass.name);
  double most = 1;
  for (const gpu::PassTime& pass : passes) most = std::max(most, pass.microseconds);
  ImGui::Text("device: %.2f ms per frame", sumOf(passes) / 1000);
  faint(model.task.device->info().driver);
  drawStack(model.timings.passes, names);
  if (const DisplayLatency& display = model.timings.display; display.count() > 0)
    drawPercentiles("due to screen", display.median(), display.p99());
  drawArrivals(model.timings.arrivals);
  if (!ImGui::BeginTable(
          "passes", 3,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit))
    return;
  ImGui::TableSetupColumn("pass");
  ImGui::TableSetupColumn("\u00b5s");
  ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (const gpu::PassTime& pass : passes) drawPass(pass, most, colourOf(names, pass.name));
  ImGui::EndTable();
}

}  // namespace glint::ui
