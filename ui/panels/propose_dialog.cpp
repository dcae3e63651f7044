#include "ui/panels/propose_dialog.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/shell/desk/memory_source.h"
#include "app/study/advice/findings.h"
#include "config/printable.h"
#include "ui/draw/dialog.h"
#include "ui/draw/grey_picture.h"
#include "ui/draw/widgets.h"
#include "ui/panels/setting_rows.h"

namespace glint::ui {
namespace {

constexpr float kWide = 50, kHigh = 22;  // font sizes
constexpr float kChanges = 21;           // font sizes, height of the list
constexpr const char* kAdvice =
    "Paint a mask over everything that is not a marker (M), or set \"Regions of interest\", and "
    "try "
    "again.";

}  // namespace

void ProposeDialog::ask(size_t camera) {
  const session::SessionState& state = player_.state();
  if (!state.live && !state.canSeek)
    return messages_.say(
        "settings can be proposed for cameras and recordings only: record this first");
  if (state.live && !state.recent)
    return messages_.say("no frame is in memory: keep some seconds (tab Sources)");
  probe_.reset();
  camera_ = camera;
  outcome_.reset();
  changes_.clear();
  said_.clear();
  failed_ = false;
  open_ = opens_ = true;
  if (state.live)
    recall_.ask(player_, wake_);  // the session is using the camera itself
  else
    probe_ = std::make_unique<shell::SettingsProbe>(task_.device, task_.sources[camera],
                                                    draft_.settings(), wake_);
}

/// Begins to look at the frames that were in memory, once they have been handed over.
void ProposeDialog::followRecall() {
  if (!recall_.asked()) return;
  const auto sets = recall_.take(player_.state());
  if (recall_.asked() || !open_) return;
  auto shots = sets ? shell::shotsOf(*sets, camera_) : std::vector<output::RawShot>();
  if (shots.empty()) {
    failed_ = true;
    said_ = fmt::format("no frame of '{}' is in memory", task_.sources[camera_].shown());
    return;
  }
  probe_ = std::make_unique<shell::SettingsProbe>(
      task_.device, shell::memoryOpener(task_.sources[camera_].shown(), std::move(shots)),
      draft_.settings(), wake_);
}

void ProposeDialog::close() {
  if (probe_) probe_->cancel();
  open_ = false;
}

bool ProposeDialog::running() const {
  return recall_.asked() ||
         (probe_ && probe_->progress().state == shell::BackgroundTask::Progress::State::running);
}

/// Takes the result of the search, once.
void ProposeDialog::follow() {
  followRecall();
  if (!probe_ || running()) return;
  using State = shell::BackgroundTask::Progress::State;
  const auto progress = probe_->progress();
  outcome_ = probe_->outcome();
  probe_.reset();
  if (progress.state == State::failed) {
    failed_ = true;
    said_ = progress.problem;
    if (!open_) messages_.fail(progress.problem);
  }
  if (!outcome_) return;
  const study::Proposal& proposal = outcome_->proposal;
  said_ = fmt::format("{}: {}.", counted(outcome_->frames, "frame"),
                      study::findingOf(proposal).observation);
  if (!proposal.found) said_ += fmt::format(" {}", kAdvice);
  const auto before = listSettings(draft_.settings());
  for (const SettingInfo& after : listSettings(outcome_->settings))
    for (const SettingInfo& known : before)
      if (known.key == after.key && known.value != after.value)
        changes_.push_back({labelOf(after.key), shownValue(draft_.settings(), after.key),
                            shownValue(outcome_->settings, after.key)});
  if (!draft_.settings().filters.empty()) changes_.push_back({"Filters", "on", "none"});
}

void ProposeDialog::drawChanges() const {
  if (changes_.empty()) {
    ImGui::TextWrapped("%s", outcome_->proposal.found
                                 ? "Your current settings are already the best found."
                                 : "No better settings were found.");
    return;
  }
  if (!ImGui::BeginTable("changes", 3, ImGuiTableFlags_RowBg)) return;
  // Sets the widths itself, because a table knows the widths of its contents only in its second
  // picture.
  for (const auto& [column, share] :
       {std::pair{"setting", 2.0F}, {"now", 1.0F}, {"proposed", 1.0F}})
    ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthStretch, share);
  ImGui::TableHeadersRow();
  for (const Change& change : changes_) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(change.label.c_str());
    ImGui::TableNextColumn();
    faint(change.before);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(change.after.c_str());
  }
  ImGui::EndTable();
}

/// Draws the buttons. Returns true if the dialog is to be closed.
bool ProposeDialog::drawButtons() {
  placeDialogButtons();
  if (outcome_ && outcome_->proposal.found && !changes_.empty()) {
    if (button("propose_use", "Use", "Applies these settings (Ctrl+Z undoes this)")) {
      draft_.become(outcome_->settings, "proposed settings");
      return true;
    }
    ImGui::SameLine();
  }
  return button("propose_close", running() ? "Cancel" : "Close") || dialogEscaped();
}

void ProposeDialog::draw(Context&) {
  follow();
  if (!open_) return;
  const float em = ImGui::GetFontSize();
  if (!beginDialog("Propose settings", opens_, {kWide * em, kHigh * em})) return;
  if (running()) {
    const auto progress = probe_ ? probe_->progress() : shell::BackgroundTask::Progress();
    ImGui::TextWrapped("Glint tries settings on a few frames of the %s.",
                       player_.state().live ? "last seconds" : "recording");
    progressBar("propose_progress", progress.frames, progress.total,
                fmt::format("trial {} of at most {}", progress.frames, progress.total.value_or(1)));
  } else if (failed_) {
    dialogProblem("propose_problem", said_);
  } else if (outcome_) {
    ImGui::TextWrapped("%s", said_.c_str());
    named("propose_words");
    const float height = ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeightWithSpacing() - 4;
    const float width = ImGui::GetContentRegionAvail().x;
    drawFound("proposed_picture", outcome_->picture, outcome_->markers,
              {std::max(1.0F, width - kChanges * em), std::max(1.0F, height)});
    ImGui::SameLine();
    ImGui::BeginChild("list", {0, height});
    drawChanges();
    ImGui::EndChild();
  }
  const bool closes = drawButtons();
  if (closes) close();
  endDialog(closes);
}

void ProposeDialog::describe(nlohmann::json& to) const {
  to["proposing"] = open();
  to["proposed"] = said_;
  to["proposed_changes"] = nlohmann::json::array();
  for (const Change& change : changes_)
    to["proposed_changes"].push_back({change.label, change.before, change.after});
}

}  // namespace glint::ui
