// What is recorded as what, and streamed where to.
#include <string>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"
#include "ui/recording_formats.h"

namespace glint::ui {
namespace {

void faint(const char* text) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s", text);
}

void chooseFormat(Context& context) {
  faint("The next recording is");
  const auto& formats = recordingFormats();
  for (size_t i = 0; i < formats.size(); ++i) {
    if (ImGui::Selectable(formats[i].name.c_str(), i == context.recordAs,
                          ImGuiSelectableFlags_DontClosePopups))
      context.recordAs = i;
    context.driver.note("record_as:" + formats[i].name);
    ImGui::SameLine(ImGui::GetFontSize() * 7);
    faint(formats[i].about.c_str());
  }
}

void drawStreams(Context& context) {
  faint("Every frame's tracks are sent, as they are found, to");
  std::optional<uint64_t> stopped;
  for (const Player::Streaming& stream : context.player.streams()) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(stream.target.c_str());
    ImGui::SameLine(ImGui::GetFontSize() * 22);
    ImGui::PushID(static_cast<int>(stream.id));
    if (ImGui::Button("Stop")) stopped = stream.id;
    context.driver.note("stream_stop:" + stream.target);
    ImGui::PopID();
  }
  if (stopped) context.player.stopStream(*stopped);
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 21);
  auto& typed = context.streamTyped;
  const bool entered = ImGui::InputTextWithHint(
      "##stream", "udp:9000 (JSON), osc:9000; HOST:PORT with --stream-remote", typed.data(),
      typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  context.driver.note("stream_target");
  ImGui::SameLine();
  const std::string target(typed.data());
  ImGui::BeginDisabled(target.empty());
  if ((ImGui::Button("Start") || entered) && !target.empty() && context.player.startStream(target))
    typed.fill(0);
  context.driver.note("stream_start");
  ImGui::EndDisabled();
}

}  // namespace

void drawRecordOptions(Context& context) {
  context.driver.set("record_as", recordingFormats()[context.recordAs].name);
  if (!ImGui::BeginPopup("record options")) return;
  chooseFormat(context);
  ImGui::Separator();
  drawStreams(context);
  ImGui::EndPopup();
}

}  // namespace glint::ui
