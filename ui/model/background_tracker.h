// What `glint track` would write of the recording that is shown, with the settings in force.
#pragma once

#include <cstdint>

#include "app/shell/desk/retracker.h"
#include "app/shell/desk/window_interface.h"

namespace glint::ui {

/// Tracks the recording in the background once playback has left its straight way: paused or
/// jumped. Main thread.
class BackgroundTracker {
 public:
  BackgroundTracker(const shell::WindowTask& task, std::function<void()> wake)
      : task_(task), wake_(std::move(wake)) {}

  /// At once, also while playback goes straight on.
  void want() { wanted_ = true; }
  /// The newest snapshot.
  void follow(const session::SessionState& state);

  /// With the settings in force; null where there is none yet.
  std::shared_ptr<const session::TrackHistory> history() const;
  /// Its points; null where there is none yet, or no rig.
  std::shared_ptr<const shell::SpaceHistory> space() const;
  /// 0 to 1 while it works, otherwise empty.
  std::optional<double> progress() const;

 private:
  const shell::WindowTask& task_;
  std::function<void()> wake_;
  std::unique_ptr<shell::Retracker> retracker_;        // null until it is wanted
  std::optional<Settings> settings_;                   // in force
  std::shared_ptr<const session::TrackHistory> told_;  // that the session follows
  Epoch epoch_;                                        // seen last
  uint64_t revision_ = 0, asked_ = 0;
  bool failed_ = false;  // the session, as seen last
  bool wanted_ = false;
};

}  // namespace glint::ui
