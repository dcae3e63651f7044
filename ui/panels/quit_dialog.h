// The question about changed settings, or a mask, that would be lost if the window closes or opens
// other sources.
#pragma once

#include "ui/context/context.h"
#include "ui/panels/mask_editor.h"

namespace glint::ui {

/// The dialog *Quit*, or *Open other sources*. Main thread.
class QuitDialog {
 public:
  QuitDialog(Context& context, MaskEditor& masks)
      : task_(context.model.task),
        draft_(context.model.draft),
        masks_(masks),
        messages_(context.messages) {}

  bool open() const { return open_; }
  /// Returns true if the window may close, or open other sources: the user has agreed, or nothing
  /// would be lost. Other sources keep the settings, unless they are those of a project, but no
  /// mask.
  bool allowed(bool keepsSettings) const {
    const bool unsaved = !keepsSettings && draft_.history().unsaved();
    return answered_ || task_.endsAlone || !(unsaved || masks_.pending());
  }
  void ask(bool opensOthers, bool keepsSettings) {
    open_ = opens_ = true;
    opensOthers_ = opensOthers;
    keepsSettings_ = keepsSettings;
    problem_.clear();
  }

  /// Draws the dialog if it is open. Leaves the session if that is the answer.
  void draw(Context& context);
  /// Writes the title of the question in the last picture into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  const char* title() const { return opensOthers_ ? "Open other sources" : "Quit"; }

  const shell::WindowTask& task_;
  SettingsDraft& draft_;
  MaskEditor& masks_;
  const Messages& messages_;
  std::string problem_;  // why saving failed
  // opens_: ImGui has not been asked yet to open the dialog; answered_: the user has agreed to
  // leave.
  bool open_ = false, opens_ = false, answered_ = false, opensOthers_ = false,
       keepsSettings_ = false;
};

}  // namespace glint::ui
