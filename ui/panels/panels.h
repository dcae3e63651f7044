// The list of the window's panels. A new panel needs its own file, its object here, and its row in
// one of the two lists below.
#pragma once

#include <utility>
#include <vector>

#include "ui/panels/any_panel.h"
#include "ui/panels/banner.h"
#include "ui/panels/body_learner.h"
#include "ui/panels/calibrate.h"
#include "ui/panels/camera_chooser.h"
#include "ui/panels/curves.h"
#include "ui/panels/drawing.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_chooser.h"
#include "ui/panels/go_to_frame.h"
#include "ui/panels/help.h"
#include "ui/panels/histograms.h"
#include "ui/panels/latest_saver.h"
#include "ui/panels/log.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/measures.h"
#include "ui/panels/palette.h"
#include "ui/panels/project_saver.h"
#include "ui/panels/propose_dialog.h"
#include "ui/panels/quit_dialog.h"
#include "ui/panels/range_dialog.h"
#include "ui/panels/report_maker.h"
#include "ui/panels/selected.h"
#include "ui/panels/settings.h"
#include "ui/panels/side.h"
#include "ui/panels/sources.h"
#include "ui/panels/status.h"
#include "ui/panels/timings.h"
#include "ui/panels/toasts.h"
#include "ui/panels/top_bar.h"
#include "ui/panels/track_menu.h"
#include "ui/panels/track_table.h"
#include "ui/panels/transport.h"
#include "ui/panels/views.h"
#include "ui/panels/welcome.h"

namespace glint::ui {

/// The states of the window in which a panel is drawn: always, or only with or without a session.
enum class Shown { always, withSession, withoutSession };

/// A panel, and the states in which it is drawn.
struct PanelRow {
  AnyPanel panel;
  Shown when = Shown::withSession;
};

/// The panels of one session. Each is an object with draw(Context&). It may also have
/// describe(json&), which describes it for tests. Main thread.
struct Panels {
  /// `watch` searches for cameras; `recent` returns the sources that were opened before.
  Panels(Context& c, capture::CameraWatch& w, RecentSources r)
      : context(c), watch(w), recent(std::move(r)) {}
  Panels(const Panels&) = delete;
  Panels& operator=(const Panels&) = delete;

  /// Takes the results of work in the background. Call it before each picture.
  void follow();
  void draw();
  void describe(nlohmann::json& to) const;
  /// Returns true while a dialog is open, which takes the keys.
  bool asks() const;

  Context& context;
  capture::CameraWatch& watch;
  const RecentSources recent;

  // Objects that have no place of their own in the window.
  ReportMaker reports{context};
  LatestSaver saver{context};
  ProjectSaver projects{context};
  CameraChooser cameras{context, watch, recent};

  // The tabs at the right, and the list of them.
  SettingsPanel settings{context};
  LimitsPanel limits;
  DrawingPanel drawing;
  MaskEditor masks{context};
  MeasurePanel measures{context};
  TrackTables tracks{measures};
  Calibrator calibrator{context};
  TimingsPanel timings;
  SourcesPanel sources;
  LogPanel log;
  Side side{{{"Settings", settings},
             {"Limits", limits},
             {"Drawing", drawing},
             {"Mask", masks},
             {"Tracks", tracks},
             {"Calibrate", calibrator, Tab::When::several},
             {"Times", timings},
             {"Sources", sources},
             {"Log", log}}};

  // The other panels.
  Views views{masks, calibrator};
  SelectedCard selected;
  TopBar topBar{context, reports};
  CurvesPanel curves;
  Transport transport;
  Status status;
  FirstHint hint;
  BannerPanel banner;
  Toasts toasts{context};
  TrackMenu trackMenu{context};
  BodyLearner bodies;
  ExportDialog exporting{context, reports};
  ProposeDialog proposing{context};
  RangeDialog ranging{context};
  GoToFrame goTo{context};
  Palette palette{context};
  FileChooser chooser{context, recent, cameras};
  Welcome welcome{context, recent, cameras, chooser};
  QuitDialog quitting{context, masks};
  Help help;

  /// The panels in the order in which they are drawn: later ones lie over earlier ones.
  const std::vector<PanelRow> rows{{welcome, Shown::withoutSession},
                                   {views},
                                   {selected},
                                   {side},
                                   {topBar},
                                   {curves},
                                   {transport},
                                   {status},
                                   {hint},
                                   {banner},
                                   {toasts, Shown::always},
                                   {trackMenu},
                                   {measures},
                                   {bodies},
                                   {exporting},
                                   {proposing},
                                   {ranging},
                                   {goTo},
                                   {palette},
                                   {chooser, Shown::always},
                                   {quitting, Shown::always},
                                   {help, Shown::always}};
};

}  // namespace glint::ui
