// The whole of the window's content: where its parts lie, and what keys and buttons do.
#pragma once

#include "ui/input.h"
#include "ui/model/camera_health.h"
#include "ui/model/lamp_watch.h"
#include "ui/model/presence.h"
#include "ui/model/settings_draft.h"
#include "ui/model/undo_order.h"
#include "ui/model/window_model.h"
#include "ui/panels/body_learner.h"
#include "ui/panels/calibrate.h"
#include "ui/panels/camera_chooser.h"
#include "ui/panels/curves.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_chooser.h"
#include "ui/panels/latest_saver.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/measures.h"
#include "ui/panels/panels.h"
#include "ui/panels/propose_dialog.h"
#include "ui/panels/quit_dialog.h"
#include "ui/panels/range_dialog.h"
#include "ui/panels/report_maker.h"
#include "ui/panels/track_menu.h"

namespace glint::ui {

/// What listens to a session, on its thread.
struct Listeners {
  std::shared_ptr<Trails> trails = std::make_shared<Trails>();
  std::shared_ptr<RowCounter> rows = std::make_shared<RowCounter>();
  std::shared_ptr<Latencies> latencies = std::make_shared<Latencies>();
  std::shared_ptr<Presence> presence = std::make_shared<Presence>();
  std::shared_ptr<SpaceTrails> space = std::make_shared<SpaceTrails>();
  std::shared_ptr<TargetRecorder> target = std::make_shared<TargetRecorder>();
  std::shared_ptr<BoardRecorder> board = std::make_shared<BoardRecorder>();
};

/// Of one session. Main thread.
struct Gui {
  /// `wake` makes the window look again, from any thread; `recent`: what was opened before;
  /// `cameras`: that can be chosen.
  Gui(const WindowTask& task, std::shared_ptr<Messages> messages, const Listeners& listeners,
      const std::optional<SettingsHistory>& history, const std::function<void()>& wake,
      const FileChooser::Recent& recent, CameraWatch& cameras);
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Performs what the keys ask for and draws every part; between ImGui::NewFrame() and Render().
  void draw(const std::vector<Chord>& chords, Scene& scene);
  void perform(Action action);
  void show(DisplayPlane plane);
  void showFilter(const std::string& id);
  void open(std::vector<std::string> sources);
  void open(Opening opening);
  /// The window is to be left, and nothing opened instead.
  void askToQuit();

  const WindowTask& task;
  std::shared_ptr<Messages> messages;
  Player player;
  SettingsDraft draft;
  ShownFrame shown = {};
  TrackView tracks;
  TrackEditor editor;
  UndoOrder order;
  Measuring measuring;
  RecordingState recording;
  Timings timings;
  CameraHealth health = {};
  std::shared_ptr<const Presence> presence;
  ViewState looks = {};
  TrackTable table = {};
  Layout layout = {};
  RecordOptions record = {};
  FiltersOff filtersOff = {};
  SettingsPanel settings = {};
  PresetsMenu presets;
  ProposeDialog proposing;
  RangeDialog ranging;
  LampWatch lamps;
  Brightness brightness = {};
  TimelineContent timeline = {};
  Actions actions;
  MaskEditor masks;
  Calibrator calibrator;
  TrackMenu trackMenu;
  MeasurePanel measures;
  BodyLearner bodies;
  CurvesPanel curves = {};
  TimeZoom zoom = {};  ///< of timeline and curves
  ReportMaker reports;
  LatestSaver saver;
  ExportDialog exporting;
  QuitDialog quitting;
  CameraWatch& watch;
  CameraChooser cameras;
  FileChooser chooser;
  std::vector<std::vector<std::string>> welcomeRecent = {};
  /// To be opened instead.
  std::optional<Opening> next = {};
  bool quit = false, minimised = false;
  double remembered = Layout().recentSeconds;  ///< that the session was told last

 private:
  void handleKeys(const std::vector<Chord>& chords);
  void drawAll(Scene& scene);
  void drawTime(const WindowModel& model, const Rect& curvesPlace, const Rect& transport, float band);
  bool hasTime() const;

  uint64_t followed_ = 0;  // the frame that the timeline was moved to last
};

}  // namespace glint::ui
