// What the parts of the window share.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/desk/folder_list.h"
#include "app/desk/luminance_histogram.h"
#include "app/desk/timeline.h"
#include "app/session/session.h"
#include "ui/driver_state.h"
#include "ui/latencies.h"
#include "ui/messages.h"
#include "ui/module.h"
#include "ui/overlay.h"
#include "ui/panels/export.h"
#include "ui/panels/leaving.h"
#include "ui/panels/painting.h"
#include "ui/panels/report.h"
#include "ui/player.h"
#include "ui/rates.h"
#include "ui/recorded.h"
#include "ui/recording_state.h"
#include "ui/renderer.h"
#include "ui/settings_draft.h"
#include "ui/shortcuts.h"
#include "ui/trails.h"
#include "ui/view.h"

namespace glint::ui {

/// Which plane of a frame is shown.
enum class Shows { source, luminance, response, intensity, candidates };
inline constexpr std::array<std::string_view, 5> kShowsNames{"Source", "Luminance", "Response",
                                                             "Intensity", "Candidates"};

/// The planes that this needs.
PlaneSet planesFor(Shows shows);

/// A frame with the planes that it was measured in: what is drawn.
struct Shown {
  std::shared_ptr<const SessionFrame> frame;  ///< null before the first one
  /// Of `frame`, a camera each, with its tracks as the whole recording tells them, where known.
  std::vector<CameraFrame> cameras = {};
  std::vector<std::map<uint64_t, std::vector<TrailPoint>>> trails = {};  ///< a camera each
  bool recorded = false;  ///< whether they are those of the whole recording
  FrameSet set = {};      ///< its pixels
  std::vector<std::shared_ptr<const PlaneImages>> planes = {};  ///< a group each
  std::vector<std::vector<shared::Prediction>> expected = {};   ///< a camera each
  bool stale = false;  ///< another frame, or other settings, are in force already

  /// The newest snapshot. Frames whose planes were not kept are left out. Gives whether there is
  /// something else to draw.
  bool see(const SessionState& state);
};

/// How bright the pixels of a frame are.
struct Brightness {
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<const SessionFrame> frame;  ///< null: not looked at yet
  size_t camera = 0;
  Clock::time_point looked = {};
  LuminanceHistogram histogram = {};
};

/// What is drawn below the timeline, of results as they were then.
struct Lanes {
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<const Results> results;
  size_t camera = 0;  ///< the one that is enlarged, or the first
  uint64_t measured = 0, settled = 0;
  Clock::time_point looked = {};
  uint32_t most = 1;  ///< markers
  std::vector<TimelineColumn> columns = {};
  std::vector<TimelineBar> bars = {};
  size_t rows = 1;  ///< of bars
};

/// The chooser of other sources.
struct Chooser {
  bool open = false;
  bool begun = false;      ///< what follows was looked up since it was opened
  std::string start = {};  ///< the folder to begin with; empty: the working folder
  std::optional<FolderList> folder = {};
  std::vector<std::pair<std::string, std::string>> usual = {};  ///< see usualFolders()
  std::set<std::string> chosen = {};                            ///< files, to be opened together
  std::vector<std::vector<std::string>> recent = {};
  std::array<char, 2048> typed = {};
};

struct Context {
  const WindowTask& task;
  Player& player;
  Messages& messages;
  const Trails& trails;
  const Latencies& latencies;
  Recorded& recorded;
  SettingsDraft& draft;
  RecordingState& recordingState;
  DriverState driver = {};
  Shown shown = {};
  Brightness brightness = {};
  Lanes lanes = {};
  PassHistory passes = {};
  Lateness lateness = {};
  Shows shows = Shows::source;
  OverlayOptions overlay = {};
  std::vector<View> views = {};         ///< a camera each
  std::optional<size_t> enlarged = {};  ///< the only camera that is shown
  std::optional<Selection> selected = {};
  Chooser chooser = {};
  /// To be opened instead; none: the empty window.
  std::optional<std::vector<std::string>> next = {};
  std::function<std::vector<std::vector<std::string>>()> recent = {};  ///< opened before
  std::vector<std::vector<std::string>> welcomeRecent = {};  ///< those, in the empty window
  Exporting exporting = {};
  Leaving leaving = {};
  Reporting reporting = {};
  Painting painting = {};
  std::vector<std::pair<size_t, FilterUse>> filtersOff = {};  ///< where in the chain they were
  std::function<void()> wake = {};         ///< makes the window look again; from any thread
  std::string frontTab = {};               ///< to be shown next; empty: as the user chose
  std::string tab = {};                    ///< the one in front
  size_t recordAs = 0;                     ///< of recordingFormats()
  std::array<char, 256> streamTyped = {};  ///< where to, as it is being typed
  bool hintSeen = false;                   ///< the first-run hint
  bool copiesView = false;                 ///< the picture that is drawn next is saved
  bool help = false, quit = false, side = true;
  float sideWidth = 0;  ///< px; 0: as wide as its content needs
  double scale = 1;     ///< of letters and all else, beside that of the screen
  bool minimised = false;
  float black = 0, white = 1;  ///< of full scale
  Rate processing = {}, display = {}, camera = {};
  bool slowDevice = false;  ///< a CPU: lines are drawn the cheap way

  /// Leaves these sources for others, or for none. Files of settings (TOML) among them are loaded;
  /// where there are no others, nothing else happens.
  void open(std::vector<std::string> sources);
  const SessionState& state() const { return player.state(); }
  size_t cameras() const { return task.sources.size(); }
};

/// What is drawn of one camera in one place, its planes noted in `scene`. Empty where its planes
/// are not there.
std::optional<PaintedImage> imageOf(const Context& context, size_t camera, const View& view,
                                    Scene& scene);

/// The pixels that the frame which is shown was measured in, where the session lends them.
std::optional<ImageView> pixelsOf(const Context& context, size_t camera);

/// px of the framebuffer from px of the window.
Rect toFramebuffer(const Rect& r);

/// Chooses the rows and trails of the frame that is shown; before each frame is drawn.
void chooseTracks(Context& context);

/// Letters from half to three times as large as the screen asks for.
inline constexpr double kLeastScale = 0.5, kMostScale = 3;

/// Does what a key or a button asks for.
void perform(Context& context, Action action);

/// Chooses the plane that is shown.
void show(Context& context, Shows shows);

}  // namespace glint::ui
