// What the parts of the window share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "ui/driver_state.h"
#include "ui/file_list.h"
#include "ui/messages.h"
#include "ui/module.h"
#include "ui/overlay.h"
#include "ui/player.h"
#include "ui/rates.h"
#include "ui/recorded.h"
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
  std::vector<std::shared_ptr<const PlaneImages>> planes = {};  ///< a group each
  bool stale = false;  ///< another frame, or other settings, are in force already

  /// The newest snapshot. Frames whose planes were not kept are left out.
  void see(const SessionState& state);
};

/// The chooser of other sources.
struct Chooser {
  bool open = false;
  std::string folder = {};
  std::vector<FileEntry> entries = {};
  std::vector<std::vector<std::string>> recent = {};
  std::array<char, 2048> typed = {};
};

struct Context {
  const WindowTask& task;
  Player& player;
  Messages& messages;
  const Trails& trails;
  Recorded& recorded;
  SettingsDraft& draft;
  DriverState driver = {};
  Shown shown = {};
  Shows shows = Shows::source;
  OverlayOptions overlay = {};
  std::vector<View> views = {};         ///< a camera each
  std::optional<size_t> enlarged = {};  ///< the only camera that is shown
  std::optional<Selection> selected = {};
  Chooser chooser = {};
  std::vector<std::string> next = {};                                  ///< to be opened instead
  std::function<std::vector<std::vector<std::string>>()> recent = {};  ///< opened before
  bool help = false, quit = false, side = true;
  float sideWidth = 0;         ///< px; 0: as wide as its content needs
  float black = 0, white = 1;  ///< of full scale
  Rate processing = {}, display = {}, camera = {};
  bool slowDevice = false;  ///< a CPU: lines are drawn the cheap way

  const SessionState& state() const { return player.state(); }
  size_t cameras() const { return task.sources.size(); }
};

/// What is drawn of one camera in one place, its planes noted in `scene`. Empty where its planes
/// are not there.
std::optional<PaintedImage> imageOf(const Context& context, size_t camera, const View& view,
                                    Scene& scene);

/// px of the framebuffer from px of the window.
Rect toFramebuffer(const Rect& r);

/// Chooses the rows and trails of the frame that is shown; before each frame is drawn.
void chooseTracks(Context& context);

/// Does what a key or a button asks for.
void perform(Context& context, Action action);

/// Chooses the plane that is shown.
void show(Context& context, Shows shows);

}  // namespace glint::ui
