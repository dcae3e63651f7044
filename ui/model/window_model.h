// What panels draw, what the user has chosen to see of it, and what can be asked for.
#pragma once

#include "ui/model/camera_health.h"
#include "ui/model/pixel_value.h"
#include "ui/model/player.h"
#include "ui/model/presence.h"
#include "ui/model/recording.h"
#include "ui/model/shortcuts.h"
#include "ui/model/space_looks.h"
#include "ui/model/space_trails.h"
#include "ui/model/timings.h"
#include "ui/model/track_editor.h"
#include "ui/model/track_view.h"
#include "ui/model/view.h"

namespace glint::ui {

/// Of pictures that are no recording: see WindowTask::stills.
inline constexpr const char* kStillsShareNothing = "Still pictures share no tracks.";

/// What the window knows, made once a picture.
struct WindowModel {
  const WindowTask& task;
  const SessionState& state;  ///< the newest snapshot
  const ShownFrame& shown;
  const TrackView& tracks;
  const RecordingState& recording;
  const Timings& timings;
  const CameraHealth& health;
  const Presence& presence;
  const TrackEditor& editor;
  bool playing = false;  ///< or asked to, which the session may not have done yet
  double rate = 30;      ///< frames a second of the recording

  size_t cameras() const { return task.sources.size(); }
  /// Live: an earlier frame is shown, while the session goes on.
  bool looking() const { return state.recent && state.recent->looking; }
  CameraGroups::Place place(size_t camera) const { return task.session.groups().places[camera]; }
  const ImageFormat& format(size_t camera) const {
    return task.session.groups().formats[place(camera).group].image;
  }
};

struct OverlayOptions {
  bool markers = true, ids = true, trails = true, rejected = false, masks = true, gates = false,
       uncertainty = false;
  double trailSeconds = 1;
  double enlarged = 100;     ///< how much larger uncertainties are drawn than they are
  double gatesEnlarged = 1;  ///< the same of gates
  bool smoothLines = true;  ///< costs much on a CPU
};

/// What only the panels that draw a picture know. Cleared for each picture.
struct Displayed {
  std::string setting, whyUnused;  ///< that is explained beside the cursor, and why it is grey
  std::string filterNumbers;       ///< that filters tell of the frame
  std::string pointedSetting;      ///< that was led to, while its row is seen
  std::string limit;               ///< of a histogram, with its value, beside the cursor
  std::string timeline;            ///< the frame under the cursor, and what it holds
  std::string limitCounts;         ///< what is counted in the tab of limits
  std::string status;              ///< the lowest line
  std::string pointed;             ///< the place under the cursor, and its value
  std::optional<DisplayPlane> probing;  ///< whose value the picture asks the device for
  std::string banner;              ///< what is wrong for as long as it lasts
  std::string rejection;           ///< why what is under the cursor is no marker, as in files
  std::string rejectionWords;      ///< the same with both values
  std::vector<TrackId> table;      ///< tracks, in its order
  std::vector<TrackId> all;        ///< of the whole recording, in the table's order
  std::vector<TrackId> labels;     ///< tracks of the first camera that are numbered
  std::string legend;              ///< what is drawn at another size than it has
  std::string space;               ///< what is seen in space, in words
  size_t rays = 0, lines = 0;      ///< drawn of the selected point, and in images
  size_t pixelValues = 0;          ///< of the first camera, written into the image
  double redrawn = 1;              ///< share of the picture that differed from one before
};

/// What the next track that is clicked is for.
enum class Pick { nothing, join, swap };

/// What the user has chosen to see.
struct ViewState {
  DisplayPlane plane = DisplayPlane::source;
  std::string filter = {};     ///< whose output is shown, if one's is: its id
  float black = 0, white = 1;  ///< of full scale
  bool levelled = false;       ///< as the first frame needs them
  OverlayOptions overlay = {};
  std::vector<View> views = {};         ///< a camera each
  std::optional<size_t> enlarged = {};  ///< the only camera that is shown
  std::optional<Selection> selected = {};
  SpaceLooks space = {};
  size_t cardCorner = 0;  ///< of the views, where its card is: upper left, upper right, lower ones
  Rect card = {};         ///< px, in the picture before; empty: there is none
  std::vector<Selection> more = {};  ///< chosen beside it, for curves
  Pick pick = Pick::nothing;
  std::optional<Selection> picked = {};  ///< for that, not used yet
  bool menu = false;                     ///< the selected track's is to be opened
  /// Of the pixel under the cursor in the picture that was drawn last, as only the device knows it.
  std::optional<ProbedPixel> probed = {};
  std::string leadTo = {};               ///< a setting's key, to be shown in its tab
  bool copied = false;  ///< the picture that is drawn next is saved: the image and what was found
  Displayed displayed = {};
};

/// Text size: from half to three times what the screen asks for.
inline constexpr double kLeastScale = 0.5, kMostScale = 3;

/// Live frames stay in memory for so long at most, s.
inline constexpr double kMostRecentSeconds = 60;

/// Height of the timeline's counts and tracks, in font sizes.
inline constexpr float kLeastBand = 1.5F, kMostBand = 40;

/// How the window's parts lie.
struct Layout {
  bool side = true, help = false, helpShown = false;
  float sideWidth = 0;        ///< px; 0: as wide as its content needs
  float band = 2.8F;          ///< height of the timeline's counts and tracks, in font sizes
  double scale = 1;           ///< of text and all else, times that of the screen
  std::string frontTab = {};  ///< to be shown next; empty: as the user chose
  std::string frontSetting = {};  ///< a key, to be led to next; empty: none
  std::string tab = {};       ///< the one in front
  bool tabsListed = false;    ///< for lack of room they are in a list
  bool hintSeen = false;      ///< the first-run hint
  double recentSeconds = 5;   ///< s of live frames that stay in memory

  void showTab(const std::string& name) {
    frontTab = name;
    side = true;
  }
  void showSetting(const std::string& key) {
    frontSetting = key;
    showTab("Settings");
  }
};

/// What keys and buttons ask for.
struct Actions {
  std::function<void(Action)> perform;
  std::function<void(DisplayPlane)> show;
  /// What the filter with this id makes, or no longer.
  std::function<void(const std::string&)> showFilter;
  /// Leaves these sources for others, or for none. Files of settings (TOML) among them are loaded;
  /// where there are no others, nothing else happens.
  std::function<void(std::vector<std::string>)> open;
  std::function<void(Opening)> openCameras;
  std::function<void()> propose;  ///< settings, for this recording
  /// Tries a range of this setting on the recording; empty: of one that is chosen then.
  std::function<void(const std::string& key)> tryRange;
};

}  // namespace glint::ui
