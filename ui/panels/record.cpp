#include "ui/panels/record.h"

#include "app/output/catalog/outputs.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void RecordOptions::chooseFormat() {
  faint("Record as");
  const auto& formats = output::recordingChoices();
  for (size_t i = 0; i < formats.size(); ++i) {
    if (selectable("record_as:" + formats[i].name, formats[i].name, i == format)) format = i;
    ImGui::SameLine(ImGui::GetFontSize() * 7);
    faint(formats[i].about);
  }
}

void RecordOptions::drawStreams(Player& player) {
  faint("Send the tracks of every frame to");
  std::optional<uint64_t> stopped;
  for (const Player::Streaming& stream : player.streams()) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(stream.target.c_str());
    ImGui::SameLine(ImGui::GetFontSize() * 22);
    ImGui::PushID(static_cast<int>(stream.id));
    if (button("stream_stop:" + stream.target, "Stop")) stopped = stream.id;
    ImGui::PopID();
  }
  if (stopped) player.stopStream(*stopped);
  const bool entered =
      textField("stream_target", typed_, ImGui::GetFontSize() * 21, "udp:9000 (JSON) or osc:9000",
                ImGuiInputTextFlags_EnterReturnsTrue);
  hint("Another computer's HOST:PORT needs --stream-remote");
  ImGui::SameLine();
  const std::string target(typed_.data());
  const bool starts = button("stream_start", "Start", "", {}, !target.empty()) || entered;
  if (starts && !target.empty() && player.startStream(target)) typed_.fill(0);
}

void RecordOptions::draw(Player& player) {
  const ImVec2 corner = ImGui::GetItemRectMax();  // the corner of the button that opens the popup
  ImGui::SetNextWindowPos({corner.x, corner.y + wholePx(4)}, ImGuiCond_Always, {1, 0});
  if (!ImGui::BeginPopup("record options")) return;
  chooseFormat();
  ImGui::Separator();
  drawStreams(player);
  nameWindow("record_list");
  ImGui::EndPopup();
}

}  // namespace glint::ui
