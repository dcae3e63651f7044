// The question about settings, or a mask, that would be lost with the window, or when other sources
// are opened in it.
#pragma once

#include "ui/context/context.h"
#include "ui/panels/mask_editor.h"

namespace glint::ui {

/// Main thread.
class QuitDialog {
 public:
  QuitDialog(Context& context, MaskEditor& masks)
      : task_(context.model.task),
        draft_(context.model.draft),
        masks_(masks),
        messages_(context.messages) {}

  bool open() const { return open_; }
  /// Returns true if the user has said that the window may go, or need not be asked. Sources that
  /// are opened in it keep the settings, but no mask.
  bool allowed(bool opensOthers) const {
    const bool unsaved = !opensOthers && draft_.history().unsaved();
    return answered_ || task_.endsAlone || !(unsaved || masks_.pending());
  }
  void ask(bool opensOthers) {
    open_ = opens_ = true;
    opensOthers_ = opensOthers;
    problem_.clear();
  }

  /// Draws the dialog, if it is open; leaves the session where that is the answer.
  void draw(Context& context);
  /// Tells tests the title of the question that the last picture showed.
  void describe(nlohmann::json& to) const;

 private:
  const char* title() const { return opensOthers_ ? "Open other sources" : "Quit"; }

  const shell::WindowTask& task_;
  SettingsDraft& draft_;
  MaskEditor& masks_;
  const Messages& messages_;
  std::string problem_;  // why saving has failed
  bool open_ = false, opens_ = false, answered_ = false, opensOthers_ = false;
};

}  // namespace glint::ui
