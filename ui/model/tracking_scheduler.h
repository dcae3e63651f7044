// Tracks the whole recording beside its playback, so that the window has the ids that `glint track`
// would write with the settings in force.
#pragma once

#include <cstdint>

#include "app/shell/desk/recording_tracker.h"
#include "app/shell/desk/window_interface.h"

namespace glint::ui {

/// Tracks the recording in the background as soon as playback cannot do it: after a pause, a jump
/// or new settings. Main thread.
class TrackingScheduler {
 public:
  TrackingScheduler(const shell::WindowTask& task, std::function<void()> wake)
      : task_(task), wake_(std::move(wake)) {}

  /// Requests the tracks of the whole recording, also while playback goes straight through it.
  void want() { wanted_ = true; }
  /// Takes the newest snapshot of the session, and starts tracking if it has become necessary.
  void follow(const session::SessionState& state);

  /// Returns the history that was tracked with the settings in force; null if there is none yet.
  std::shared_ptr<const session::TrackHistory> history() const;
  /// Returns the points in space of that history; null if there is no history yet, or no rig.
  std::shared_ptr<const shell::SpaceHistory> space() const;
  /// Returns the share of the recording that is tracked, 0 to 1; empty while nothing is being
  /// tracked.
  std::optional<double> progress() const;

 private:
  const shell::WindowTask& task_;
  std::function<void()> wake_;
  std::unique_ptr<shell::RecordingTracker> recordingTracker_;  // null until the tracks are needed
  std::optional<Settings> settings_;                           // settings in force
  // The history that the session was given last.
  std::shared_ptr<const session::TrackHistory> postedHistory_;
  Epoch epoch_;  // epoch of the last snapshot
  // Numbers of the tracking that is needed now, and of the one that was started last.
  uint64_t revision_ = 0, asked_ = 0;
  bool failed_ = false;  // true if the session had failed in the last snapshot
  bool wanted_ = false;  // true once somebody has asked for the tracks
};

}  // namespace glint::ui
