#include "ui/panels/record.h"

#include "ui/draw/widgets.h"
#include "ui/panels/take_fields.h"

namespace glint::ui {

void RecordOptions::choose(const std::string& name) {
  for (size_t i = 0; i < choices_.size(); ++i)
    if (choices_[i].name == name) format_ = i;
}

output::OutputSpec RecordOptions::spec() const {
  output::OutputSpec spec = chosen().spec;
  spec.options.take = output::allowedOptions(take_, chosen());
  return spec;
}

void RecordOptions::chooseFormat() {
  faint("Record as");
  for (size_t i = 0; i < choices_.size(); ++i) {
    if (selectable("record_as:" + choices_[i].name, choices_[i].name, i == format_)) format_ = i;
    ImGui::SameLine(ImGui::GetFontSize() * (space_ ? 8 : 7));
    faint(choices_[i].about);
  }
  if (space_) drawTakeFields("record", chosen(), bodies_, take_);
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
