// What each pass of the latest frames cost on the device, and how late live results are.
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr size_t kLatencyBins = 48;

double sumOf(const std::vector<PassTime>& passes) {
  double sum = 0;
  for (const PassTime& pass : passes) sum += pass.microseconds;
  return sum;
}

/// Each pass keeps its colour for as long as it is there.
class PassColours {
 public:
  explicit PassColours(const std::deque<std::vector<PassTime>>& frames) {
    for (const auto& frame : frames)
      for (const PassTime& pass : frame) numbers_.emplace(pass.name, 0);
    size_t next = 0;
    for (auto& [name, number] : numbers_) number = next++;
  }
  ImU32 of(const std::string& name) const {
    const auto found = numbers_.find(name);
    const size_t number = found == numbers_.end() ? 0 : found->second;
    // Seven colours, then the same ones darker.
    const float share = number < kTrackColours.size() ? 1.0F : 0.55F;
    return withAlpha(kTrackColours[number % kTrackColours.size()], share);
  }

 private:
  std::map<std::string, size_t> numbers_;
};

/// A column a frame, its passes above each other.
void drawStack(const std::deque<std::vector<PassTime>>& frames, const PassColours& colours) {
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
    for (const PassTime& pass : frame) {
      const float height = unit * static_cast<float>(pass.microseconds);
      if (height > 0.3F) list.AddRectFilled({x, y - height}, {x + width, y}, colours.of(pass.name));
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

void drawPass(const PassTime& pass, double most, ImU32 colour) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(pass.name.c_str());
  ImGui::TableNextColumn();
  ImGui::Text("%7.1f", pass.microseconds);
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  const auto share = static_cast<float>(pass.microseconds / most);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + 2}, {at.x + std::max(2.0F, width * share), at.y + height - 2}, colour, 2);
  ImGui::Dummy({width, height});
}

}  // namespace

void drawTimings(const WindowModel& model) {
  const std::vector<PassTime>& passes = model.state.deviceTimes;
  const PassColours colours(model.timings.passes);
  double most = 1;
  for (const PassTime& pass : passes) most = std::max(most, pass.microseconds);
  ImGui::Text("device: %.2f ms a frame", sumOf(passes) / 1000);
  faint(model.task.device->info().driver);
  drawStack(model.timings.passes, colours);
  if (const DisplayLatency& display = model.timings.display; display.count() > 0)
    drawPercentiles("due to screen", display.median(), display.p99());
  drawArrivals(model.timings.arrivals);
  if (!ImGui::BeginTable(
          "passes", 3,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit))
    return;
  ImGui::TableSetupColumn("pass");
  ImGui::TableSetupColumn("us");
  ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (const PassTime& pass : passes) drawPass(pass, most, colours.of(pass.name));
  ImGui::EndTable();
}

}  // namespace glint::ui
