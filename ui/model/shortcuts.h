// The keys: one table from which the help, the hints on buttons and the input are made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glint::ui {

/// An action of the window that a key, a button or the menu starts.
enum class Action {
  play,
  stepBack,
  stepOn,
  secondBack,
  secondOn,
  tenthBack,
  tenthOn,
  first,
  last,
  goToFrame,
  bookmark,
  nextBookmark,
  previousBookmark,
  slower,
  faster,
  loop,
  setIn,
  setOut,
  clearRange,
  fit,
  actualSize,
  record,
  saveLatest,
  exportRange,
  report,
  picture,
  mask,
  renameTrack,
  hideTrack,
  deleteTrack,
  splitTrack,
  joinTracks,
  swapTracks,
  measureDistance,
  measureAngle,
  setScale,
  curves,
  findExposure,
  rejected,
  trails,
  gates,
  uncertainty,
  ids,
  space,
  nextView,
  side,
  open,
  close,
  undo,
  redo,
  save,
  saveProject,
  larger,
  smaller,
  usualSize,
  closeTop,
  help,
  palette,
  quit
};

/// The keys of an action, and its words in the help.
struct Shortcut {
  Action action;
  std::string_view keys;  ///< chords, see Chord::name; alternatives are separated by blanks
  std::string_view name;  ///< name of the action, two or three words
  std::string_view help;  ///< a sentence
  bool repeats = false;   ///< true if the action repeats while the key is held
};

/// Gives an action other keys, in the form of Shortcut::keys, for as long as the program runs. No
/// other action keeps one of them. Main thread, as all functions here.
void giveKeys(Action action, const std::string& keys);
/// Returns the name of an action in the file of keys, such as "previous_frame" or "1_1": its name
/// in lower case, with one _ between its words. Words consist of letters and digits.
std::string nameInKeyFile(const Shortcut& shortcut);

/// Returns the shortcuts in the order of the help.
std::span<const Shortcut> shortcuts();
/// Returns the shortcut that has this chord. Empty if there is none.
std::optional<Shortcut> shortcutOf(std::string_view chord);
/// Returns the first key of the action.
std::string_view keysOf(Action action);

}  // namespace glint::ui
