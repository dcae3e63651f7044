// The session that the window shows: what is known about it, and the user's changes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/shell/desk/target_recorder.h"
#include "app/study/boards/board_recorder.h"
#include "ui/model/camera_health.h"
#include "ui/model/frame_counts.h"
#include "ui/model/latest_frames.h"
#include "ui/model/measuring.h"
#include "ui/model/player.h"
#include "ui/model/presence.h"
#include "ui/model/recording.h"
#include "ui/model/settings_draft.h"
#include "ui/model/space_trails.h"
#include "ui/model/threshold_watch.h"
#include "ui/model/timings.h"
#include "ui/model/track_editor.h"
#include "ui/model/track_view.h"
#include "ui/model/undo_order.h"
#include "ui/model/view_state.h"

namespace glint::ui {

/// The explanation for sources that are still pictures and no recording: see WindowTask::stills.
inline constexpr const char* kStillsShareNothing = "Unrelated pictures share no tracks.";

/// The objects that listen to a session, on its thread.
struct Listeners {
  std::shared_ptr<Trails> trails = std::make_shared<Trails>();
  std::shared_ptr<shell::RowCounter> rows = std::make_shared<shell::RowCounter>();
  std::shared_ptr<Latencies> latencies = std::make_shared<Latencies>();
  std::shared_ptr<Presence> presence = std::make_shared<Presence>();
  std::shared_ptr<LatestFrames> latest = std::make_shared<LatestFrames>();
  std::shared_ptr<SpaceTrails> space = std::make_shared<SpaceTrails>();
  std::shared_ptr<shell::TargetRecorder> target = std::make_shared<shell::TargetRecorder>();
  std::shared_ptr<study::BoardRecorder> board = std::make_shared<study::BoardRecorder>();
};

/// A session without its drawing: playback, settings, tracks and their edits. Main thread.
struct WindowModel {
  /// `history` holds the steps of the settings so far, which continue. `wake` makes the window draw
  /// again, from any thread.
  WindowModel(const shell::WindowTask& task, const std::shared_ptr<Messages>& messages,
              const Listeners& listeners, const std::optional<shell::SettingsHistory>& history,
              const std::function<void()>& wake);
  WindowModel(const WindowModel&) = delete;
  WindowModel& operator=(const WindowModel&) = delete;

  const shell::WindowTask& task;
  Player player;
  SettingsDraft draft;
  ShownFrame shown = {};  ///< the frame on the screen
  TrackView tracks;       ///< tracks of that frame
  TrackEditor editor;
  UndoOrder order;  ///< order of the steps of settings and edits
  Measuring measuring;
  RecordingState recording;
  Timings timings;
  CameraHealth health = {};
  Listeners listeners;
  ThresholdWatch thresholds;
  FrameCounts counts = {};
  PointedPixel pointed = {};

  const session::SessionState& state() const { return player.state(); }  ///< the newest snapshot
  /// Returns true while the recording plays, or was asked to, which the session may not have done
  /// yet.
  bool playing() const { return player.playing(); }
  /// Returns true if everything that was asked of the session has taken effect, and the frame that
  /// stays is on the screen.
  bool arrived() const;
  double rate() const { return player.rate(); }  ///< frames a second of the recording
  size_t cameras() const { return task.sources.size(); }
  /// Returns true if an earlier frame of live cameras is shown, while the session continues.
  bool showsRecent() const { return state().recent && state().recent->isShown; }
  capture::CameraGroups::Place place(size_t camera) const {
    return task.session.groups().places[camera];
  }
  const gpu::ImageFormat& format(size_t camera) const {
    return task.session.groups().formats[place(camera).group].image;
  }
  /// Returns how many seconds later than its speed asks for the newest frame was tracked.
  double lateness() const;

  /// Brings everything up to date before a picture is drawn. `wantsTracks` is true if something on
  /// the screen needs the tracks of the whole recording. `editing` is true while a widget is held.
  void follow(const ViewState& viewState, bool wantsTracks, bool editing);

  /// Writes the session, its frame and its tracks into `to`, for tests.
  void describe(const ViewState& viewState, nlohmann::json& to) const;

 private:
  bool hasTime() const;
  void noteRate();
};

}  // namespace glint::ui
