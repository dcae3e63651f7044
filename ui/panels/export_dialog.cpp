#include "ui/panels/export_dialog.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture/source/source_kinds.h"
#include "app/shell/desk/folder_list.h"
#include "config/error.h"
#include "config/printable.h"
#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"
#include "ui/panels/take_fields.h"

namespace glint::ui {
namespace {

constexpr float kOutcomeLines = 4;
constexpr float kExportColumn = 5;  // font sizes, width of the fields' names

/// Draws the name of the next field. The field takes all the remaining width if `wide`.
void nameField(const char* name, bool wide = true) {
  ImGui::AlignTextToFramePadding();
  faint(name);
  ImGui::SameLine(ImGui::GetFontSize() * kExportColumn);
  if (wide) ImGui::SetNextItemWidth(-1);
}

/// Returns the stem of a new file in the working folder: "take" for "take.mp4" and for
/// "take.raw.mkv".
std::string stemOf(const std::string& first) {
  std::string stem =
      capture::isPathSource(first) ? std::filesystem::path(first).stem().string() : "tracks";
  constexpr std::string_view kRaw = ".raw";
  if (stem.ends_with(kRaw)) stem.erase(stem.size() - kRaw.size());
  if (stem.empty() || stem.find('%') != std::string::npos) stem = "tracks";
  return std::filesystem::absolute(stem).string();
}

/// Returns a file name that does not exist yet. A dot in the stem does not begin a suffix.
std::string newNameOf(const std::string& stem, const std::string& suffix) {
  return shell::newFileName(stem + suffix, suffix);
}

}  // namespace

void ExportDialog::ask() {
  if (player_.state().live || !player_.state().canSeek) {
    messages_.say("live sources cannot be exported; record instead");
    return;
  }
  if (!open_ && file_.empty())
    file_ = newNameOf(stemOf(task_.sources.front().shown()), choice().suffix);
  open_ = opens_ = true;
  forget();
}

/// Removes the messages about an earlier try, because another export is being asked for.
void ExportDialog::forget() {
  overwrites_.clear();
  for (std::string* words : {&problem_, &cancelled_}) {
    if (!words->empty()) messages_.dismiss(*words);  // the user has read it in the dialog
    words->clear();
  }
}

void ExportDialog::close() {
  forget();
  open_ = false;
}

bool ExportDialog::mayLeave(bool opensOthers) {
  if (!running() || givenUp_) return true;
  leaving_ = opensOthers;
  return false;
}

bool ExportDialog::mayQuit() {
  if (leaving_) giveUp();
  if (!mayLeave(false)) return false;
  close();
  return true;
}

/// Cancels the export at once, even if the window stays open for another reason.
void ExportDialog::giveUp() {
  export_->cancel();
  givenUp_ = true;
  leaving_.reset();
}

void ExportDialog::fail(const std::string& problem) {
  messages_.fail(problem);
  problem_ = problem;
}

shell::ExportRequest ExportDialog::request() const {
  output::OutputSpec output = choice().spec;
  output.target = file_;
  output.options.take = output::allowedOptions(take_, choice());
  return {.sources = task_.sources,
          .settings = *player_.state().settings,
          .config = task_.settingsFile,
          .edits = editor_.edits(),
          .editsFile = task_.editsFile,
          .in = whole_ ? SetIndex() : player_.in(),
          .out = whole_ ? std::nullopt : player_.out(),
          .outputs = {output},
          .rig = task_.rig,
          .bodies = task_.bodies};
}

void ExportDialog::drawFormats() {
  nameField("Format");
  const bool chooses =
      ImGui::BeginCombo("##format", choice().name.c_str(), ImGuiComboFlags_HeightLarge);
  if (!chooses) named("export_format");
  for (size_t i = 0; chooses && i < choices_.size(); ++i) {
    const std::string before = choice().suffix;
    if (selectable("export_format:" + choices_[i].name, choices_[i].name, i == format_)) {
      format_ = i;
      if (file_.ends_with(before))
        file_ = newNameOf(file_.substr(0, file_.size() - before.size()), choices_[i].suffix);
      forget();
    }
    ImGui::SameLine(ImGui::GetFontSize() * 8);
    faint(choices_[i].about);
  }
  if (chooses) ImGui::EndCombo();
  nameField("", false);
  faint(choice().about);
  if (!task_.rig) return;
  nameField("In space", false);
  if (drawTakeFields("export", choice(), task_.bodies != nullptr, take_)) forget();
}

void ExportDialog::drawFile() {
  char text[4096] = {};
  file_.copy(text, sizeof text - 1);
  nameField("File");
  noteLetters(file_);
  if (named("export_file", ImGui::InputText("##file", text, sizeof text))) forget();
  file_ = text;
  const bool part = player_.in() > SetIndex() || player_.out();
  const std::string range =
      part && !whole_ ? fmt::format("{} to {}", player_.in(),
                                    player_.out() ? fmt::to_string(*player_.out()) : "the last one")
                      : std::string("all");
  nameField("Frames", false);
  ImGui::TextUnformatted(fmt::format("{}, with the current settings", range).c_str());
  if (!part) return;
  beside(16);
  checkbox("export_all", "All frames", whole_);
}

void ExportDialog::begin() {
  try {
    const shell::ExportRequest wanted = request();
    shell::checkExport(wanted);
    std::vector<std::string> there = shell::filesOf(wanted);
    std::erase_if(there, [](const std::string& file) {
      std::error_code error;
      return !std::filesystem::exists(file, error);
    });
    if (!there.empty() && there != overwrites_) {  // asks about new files only
      forget();
      overwrites_ = std::move(there);
      return;
    }
    forget();
    export_ = std::make_unique<shell::RangeExport>(task_.device, wanted, wake_);
  } catch (const Error& error) {
    fail(error.what());
  }
}

std::string ExportDialog::said() const {
  if (leaving_)
    return fmt::format(
        "The export is still running. {} and leave it unfinished? Nothing of it "
        "will be kept.",
        *leaving_ ? "Open other sources" : "Quit");
  if (!problem_.empty()) return problem_;
  if (overwrites_.empty()) return cancelled_;
  std::vector<std::string> names;
  for (const std::string& file : overwrites_)
    names.push_back(printable(std::filesystem::path(file).filename().string()));
  return fmt::format(
      "{} already there. Replace {}?",
      fmt::format("{} {}", fmt::join(names, " and "), names.size() == 1 ? "is" : "are"),
      names.size() == 1 ? "it" : "them");
}

/// Draws the progress, and words about the result, in as many lines as the dialog has room for.
void ExportDialog::drawOutcome() {
  const std::string words = said();
  ImGui::BeginChild("outcome", {0, ImGui::GetTextLineHeightWithSpacing() * kOutcomeLines});
  if (running()) drawProgress();
  const bool asked = leaving_ || !overwrites_.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, asked ? kWarning : problem_.empty() ? kText : kRecord);
  ImGui::TextWrapped("%s", words.c_str());
  ImGui::PopStyleColor();
  ImGui::EndChild();
  named("export_outcome");
}

