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
  /// Ctrl+Q: closes the dialog; an export that runs must be given up first.
  bool mayQuit();
  bool running() const { return export_ != nullptr; }
  /// Whether to replace existing files.
  bool asks() const { return !overwrites_.empty(); }
  /// What the dialog says of that, or of a failure; may be empty.
  std::string said() const;

  /// The dialog, if it is open; reports how an export has ended.
  void draw();

 private:
  void drawFormats();
  void drawFile();
  void drawProgress();
  void drawButtons();
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
  bool open_ = false, opens_ = false;
  size_t format_ = 0;  // of exportChoices()
  bool whole_ = false;
  std::string file_;
  std::vector<std::string> overwrites_;  // files that are there, asked about
  std::string problem_;                  // why the last try has failed
  std::unique_ptr<RangeExport> export_;
};

}  // namespace glint::ui
