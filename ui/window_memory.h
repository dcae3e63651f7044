// Choices of the user that outlive the session in which they were made.
#pragma once

#include <cstdint>
#include <set>

#include "app/shell/desk/settings_history.h"
#include "app/shell/desk/user_files.h"
#include "ui/gui.h"

namespace glint::ui {

/// The choices of the user that outlive a session. Main thread.
struct WindowMemory {
  shell::Remembered saved;  ///< the choices that a file keeps
  /// Steps of the settings, which continue when other sources are opened.
  std::optional<shell::SettingsHistory> history;
  CameraChooser::Choice cameras;  ///< the cameras that the user has chosen to open
  /// The parts of the images and of space that are in sight.
  struct Sight {
    SpaceViewState space;
    std::vector<View> views;
    shell::TimeZoom zoom;
    std::optional<size_t> enlarged;
  };
  /// The sight that continues when the same sources are opened with other bodies; else empty.
  std::optional<Sight> sight;

  std::string project = {};  ///< file of the project that was open last; empty: none
  /// Bookmarks, and the sources to which they belong.
  std::set<uint64_t> bookmarks;
  std::vector<Address> marked;

  /// Takes the arrangement of a project that has just been opened, and forgets the steps of earlier
  /// settings. Call it before recall().
  void begin(const shell::WindowTask& task);
  /// Restores the choices in the content of a new window.
  void recall(Gui& gui) const;
  /// Takes the choices from the content of a window that is about to end.
  void remember(const Gui& gui);
};

}  // namespace glint::ui
