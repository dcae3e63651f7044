// The export of the frames between the in and out points of a recording.
#pragma once

#include "app/shell/desk/export_range.h"
#include "ui/context/context.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

/// The dialog, and the export that runs in the background. Main thread.
class ExportDialog {
 public:
  ExportDialog(Context& context, ReportMaker& reports)
      : task_(context.model.task),
        choices_(output::exportChoices(context.model.task.results())),
        player_(context.model.player),
        editor_(context.model.editor),
        messages_(context.messages),
        reports_(reports),
        wake_(context.actions.wake) {}

  /// Opens the dialog, in which the user chooses what to export, and into which file.
  void ask();
  bool open() const { return open_; }
  void close();
  /// Returns true if the window may close, or open other sources. If an export is running, asks the
  /// user first, and returns false.
  bool mayLeave(bool opensOthers);
  /// Handles Ctrl+Q: closes the dialog, or asks the user if an export is running. A second Ctrl+Q
  /// gives the export up. Returns true if the window may close.
  bool mayQuit();
  /// Returns true while that question has no answer.
  bool asksToLeave() const { return leaving_.has_value(); }

  /// Draws the dialog if it is open, and tells the user how an export has ended. Leaves the session
  /// if the export was given up in order to leave.
  void draw(Context& context);
  /// Writes what is asked, and how the export proceeds, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  bool running() const { return export_ != nullptr; }
  /// Returns the words about existing files, or about a failure; may be empty.
  std::string said() const;
  const output::OutputChoice& choice() const { return choices_[format_]; }
  void drawFormats();
  void drawFile();
  std::string progressWords() const;
  void drawProgress();
  bool drawButtons();
  bool drawQuestion();
  void giveUp();
  void drawOutcome();
  void forget();
  void fail(const std::string& problem);
  void begin();
  void follow();
  shell::ExportRequest request() const;

  const shell::WindowTask& task_;
  const std::vector<output::OutputChoice> choices_;
  const Player& player_;
  const TrackEditor& editor_;
  Messages& messages_;
  ReportMaker& reports_;
  std::function<void()> wake_;
  // opens_: ImGui has not been asked yet to open the dialog; givenUp_: the user has ended the
  // export.
  bool open_ = false, opens_ = false, givenUp_ = false;
  // Set while asking to leave; true if other sources are to be opened.
  std::optional<bool> leaving_;
  size_t format_ = 0;  // index in choices_
  output::TakeOptions take_;
  bool whole_ = false;  // true if all frames are exported, not only the chosen range
  std::string file_;
  std::vector<std::string> overwrites_;  // existing files that the user is asked about
  std::string problem_;                  // why the last try failed
  std::string cancelled_;                // words that the user has cancelled the export; or empty
  std::unique_ptr<shell::RangeExport> export_;
};

}  // namespace glint::ui
