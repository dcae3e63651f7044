#include "ui/panels/log.h"

#include <nlohmann/json.hpp>

#include "app/base/log.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void LogPanel::draw(Context& context) {
  context.messages.markRead();
  ImGui::BeginChild("lines");
  ImGui::PushTextWrapPos(0);
  const base::RecentLog log = base::recentLog();
  for (const std::string& line : log.lines) {
    ImU32 colour = kFaint;
    if (line.find(" error:") != std::string::npos) colour = kRecord;
    if (line.find(" warning:") != std::string::npos) colour = kWarning;
    text(colour, line);
  }
  ImGui::PopTextWrapPos();
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

void LogPanel::describe(nlohmann::json& to) const {
  const base::RecentLog log = base::recentLog();
  to["last_line"] = log.lines.empty() ? "" : log.lines.back();
}

}  // namespace glint::ui
