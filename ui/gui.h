// The whole of the window's content: where its parts lie, and what keys and buttons do.
#pragma once

#include "ui/input.h"
#include "ui/model/settings_draft.h"
#include "ui/model/window_model.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_chooser.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/panels.h"
#include "ui/panels/quit_dialog.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

/// What listens to a session, on its thread.
struct Listeners {
  std::shared_ptr<Trails> trails = std::make_shared<Trails>();
  std::shared_ptr<RowCounter> rows = std::make_shared<RowCounter>();
  std::shared_ptr<Latencies> latencies = std::make_shared<Latencies>();
};

/// Of one session. Main thread.
struct Gui {
  /// `wake` makes the window look again, from any thread; `recent`: what was opened before.
  Gui(const WindowTask& task, std::shared_ptr<Messages> messages, const Listeners& listeners,
      const std::optional<SettingsHistory>& history, const std::function<void()>& wake,
      const FileChooser::Recent& recent);
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Performs what the keys ask for and draws every part; between ImGui::NewFrame() and Render().
  void draw(const std::vector<Chord>& chords, Scene& scene);
  void perform(Action action);
  void show(DisplayPlane plane);
  void open(std::vector<std::string> sources);

  const WindowTask& task;
  std::shared_ptr<Messages> messages;
  Player player;
  SettingsDraft draft;
  ShownFrame shown = {};
  TrackView tracks;
  RecordingState recording;
  Timings timings;
  ViewState looks = {};
  Layout layout = {};
  RecordOptions record = {};
  FiltersOff filtersOff = {};
  Brightness brightness = {};
  TimelineContent timeline = {};
  Actions actions;
  MaskEditor masks;
  ReportMaker reports;
  ExportDialog exporting;
  QuitDialog quitting;
  FileChooser chooser;
  std::vector<std::vector<std::string>> welcomeRecent = {};
  /// To be opened instead; none: the empty window.
  std::optional<std::vector<std::string>> next = {};
  bool quit = false, minimised = false;

 private:
  void handleKeys(const std::vector<Chord>& chords);
  void drawAll(Scene& scene);
};

}  // namespace glint::ui
