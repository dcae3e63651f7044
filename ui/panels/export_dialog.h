// Exports the frames between in and out of a recording.
#pragma once

#include "app/desk/export_range.h"
#include "ui/model/player.h"
#include "ui/model/track_editor.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

/// The dialog, and the export that runs. Main thread.
class ExportDialog {
 public:
  ExportDialog(const WindowTask& task, const Player& player, const TrackEditor& editor,
               Messages& messages, ReportMaker& reports, std::function<void()> wake)
      : task_(task),
        player_(player),
        editor_(editor),
        messages_(messages),
        reports_(reports),
        wake_(std::move(wake)) {}

  /// Asks what to export, and where to.
  void ask();
  bool open() const { return open_; }
  void close();
  /// Whether the window may go, or others be opened in it: where an export runs it asks first.
  bool mayLeave(bool opensOthers);
  /// Ctrl+Q: closes the dialog, or asks; a second time it gives the export up.
  bool mayQuit();
  /// Whether it has asked, and there was no answer yet.
  bool asksToLeave() const { return leaving_.has_value(); }
  bool running() const { return export_ != nullptr; }
  /// Whether to replace existing files.
  bool asks() const { return !overwrites_.empty(); }
  /// What the dialog says of that, or of a failure; may be empty.
  std::string said() const;

  /// The dialog, if it is open; reports how an export has ended. Whether the export was given up
  /// just now, so that the window may go.
  bool draw();

 private:
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
  ExportRequest request() const;

  const WindowTask& task_;
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
  std::unique_ptr<RangeExport> export_;
};

}  // namespace glint::ui
