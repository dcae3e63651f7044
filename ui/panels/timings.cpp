// What each pass of the newest frame cost on the device.
#include <algorithm>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"

namespace glint::ui {

void drawTimings(Context& context) {
  const std::vector<PassTime>& passes = context.state().deviceTimes;
  double all = 0, most = 1;
  for (const PassTime& pass : passes) {
    all += pass.microseconds;
    most = std::max(most, pass.microseconds);
  }
  ImGui::Text("device: %.2f ms a frame", all / 1000);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s",
                     context.task.device->info().driver.c_str());
  if (!ImGui::BeginTable(
          "passes", 3,
          ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit))
    return;
  ImGui::TableSetupColumn("pass");
  ImGui::TableSetupColumn("us");
  ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (const PassTime& pass : passes) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(pass.name.c_str());
    ImGui::TableNextColumn();
    ImGui::Text("%7.1f", pass.microseconds);
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeight();
    const auto share = static_cast<float>(pass.microseconds / most);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + 2}, {at.x + width * share, at.y + height - 2}, withAlpha(kAccent, 0.7F), 2);
    ImGui::Dummy({width, height});
  }
  ImGui::EndTable();
}

}  // namespace glint::ui
