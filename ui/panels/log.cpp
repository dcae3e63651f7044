#include "app/base/log.h"

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"

namespace glint::ui {

void drawLog(Context& context) {
  context.messages.markRead();
  ImGui::BeginChild("lines");
  ImGui::PushTextWrapPos(0);
  const RecentLog log = recentLog();
  for (const std::string& line : log.lines) {
    ImU32 colour = kFaint;
    if (line.find(" error:") != std::string::npos) colour = kRecord;
    if (line.find(" warning:") != std::string::npos) colour = kWarning;
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(line.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

}  // namespace glint::ui
