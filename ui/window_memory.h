// What of the window outlives what is shown in it.
#pragma once

#include "app/shell/desk/settings_history.h"
#include "app/shell/desk/user_files.h"
#include "ui/gui.h"

namespace glint::ui {

struct WindowMemory {
  shell::Remembered looks;                        ///< of the window, kept in a file
  std::optional<shell::SettingsHistory> history;  ///< goes on with other sources
  CameraChooser::Choice cameras;                  ///< to be opened

  /// The window as it was left.
  void recall(Gui& gui) const;
  void remember(const Gui& gui);
};

}  // namespace glint::ui
