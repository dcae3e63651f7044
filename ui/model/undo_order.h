// The steps of the settings and of the tracks' edits, in the order in which they were made.
#pragma once

#include <string>

#include "ui/model/settings_draft.h"
#include "ui/model/track_editor.h"

namespace glint::ui {

/// The order of the steps of the settings and of the edits. It undoes and redoes the latest one of
/// both. Main thread.
class UndoOrder {
 public:
  UndoOrder(SettingsDraft& draft, TrackEditor& editor) : draft_(draft), editor_(editor) {}

  /// Forgets undone steps of one history if a newer step was made in the other. Call it before each
  /// picture.
  void follow();

  /// Return the name of the step that undo() or redo() would take; empty if there is none.
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
