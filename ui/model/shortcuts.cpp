#include "ui/model/shortcuts.h"

#include <array>

namespace glint::ui {
namespace {

constexpr std::array kShortcuts{
    Shortcut{Action::play, "Space", "Play, pause",
             "At the end it starts again; live, capture goes on."},
    Shortcut{Action::stepOn, "Right .", "Step on", "One frame.", true},
    Shortcut{Action::stepBack, "Left ,", "Step back", "One frame.", true},
    Shortcut{Action::secondOn, "Shift+Right", "A second on", "", true},
    Shortcut{Action::secondBack, "Shift+Left", "A second back", "", true},
    Shortcut{Action::tenthOn, "PgDn", "A tenth on", "A tenth of the recording.", true},
    Shortcut{Action::tenthBack, "PgUp", "A tenth back", "A tenth of the recording.", true},
    Shortcut{Action::first, "Home", "First frame", "Or the in point."},
    Shortcut{Action::last, "End", "Last frame", "Or the out point."},
    Shortcut{Action::goToFrame, "Ctrl+G", "Go to frame", "By its number, or its time."},
    Shortcut{Action::slower, "[ Down", "Slower", "0.1 to 4 times, or as fast as tracking allows.",
             true},
    Shortcut{Action::faster, "] Up", "Faster", "0.1 to 4 times, or as fast as tracking allows.",
             true},
    Shortcut{Action::loop, "L", "Loop", "Play again at the end."},
    Shortcut{Action::setIn, "I", "In point", "Playing begins at this frame."},
    Shortcut{Action::setOut, "O", "Out point", "Playing ends with this frame."},
    Shortcut{Action::clearRange, "X", "Whole recording", "Removes the in and out points."},
    Shortcut{Action::fit, "F", "Fit", "The whole image."},
    Shortcut{Action::actualSize, "1", "1:1", "One pixel of the image on one of the screen."},
    Shortcut{Action::space, "3", "Space", "With a rig: beside the images, alone, hidden."},
    Shortcut{Action::nextView, "V", "Next view",
             "Source, luminance, response, intensity, candidates."},
    Shortcut{Action::trails, "T", "Trails", "Where markers have been."},
    Shortcut{Action::ids, "N", "Numbers", "The tracks' ids."},
    Shortcut{Action::rejected, "C", "Rejected", "Rejected candidates; point at one to see why."},
    Shortcut{Action::gates, "G", "Gates", "Where each track was searched for."},
    Shortcut{Action::uncertainty, "U", "Uncertainty",
             "Of each position, enlarged as the view says."},
    Shortcut{Action::side, "Tab", "Panels", "Shows or hides the tabs on the right."},
    Shortcut{Action::record, "R", "Record", "Tracks into a new file, from this frame on."},
    Shortcut{Action::saveLatest, "Ctrl+L", "Save the last seconds",
             "Live cameras: the frames in memory, as a raw recording."},
    Shortcut{Action::open, "Ctrl+O", "Open", "Other recordings or cameras, recent ones too."},
    Shortcut{Action::exportRange, "Ctrl+E", "Export", "The frames from in to out, to any format."},
    Shortcut{Action::report, "Ctrl+R", "Report",
             "On the last recording or export, in the browser."},
    Shortcut{Action::picture, "P", "Picture", "Saves the view in a new file."},
    Shortcut{Action::close, "Ctrl+W", "Close", "The recording or the cameras; the window stays."},
    Shortcut{Action::mask, "M", "Mask", "Paint over anything that is not a marker."},
    Shortcut{Action::renameTrack, "F2", "Name the track", "The selected one."},
    Shortcut{Action::hideTrack, "B", "Hide the track", "Or shows it again; files still hold it."},
    Shortcut{Action::deleteTrack, "Delete", "Delete the track", "It is neither drawn nor written."},
    Shortcut{Action::splitTrack, "S", "Split the track", "From this frame on it is another one."},
    Shortcut{Action::joinTracks, "J", "Join tracks", "Then click the other one."},
    Shortcut{Action::swapTracks, "W", "Swap tracks", "From this frame on; click the other one."},
    Shortcut{Action::measureDistance, "D", "Distance", "Click two markers or places."},
    Shortcut{Action::measureAngle, "A", "Angle", "Click three; it is measured at the second."},
    Shortcut{Action::setScale, "K", "Scale", "Draw a line, then type its length in mm."},
    Shortcut{Action::curves, "Y", "Curves", "Of selected tracks and of measures, over time."},
    Shortcut{Action::findExposure, "E", "Find exposure",
             "Live cameras: lowers it until only markers are left."},
    Shortcut{Action::undo, "Ctrl+Z", "Undo", "The last change of settings or tracks.", true},
    Shortcut{Action::redo, "Ctrl+Shift+Z Ctrl+Y", "Redo", "What was undone.", true},
    Shortcut{Action::save, "Ctrl+S", "Save settings", "As TOML."},
    Shortcut{Action::larger, "Ctrl++ Ctrl+= Ctrl+Shift+=", "Larger text", "And everything else.",
             true},
    Shortcut{Action::smaller, "Ctrl+-", "Smaller text", "And everything else.", true},
    Shortcut{Action::usualSize, "Ctrl+0", "Usual text size", "As the screen suggests."},
    Shortcut{Action::help, "H ? F1", "This help", ""},
    Shortcut{Action::palette, "Ctrl+Shift+P :", "Commands", "Find any action or setting by words."},
    Shortcut{Action::closeTop, "Esc", "Close", "The topmost: help, a message, the selection."},
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

}  // namespace

std::span<const Shortcut> shortcuts() {
  return kShortcuts;
}

std::optional<Shortcut> shortcutOf(std::string_view chord) {
  for (const Shortcut& shortcut : kShortcuts)
    if (anyOf(shortcut.keys, [&](std::string_view key) { return key == chord; })) return shortcut;
  return std::nullopt;
}

std::string_view keysOf(Action action) {
  for (const Shortcut& shortcut : kShortcuts)
    if (shortcut.action == action) return shortcut.keys.substr(0, shortcut.keys.find(' '));
  return "";
}

}  // namespace glint::ui
