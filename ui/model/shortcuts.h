// The keys: the one table that the help, the hints on buttons and the input are made of.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace glint::ui {

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
  larger,
  smaller,
  usualSize,
  closeTop,
  help,
  quit
};

struct Shortcut {
  Action action;
  std::string_view keys;  ///< as Chord::name; alternatives separated by blanks
  std::string_view name;  ///< what it does, two or three words
  std::string_view help;  ///< a sentence
  bool repeats = false;   ///< while the key is held
};

std::span<const Shortcut> shortcuts();
std::optional<Shortcut> shortcutOf(std::string_view chord);
/// The first of its keys.
std::string_view keysOf(Action action);

}  // namespace glint::ui
