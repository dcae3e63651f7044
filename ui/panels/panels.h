// The parts of the window, each in a file of its own; each draws into a place that it is given.
#pragma once

#include "app/desk/filters_off.h"
#include "app/desk/luminance_histogram.h"
#include "app/desk/time_zoom.h"
#include "app/desk/timeline.h"
#include "app/sinks/outputs.h"
#include "ui/draw/renderer.h"
#include "ui/draw/style.h"
#include "ui/model/lamp_watch.h"
#include "ui/model/settings_draft.h"
#include "ui/model/undo_order.h"
#include "ui/model/window_model.h"
#include "ui/panels/calibrate.h"
#include "ui/panels/camera_chooser.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/measures.h"
#include "ui/panels/presets_menu.h"
#include "ui/panels/setting_rows.h"
#include "ui/panels/track_table.h"

namespace glint::ui {

/// Of recordings and streams, as they are being chosen.
struct RecordOptions {
  size_t format = 0;  ///< of recordingChoices()
  std::array<char, 256> stream = {};
};

/// The sources' names, which plane is shown, and the record button. `report`: there is something
/// to make one of.
void drawTopBar(const WindowModel& model, DisplayPlane plane, bool report, RecordOptions& options,
                Player& player, const Actions& actions, const Rect& place);

/// The popup "record options": the recording's format, and streams.
void drawRecordOptions(RecordOptions& options, Player& player);

/// What is drawn over the images, and takes the mouse there.
struct ImageTools {
  MaskEditor& masks;
  Measuring& measuring;
  const Calibrator* calibrator;  ///< shows where the target has been; or null
};

/// The images with what was found in them, and space beside them where there is a rig; adds to
/// `scene` what is drawn beneath ImGui.
void drawViews(const WindowModel& model, ViewState& looks, const ImageTools& tools,
               const Rect& place, Scene& scene);

/// Space from outside; drag, wheel and clicks there. Needs a rig, as the next two do.
void drawSpace(const WindowModel& model, ViewState& looks, const Rect& place, Scene& scene);
/// In a camera's image: the selected point with its other rays, and the epipolar line of the marker
/// that is under the mouse in another image.
void drawSpaceInImage(const WindowModel& model, ViewState& looks, size_t camera, ImDrawList& list);
/// Selects the point of a marker in a camera's image, or none. With Ctrl it joins those that a body
/// is learned from, or leaves them.
void selectInSpace(const WindowModel& model, SpaceLooks& space, size_t camera,
                   std::optional<ImagePoint> marker);

/// The chosen marker, magnified, and its numbers, in a corner of the views; its place, empty where
/// there is none.
Rect drawSelected(const WindowModel& model, ViewState& looks, const Rect& views, Scene& scene);

/// What is drawn below the timeline, of the history as it was then.
struct TimelineContent {
  std::shared_ptr<const TrackHistory> history;
  std::optional<size_t> camera = {};  ///< the enlarged one; empty: all together
  uint64_t measured = 0, finalised = 0, edits = 0;
  TimeZoom::Range range = {};
  double looked = 0;  ///< s
  uint32_t most = 1;  ///< markers
  std::vector<TimelineColumn> columns = {};
  std::vector<TimelineBar> bars = {};
  size_t rows = 1;  ///< of bars
};

/// Live, instead of the timeline: the latest seconds, of which those in memory can be shown.
void drawBand(const WindowModel& model, TimelineContent& content, std::optional<size_t> camera,
              Player& player, float width, float below);

/// Where frames lie in a timeline, and what they hold: see the two above and below.
struct Scale {
  float x = 0, width = 1;  ///< px
  uint64_t first = 0, last = 1;
  float of(uint64_t frame) const;
  uint64_t at(float place) const;
};
void drawContent(const TimelineContent& content, const Scale& scale, float top, float height);
/// px between the window's edges, or curves', and the first and last frame.
inline float timeInset() {
  return wholePx(8);
}
/// What the wheel does over a scale of `zoom`: it zooms about the cursor; with shift, or sideways,
/// it moves.
void zoomByWheel(TimeZoom& zoom, const Scale& scale, uint64_t last);

/// Buttons, speed, and the timeline of `camera`, or of all, whose upper edge can be dragged. Counts
/// and tracks are `band` px high.
void drawTransport(const WindowModel& model, TimelineContent& content, std::optional<size_t> camera,
                   Player& player, TimeZoom& zoom, const Actions& actions, Layout& layout,
                   float band, Displayed& displayed, const Rect& place);

/// Later than this a recording is told to play too slowly, s.
inline constexpr double kLate = 0.3;

/// How much later than its speed asks for the newest frame of a recording was tracked, s.
double lateness(const WindowModel& model);

/// Rates, counts and the device, in one line.
void drawStatus(const WindowModel& model, const Told& told, int unread, Layout& layout,
                Displayed& displayed, const std::string& zoom, const Actions& actions,
                const Rect& place);

/// Instead of all else, where nothing is open; `scene`: of several cameras; `recent`: what was
/// opened before; `cameras`: null where they are chosen elsewhere. Gives the part for recordings,
/// where messages have room.
Rect drawWelcome(const std::string& clip, const Opening& scene,
                 const std::vector<std::vector<std::string>>& recent, const Actions& actions,
                 CameraChooser* cameras, const Rect& place);

/// What is wrong for as long as it lasts, over the views, with a button that mends it; how much of
/// their height it takes, px.
float drawBanner(const WindowModel& model, SettingsDraft& draft, LampWatch& lamps,
                 const Actions& actions, Displayed& displayed, const Rect& views);

/// What a beginner must know, over the views.
void drawFirstHint(const Rect& views);

/// The table of shortcuts, over everything.
void drawHelp(Layout& layout);

/// A message to the user, shown for a while over the views, but not over the marker's `card`.
/// A word about what was just done moves below that, down to `lowest`.
void drawToasts(Messages& messages, const Rect& views, const Rect& card = {}, float lowest = 0);

/// How bright the pixels of a frame are.
struct Brightness {
  FramePtr frame;  ///< null: not looked at yet
  size_t camera = 0;
  double looked = 0;  ///< s
  LuminanceHistogram histogram = {};
};

void drawDrawing(ViewState& looks, const Actions& actions);
void drawFilters(const WindowModel& model, ViewState& looks, const Actions& actions,
                 SettingsDraft& draft, FiltersOff& off, SettingsPanel& panel, Messages& messages);
void drawHistograms(const WindowModel& model, ViewState& looks, SettingsDraft& draft,
                    Brightness& brightness, const Actions& actions);
void drawTimings(const WindowModel& model);
void drawSources(const WindowModel& model, SettingsDraft& draft, CameraHealth& health,
                 Layout& layout, const Actions& actions);
/// A dot of the light's colour, as high as a line, before what is drawn next in the line.
void drawLight(Light light);
/// What can be set of a live camera; what is changed goes into the settings of this one alone.
void drawCameraControls(SettingsDraft& draft, size_t camera, const CameraOffer& offer);
void drawLog(Messages& messages);

/// What the tabs at the right are made of.
struct Side {
  const WindowModel& model;
  ViewState& looks;
  Layout& layout;
  SettingsDraft& draft;
  Messages& messages;
  const Actions& actions;
  MaskEditor& masks;
  FiltersOff& filtersOff;
  SettingsPanel& settings;
  PresetsMenu& presets;
  const UndoOrder& order;
  Brightness& brightness;
  CameraHealth& health;
  TrackTable& table;
  TrackEditor& editor;
  MeasurePanel& measures;
  Player& player;
  Calibrator& calibrator;
};

void drawSettings(Side& side);

struct Tab {
  const char* name;
  void (*draw)(Side& side);
  bool several = false;  ///< there with several cameras alone
};

inline constexpr std::array kTabs{
    Tab{"Settings", drawSettings},
    Tab{"Limits",
        [](Side& s) { drawHistograms(s.model, s.looks, s.draft, s.brightness, s.actions); }},
    Tab{"Drawing", [](Side& s) { drawDrawing(s.looks, s.actions); }},
    Tab{"Mask", [](Side& s) { s.masks.draw(s.looks.enlarged); }},
    Tab{"Tracks",
        [](Side& s) { drawTrackTabs(s.model, s.looks, s.table, s.editor, s.measures, s.player); }},
    Tab{"Calibrate", [](Side& s) { s.calibrator.draw(s.model, s.actions); }, true},
    Tab{"Times", [](Side& s) { drawTimings(s.model); }},
    Tab{"Sources", [](Side& s) { drawSources(s.model, s.draft, s.health, s.layout, s.actions); }},
    Tab{"Log", [](Side& s) { drawLog(s.messages); }}};

void drawSide(Side side, const Rect& place);

}  // namespace glint::ui
