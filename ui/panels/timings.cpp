// What each pass of the latest frames cost on the device, and how late live results are.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/colours.h"
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

struct Plot {
  ImVec2 from, to;
};

Plot beginPlot(float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + ImGui::GetContentRegionAvail().x - 4, from.y + height};
  ImGui::GetWindowDrawList()->AddRectFilled(from, to, IM_COL32(20, 22, 27, 255), 3);
  ImGui::Dummy({to.x - from.x, height + 4});
  return {from, to};
}

/// A column a frame, its passes above each other.
void drawStack(Context& context, const PassColours& colours) {
  const auto& frames = context.passes.frames();
  double most = 1;
  for (const auto& frame : frames) most = std::max(most, sumOf(frame));
  const Plot plot = beginPlot(ImGui::GetFontSize() * 6);
  context.driver.note("pass_times",
                      {plot.from.x, plot.from.y, plot.to.x - plot.from.x, plot.to.y - plot.from.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = (plot.to.x - plot.from.x) / static_cast<float>(PassHistory::kMost);
  const float unit = (plot.to.y - plot.from.y - 2) / static_cast<float>(most);
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
  char text[32];
  snprintf(text, sizeof text, "%.2f ms", most / 1000);
  list.AddText({plot.from.x + 4, plot.from.y + 2}, kFaint, text);
}

void drawLateness(const Lateness& lateness) {
  if (lateness.count() == 0) return;
  ImGui::Text("due to screen: median %.1f ms, 99 %% within %.1f ms", lateness.median() * 1000,
              lateness.p99() * 1000);
}

void drawLatency(Context& context) {
  const Latencies::Summary summary = context.latencies.summary(kLatencyBins);
  if (summary.count == 0) return;
  ImGui::Text("arrival to result: median %.1f ms, 99 %% within %.1f ms", summary.median * 1000,
              summary.p99 * 1000);
  const Plot plot = beginPlot(ImGui::GetFontSize() * 3.6F);
  const uint32_t most = std::max(1U, *std::max_element(summary.bins.begin(), summary.bins.end()));
  const float width = (plot.to.x - plot.from.x) / static_cast<float>(summary.bins.size());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (size_t i = 0; i < summary.bins.size(); ++i) {
    const float x = plot.from.x + width * static_cast<float>(i);
    const float height = (plot.to.y - plot.from.y - 2) * static_cast<float>(summary.bins[i]) /
                         static_cast<float>(most);
    if (height > 0)
      list.AddRectFilled({x, plot.to.y - height}, {x + width - 0.5F, plot.to.y}, kAccent);
  }
  char text[32];
  const int length = snprintf(text, sizeof text, "%.3g ms", summary.most * 1000);
  const float wide = ImGui::CalcTextSize(text, text + length).x;
  list.AddText({plot.to.x - wide - 4, plot.from.y + 2}, kFaint, text);
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

void drawTimings(Context& context) {
  const std::vector<PassTime>& passes = context.state().deviceTimes;
  const PassColours colours(context.passes.frames());
  double most = 1;
  for (const PassTime& pass : passes) most = std::max(most, pass.microseconds);
  ImGui::Text("device: %.2f ms a frame", sumOf(passes) / 1000);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s",
                     context.task.device->info().driver.c_str());
  drawStack(context, colours);
  drawLateness(context.lateness);
  drawLatency(context);
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
