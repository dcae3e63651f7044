#include "ui/model/shortcuts.h"

#include <array>
#include <deque>

#include "config/lower_case.h"

namespace glint::ui {
namespace {

constexpr std::array kDefaultShortcuts{
    Shortcut{Action::play, "Space", "Play, pause",
             "At the end, it starts again. Live, capture continues."},
    Shortcut{Action::stepOn, "Right .", "Next frame", "One frame.", true},
    Shortcut{Action::stepBack, "Left ,", "Previous frame", "One frame.", true},
    Shortcut{Action::secondOn, "Shift+Right", "Forward 1 s", "", true},
    Shortcut{Action::secondBack, "Shift+Left", "Back 1 s", "", true},
    Shortcut{Action::tenthOn, "PgDn", "Forward 10 %", "A tenth of the recording.", true},
    Shortcut{Action::tenthBack, "PgUp", "Back 10 %", "A tenth of the recording.", true},
    Shortcut{Action::first, "Home", "First frame", "Or the in point."},
    Shortcut{Action::last, "End", "Last frame", "Or the out point."},
    Shortcut{Action::goToFrame, "Ctrl+G", "Go to frame", "By its number, or its time."},
    Shortcut{Action::bookmark, "Ctrl+B", "Bookmark", "Sets one at this frame, or removes it."},
    Shortcut{Action::nextBookmark, "Ctrl+Right", "Next bookmark", ""},
    Shortcut{Action::previousBookmark, "Ctrl+Left", "Previous bookmark", ""},
    Shortcut{Action::slower, "[ Down", "Slower", "0.1 to 4 times, or as fast as tracking allows.",
             true},
    Shortcut{Action::faster, "] Up", "Faster", "0.1 to 4 times, or as fast as tracking allows.",
             true},
    Shortcut{Action::loop, "L", "Loop", "Repeat at the end."},
    Shortcut{Action::setIn, "I", "In point", "Playback begins at this frame."},
    Shortcut{Action::setOut, "O", "Out point", "Playback ends after this frame."},
    Shortcut{Action::clearRange, "X", "Whole recording", "Removes the in and out points."},
    Shortcut{Action::fit, "F", "Fit", "The whole image."},
    Shortcut{Action::actualSize, "1", "1:1", "One image pixel per screen pixel."},
    Shortcut{Action::space, "3", "Space",
             "With a rig: 3D view beside the images, alone, or hidden."},
    Shortcut{Action::nextView, "V", "Next view",
             "Source, luminance, response, intensity, candidates."},
    Shortcut{Action::trails, "T", "Trails", "Where markers have been."},
    Shortcut{Action::ids, "N", "Numbers", "The tracks' ids."},
    Shortcut{Action::rejected, "C", "Rejected", "Rejected candidates; point at one to see why."},
    Shortcut{Action::gates, "G", "Gates", "Where each track was searched for."},
    Shortcut{Action::uncertainty, "U", "Uncertainty",
             "Of each position, enlarged by the factor in the view."},
    Shortcut{Action::side, "Tab", "Panels", "Shows or hides the tabs on the right."},
    Shortcut{Action::record, "R", "Record", "Tracks into a new file, from this frame on."},
    Shortcut{Action::saveLatest, "Ctrl+L", "Save the last seconds",
             "Live cameras: the frames in memory, as a raw recording."},
    Shortcut{Action::open, "Ctrl+O", "Open", "Other recordings or cameras, recent ones too."},
    Shortcut{Action::exportRange, "Ctrl+E", "Export",
             "The frames from the in point to the out point, in any format."},
    Shortcut{Action::report, "Ctrl+R", "Report",
             "Report on the last recording or export, in the browser."},
    Shortcut{Action::picture, "P", "Picture", "Saves the view in a new file."},
    Shortcut{Action::close, "Ctrl+W", "Close", "The recording or the cameras; the window stays."},
    Shortcut{Action::mask, "M", "Mask", "Paint over anything that is not a marker."},
    Shortcut{Action::renameTrack, "F2", "Name the track", "The selected one."},
    Shortcut{Action::hideTrack, "B", "Hide the track",
             "Or shows it again. Files still contain it."},
    Shortcut{Action::deleteTrack, "Delete", "Delete the track", "It is neither drawn nor written."},
    Shortcut{Action::splitTrack, "S", "Split the track", "From this frame on, it is a new track."},
    Shortcut{Action::joinTracks, "J", "Join tracks", "Then click the other track."},
    Shortcut{Action::swapTracks, "W", "Swap tracks",
             "From this frame on. Then click the other track."},
    Shortcut{Action::measureDistance, "D", "Distance", "Click two markers or places."},
    Shortcut{Action::measureAngle, "A", "Angle",
             "Click three markers or places, the vertex second."},
    Shortcut{Action::setScale, "K", "Scale", "Draw a line, then type its length in mm."},
    Shortcut{Action::curves, "Y", "Curves", "Of selected tracks and of measures, over time."},
    Shortcut{Action::findExposure, "E", "Find exposure",
             "Live cameras: shortens or lengthens the exposure until only markers are bright."},
    Shortcut{Action::undo, "Ctrl+Z", "Undo", "The last change of settings or tracks.", true},
    Shortcut{Action::redo, "Ctrl+Shift+Z Ctrl+Y", "Redo", "The change that was undone.", true},
    Shortcut{Action::save, "Ctrl+S", "Save settings", "As TOML."},
    Shortcut{Action::saveProject, "Ctrl+Shift+S", "Save project",
             "Sources, settings, bookmarks and layout, in one file."},
    Shortcut{Action::larger, "Ctrl++ Ctrl+= Ctrl+Shift+=", "Larger text",
             "And all other parts of the window.", true},
    Shortcut{Action::smaller, "Ctrl+-", "Smaller text", "And all other parts of the window.", true},
    Shortcut{Action::usualSize, "Ctrl+0", "Default text size", "The size that suits the screen."},
    Shortcut{Action::help, "H ? F1", "This help", ""},
    Shortcut{Action::palette, "Ctrl+Shift+P :", "Commands", "Find any action or setting by words."},
    Shortcut{Action::closeTop, "Esc", "Close", "Help, a message, or the selection."},
    Shortcut{Action::quit, "Ctrl+Q", "Quit", "Finishes recordings first."},
};

/// Calls `visit` for the alternatives, until it returns true. Returns true if it did.
bool anyOf(std::string_view keys, const auto& visit) {
  while (!keys.empty()) {
    const size_t end = keys.find(' ');
    if (visit(keys.substr(0, end))) return true;
    keys = end == std::string_view::npos ? "" : keys.substr(end + 1);
  }
  return false;
}

/// The shortcuts in force, and the texts of those keys that are not the default ones.
struct KeyTable {
  std::array<Shortcut, kDefaultShortcuts.size()> rows = kDefaultShortcuts;
  std::deque<std::string> texts = {};
};

KeyTable& keyTable() {
  static KeyTable only;
  return only;
}

/// Returns the alternatives in `keys` that are not among those in `taken`.
std::string keysWithout(std::string_view keys, std::string_view taken) {
  std::string left;
  anyOf(keys, [&](std::string_view key) {
    if (!anyOf(taken, [&](std::string_view other) { return other == key; }))
      left += (left.empty() ? "" : " ") + std::string(key);
    return false;
  });
  return left;
}

}  // namespace

void giveKeys(Action action, const std::string& keys) {
  KeyTable& table = keyTable();
  for (Shortcut& shortcut : table.rows) {
    const std::string own = shortcut.action == action ? keys : keysWithout(shortcut.keys, keys);
    if (own != shortcut.keys) shortcut.keys = table.texts.emplace_back(own);
  }
}

std::string nameInKeyFile(const Shortcut& shortcut) {
  std::string name;
  for (const char letter : lowerCase(std::string(shortcut.name))) {
    const bool kept = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    if (kept)
      name += letter;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

std::span<const Shortcut> shortcuts() {
  return keyTable().rows;
}

std::optional<Shortcut> shortcutOf(std::string_view chord) {
  for (const Shortcut& shortcut : shortcuts())
    if (anyOf(shortcut.keys, [&](std::string_view key) { return key == chord; })) return shortcut;
  return std::nullopt;
}

std::string_view keysOf(Action action) {
  for (const Shortcut& shortcut : shortcuts())
    if (shortcut.action == action) return shortcut.keys.substr(0, shortcut.keys.find(' '));
  return "";
}

}  // namespace glint::ui