/// Returns the words of the progress bar: "48 of 300 frames, to find the edited tracks".
std::string ExportDialog::progressWords() const {
  if (!running()) return "";
  const shell::RangeExport::Progress progress = export_->progress();
  std::string words =
      progress.total ? fmt::format("{} of {}", progress.frames, counted(*progress.total, "frame"))
                     : counted(progress.frames, "frame");
  if (progress.passes > 1)
    words += progress.pass == 1 ? ", to find the edited tracks" : ", to write them";
  return words;
}

void ExportDialog::drawProgress() {
  const shell::RangeExport::Progress progress = export_->progress();
  const uint64_t total = progress.total.value_or(0);
  progressBar("export_progress", (progress.pass - 1) * total + progress.frames,
              progress.passes * total, progressWords());
}

bool ExportDialog::drawQuestion() {
  const bool leaves = button("export_leave", *leaving_ ? "Stop the export" : "Quit");
  ImGui::SameLine();
  if (button("export_stay", "Continue exporting") || dialogEscaped()) leaving_.reset();
  if (leaves) giveUp();
  return leaves;
}

/// Draws the buttons. Returns true if the running export is given up in order to leave. *Export*
/// keeps its place, so that the second click of a double click neither answers the question that it
/// raised nor cancels the export that it began.
bool ExportDialog::drawButtons() {
  if (leaving_) return drawQuestion();
  const bool can = !file_.empty() && !running() && overwrites_.empty();
  if (button("export_ok", "Export", "", {}, can)) begin();
  ImGui::SameLine();
  if (running()) {
    if (button("export_cancel", "Cancel the export")) export_->cancel();
    return false;
  }
  if (!overwrites_.empty()) {
    if (button("export_replace", "Replace")) begin();
    ImGui::SameLine();
  }
  if (button("export_close", "Close") || dialogEscaped()) close();
  return false;
}

/// Tells the user, once, how the export has ended.
void ExportDialog::follow() {
  if (!export_) return;
  using State = shell::RangeExport::Progress::State;
  const shell::RangeExport::Progress progress = export_->progress();
  if (progress.state == State::running) return;
  const size_t unmatched = export_->unmatched();
  export_.reset();
  overwrites_.clear();
  leaving_.reset();
  givenUp_ = false;
  if (progress.state == State::cancelled) {
    cancelled_ = "the export was cancelled; nothing was written";
    messages_.note(cancelled_);
  }
  if (progress.state == State::failed) fail(progress.problem);
  if (progress.state == State::done && !progress.problem.empty())
    // The recording has broken off; this message outlasts the dialog.
    messages_.fail(progress.problem);
  if (progress.state != State::done) return;
  messages_.note("exported " + printable(file_));
  if (unmatched > 0)
    messages_.fail(fmt::format(
        "{} no track with these settings and {} not in the export: see Edits in the tab Tracks",
        unmatched == 1 ? std::string("an edit matches") : fmt::format("{} edits match", unmatched),
        unmatched == 1 ? "is" : "are"));
  if (choice().name == "csv") reports_.remember(file_);
  close();
}

void ExportDialog::draw(Context& context) {
  follow();
  if (!open_) return;
  // The dialog's height does not depend on its content, so that it never moves.
  const ImVec2 size{ImGui::GetFontSize() * 40,
                    ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y +
                        ImGui::GetFrameHeightWithSpacing() * (task_.rig ? 6 : 5) +
                        ImGui::GetTextLineHeightWithSpacing() * kOutcomeLines};
  if (!beginDialog("Export", opens_, size)) return;
  ImGui::BeginDisabled(running());
  drawFormats();
  drawFile();
  ImGui::EndDisabled();
  drawOutcome();
  const bool leaves = drawButtons();
  endDialog(!open_);
  if (leaves) context.actions.leave();
}

void ExportDialog::describe(nlohmann::json& to) const {
  to["export"] = open();
  to["exporting"] = running();
  to["export_asks"] = !overwrites_.empty();
  to["export_says"] = said();
  to["export_progress"] = progressWords();
}

}  // namespace glint::ui
