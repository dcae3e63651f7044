// The question about settings, or a mask, that would be lost.
#pragma once

#include "ui/model/settings_draft.h"
#include "ui/panels/mask_editor.h"

namespace glint::ui {

/// Main thread.
class QuitDialog {
 public:
  QuitDialog(const WindowTask& task, SettingsDraft& draft, MaskEditor& masks,
             const Messages& messages)
      : task_(task), draft_(draft), masks_(masks), messages_(messages) {}

  bool open() const { return open_; }
  /// Whether the user has said that the window may go, or need not be asked.
  bool allowed() const {
    return answered_ || task_.endsAlone || !(draft_.history().unsaved() || masks_.pending());
  }
  void ask() {
    open_ = opens_ = true;
    problem_.clear();
  }

  /// The dialog, if it is open; whether it was answered just now.
  bool draw();

 private:
  const WindowTask& task_;
  SettingsDraft& draft_;
  MaskEditor& masks_;
  const Messages& messages_;
  std::string problem_;  // why saving has failed
  bool open_ = false, opens_ = false, answered_ = false;
};

}  // namespace glint::ui
