// One order in time of the steps of the settings and of the tracks' edits.
#pragma once

#include <string>

#include "ui/model/settings_draft.h"
#include "ui/model/track_editor.h"

namespace glint::ui {

/// Main thread.
class UndoOrder {
 public:
  UndoOrder(SettingsDraft& draft, TrackEditor& editor) : draft_(draft), editor_(editor) {}

  /// Before each picture: what was made anew in one of them forgets what was undone in both.
  void follow();

  /// What undo() or redo() would take back or do again, or empty.
  std::string undoName() const;
  std::string redoName() const;
  void undo();
  void redo();

 private:
  bool undoesTracks() const { return editor_.undoAt() > draft_.history().undoAt(); }
  bool redoesTracks() const { return editor_.redoAt() < draft_.history().redoAt(); }

  SettingsDraft& draft_;
  TrackEditor& editor_;
};

}  // namespace glint::ui
