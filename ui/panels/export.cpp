#include "ui/panels/export.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/capture/source_kinds.h"
#include "app/desk/folder_list.h"
#include "app/desk/user_files.h"
#include "app/sinks/formats.h"
#include "config/error.h"
#include "config/printable.h"
#include "ui/colours.h"
#include "ui/context.h"

namespace glint::ui {
namespace {

/// What there is beside the formats of tracks.
struct Other {
  const char *name, *about, *suffix;
  ExportFile::Kind kind;
};
constexpr std::array kOthers{
    Other{"detections", "every detection, before tracking", ".detections.csv",
          ExportFile::Kind::detections},
    Other{"statistics", "of every frame", ".stats.csv", ExportFile::Kind::stats},
    Other{"rejected", "candidates that are no markers, with the reason", ".rejected.csv",
          ExportFile::Kind::rejected},
    Other{"video", "every frame with markers, ids and trails", ".seen.mp4",
          ExportFile::Kind::overlay}};

std::string nameOf(size_t format) {
  const auto tracks = trackFormats();
  return format < tracks.size() ? std::string(tracks[format].name)
                                : kOthers[format - tracks.size()].name;
}

std::string aboutOf(size_t format) {
  const auto tracks = trackFormats();
  return format < tracks.size() ? std::string(tracks[format].about)
                                : kOthers[format - tracks.size()].about;
}

std::string suffixOf(size_t format) {
  const auto tracks = trackFormats();
  return format < tracks.size() ? std::string(tracks[format].suffixes.front())
                                : kOthers[format - tracks.size()].suffix;
}

/// "take.mp4" -> "take", in the folder that the program was begun in.
std::string stemOf(const Context& context) {
  const std::string& first = context.task.sources.front();
  std::string stem = isPathSource(first) ? std::filesystem::path(first).stem().string() : "tracks";
  if (stem.empty() || stem.find('%') != std::string::npos) stem = "tracks";
  return std::filesystem::absolute(stem).string();
}

}  // namespace

void Exporting::ask(Context& context) {
  if (context.state().live || !context.state().canSeek) {
    context.messages.say("only recordings can be exported: record instead");
    return;
  }
  if (!open_ && file_.empty()) file_ = newFileName(stemOf(context), suffixOf(format_));
  open_ = opens_ = true;
  overwrites_.clear();
}

ExportWish Exporting::wish(const Context& context) const {
  const SessionState& state = context.state();
  ExportFile file{.path = file_, .format = {}};
  const auto tracks = trackFormats();
  if (format_ < tracks.size())
    file.format = tracks[format_].name;
  else
    file.kind = kOthers[format_ - tracks.size()].kind;
  return {.sources = context.task.sources,
          .settings = state.settings,
          .in = whole_ ? 0 : state.in,
          .out = whole_ ? std::nullopt : state.out,
          .files = {file}};
}

void Exporting::drawFormats(Context& context) {
  const size_t count = trackFormats().size() + kOthers.size();
  if (!ImGui::BeginCombo("Format", nameOf(format_).c_str(), ImGuiComboFlags_HeightLarge)) {
    context.driver.note("export_format");
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string before = suffixOf(format_);
    if (ImGui::Selectable(nameOf(i).c_str(), i == format_)) {
      format_ = i;
      if (file_.ends_with(before)) file_.erase(file_.size() - before.size());
      file_ = newFileName(file_, suffixOf(i));
      overwrites_.clear();
    }
    context.driver.note("export_format:" + nameOf(i));
    ImGui::SameLine(ImGui::GetFontSize() * 8);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s", aboutOf(i).c_str());
  }
  ImGui::EndCombo();
}

void Exporting::drawFile(Context& context) {
  char text[4096] = {};
  file_.copy(text, sizeof text - 1);
  if (ImGui::InputText("File", text, sizeof text)) overwrites_.clear();
  file_ = text;
  context.driver.note("export_file");
  const SessionState& state = context.state();
  const bool part = state.in > 0 || state.out;
  const std::string range =
      part && !whole_ ? fmt::format("frames {} to {}", state.in,
                                    state.out ? std::to_string(*state.out) : "the last one")
                      : std::string("the whole recording");
  ImGui::TextUnformatted(fmt::format("Exports {}, with the settings in force.", range).c_str());
  if (!part) return;
  ImGui::Checkbox("All frames", &whole_);
  context.driver.note("export_all");
}

void Exporting::begin(Context& context) {
  try {
    const ExportWish wanted = wish(context);
    for (const std::string& file : filesOf(wanted)) {
      std::error_code error;
      if (!std::filesystem::exists(file, error) || overwrites_ == file_) continue;
      overwrites_ = file_;
      return;
    }
    export_ = std::make_unique<RangeExport>(context.task.device, wanted, context.wake);
  } catch (const Error& error) {
    context.messages.fail(error.what());
  }
}

void Exporting::drawProgress(Context& context) {
  const RangeExport::Progress progress = export_->progress();
  const uint64_t total = std::max<uint64_t>(progress.total.value_or(0), 1);
  const float share =
      progress.total ? static_cast<float>(progress.frames) / static_cast<float>(total) : 0.0F;
  ImGui::ProgressBar(share, {-1, 0}, fmt::format("{} frames", progress.frames).c_str());
  if (ImGui::Button("Cancel the export")) export_->cancel();
  context.driver.note("export_cancel");
}

void Exporting::drawButtons(Context& context) {
  if (!overwrites_.empty())
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kWarning),
                       "There are such files already: replace them?");
  ImGui::BeginDisabled(file_.empty());
  if (ImGui::Button(overwrites_.empty() ? "Export" : "Replace")) begin(context);
  context.driver.note("export_ok");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Close") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) close();
  context.driver.note("export_close");
}

/// Tells how it has ended, once.
void Exporting::follow(Context& context) {
  if (!export_) return;
  using State = RangeExport::Progress::State;
  const RangeExport::Progress progress = export_->progress();
  if (progress.state == State::running) return;
  export_.reset();
  overwrites_.clear();
  if (!progress.problem.empty()) context.messages.fail(progress.problem);
  if (progress.state == State::cancelled)
    context.messages.note("the export was cancelled; nothing was written");
  if (progress.state != State::done) return;
  context.messages.note("exported " + printable(file_));
  if (nameOf(format_) == "csv") context.reporting.remember(file_);
  close();
}

void Exporting::draw(Context& context) {
  follow(context);
  context.driver.set("export", open_);
  context.driver.set("exporting", running());
  context.driver.set("export_asks", !overwrites_.empty());
  if (!open_) return;
  if (std::exchange(opens_, false)) ImGui::OpenPopup("export");
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  // Of a height that does not depend on its content, so that it never moves.
  ImGui::SetNextWindowSize(
      {std::min(size.x * 0.9F, ImGui::GetFontSize() * 40), ImGui::GetFrameHeightWithSpacing() * 8});
  if (!ImGui::BeginPopupModal("export", nullptr,
                              ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoSavedSettings))
    return;
  ImGui::TextUnformatted("Export");
  ImGui::BeginDisabled(running());
  drawFormats(context);
  drawFile(context);
  ImGui::EndDisabled();
  running() ? drawProgress(context) : drawButtons(context);
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace glint::ui
