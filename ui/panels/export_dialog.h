// Exports the frames between in and out of a recording.
#pragma once

#include "app/shell/desk/export_range.h"
#include "ui/context/context.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

/// The dialog, and the export that runs. Main thread.
class ExportDialog {
 public:
  ExportDialog(Context& context, ReportMaker& reports)
      : task_(context.model.task),
        player_(context.model.player),
        editor_(context.model.editor),
        messages_(context.messages),
        reports_(reports),
        wake_(context.actions.wake) {}

  /// Asks what to export, and where to.
  void ask();
  bool open() const { return open_; }
  void close();
  /// Returns true if the window may close, or open other sources. If an export runs, asks first.
  bool mayLeave(bool opensOthers);
  /// Ctrl+Q: closes the dialog, or asks; a second time it gives the export up.
  bool mayQuit();
  /// True while that question has no answer.
  bool asksToLeave() const { return leaving_.has_value(); }

  /// Draws the dialog, if it is open, and reports how an export has ended. Leaves the session where
  /// the export was given up for that.
  void draw(Context& context);
  /// Tells tests what is asked, and how the export goes.
  void describe(nlohmann::json& to) const;

 private:
  bool running() const { return export_ != nullptr; }
  /// Returns what the dialog says of existing files, or of a failure; may be empty.
  std::string said() const;
  void drawFormats();
  void drawFile();
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
  const Player& player_;
  const TrackEditor& editor_;
  Messages& messages_;
  ReportMaker& reports_;
  std::function<void()> wake_;
  bool open_ = false, opens_ = false, givenUp_ = false;
  std::optional<bool> leaving_;  // that was asked: whether others are to be opened
  size_t format_ = 0;            // of exportChoices()
  bool whole_ = false;
  std::string file_;
  std::vector<std::string> overwrites_;  // files that are there, asked about
  std::string problem_;                  // why the last try has failed
  std::string cancelled_;                // or that it was cancelled, as the user wanted
  std::unique_ptr<shell::RangeExport> export_;
};

}  // namespace glint::ui
