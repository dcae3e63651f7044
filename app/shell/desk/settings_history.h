// The settings that the user edits, with undo and redo, and the file that they belong to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace glint::shell {

/// The steps of the settings, with a snapshot of the settings for each. One thread. Edits of one
/// key that follow each other within kMergeSeconds are one step.
class SettingsHistory {
 public:
  static constexpr size_t kDeepest = 100;  ///< the largest number of steps that can be undone
  /// The longest time, s, from one edit of a key to the next one of the same step.
  static constexpr double kMergeSeconds = 3;

  /// Begins with `settings`, which count as saved in the file `path`; an empty path means in no
  /// file.
  explicit SettingsHistory(const Settings& settings, std::string path = {})
      : now_(settings), saved_(settings), path_(std::move(path)) {}

  const Settings& now() const { return now_; }
  /// Returns a number that grows whenever now() changes, for whatever reason.
  uint64_t revision() const { return revision_; }

  /// Takes `settings` at the time `seconds`, by a clock that never goes back. `name` is the name of
  /// the step. If it is empty, the step is named after the differences: "Threshold 0.42", or "3
  /// settings". Does nothing if there is no difference.
  void edit(const Settings& settings, double seconds, std::string_view name = {});
  /// Continues with the settings that another session begins with. If nothing was unsaved, nothing
  /// is unsaved afterwards, and if there was nothing to undo, there still is nothing.
  void goOnWith(const Settings& settings, double seconds);
  /// Makes the next edit a step of its own, however soon it comes, for instance because a mouse
  /// button was released.
  void endStep() { mergesWith_.clear(); }

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// Return the name of the step that undo() or redo() would take; empty if there is none.
  std::string undoName() const { return canUndo() ? undo_.back().name : std::string(); }
  std::string redoName() const { return canRedo() ? redo_.back().name : std::string(); }
  /// Return the time of the last edit of that step, by edit()'s clock, s. Without a step, undoAt()
  /// is before all edits, and redoAt() after all.
  double undoAt() const { return canUndo() ? undo_.back().seconds : -1; }
  double redoAt() const {
    return canRedo() ? redo_.back().seconds : std::numeric_limits<double>::infinity();
  }
  /// Return false if there is no such step.
  bool undo() { return go(undo_, redo_); }
  bool redo() { return go(redo_, undo_); }
  /// Forgets the steps that were undone, because another change was made elsewhere.
  void forgetRedo() { redo_.clear(); }

  /// Returns true if now() differs from the settings that were saved or loaded last, or from those
  /// at the beginning.
  bool unsaved() const { return unsaved_; }
  /// Returns the file that was last saved or loaded; empty if there is none.
  const std::string& path() const { return path_; }

  /// Replaces all settings by those of a TOML file, as one step. Settings that the file does not
  /// name get their defaults, except device.*, which cannot change while the device is in use.
  /// Inputs of filters whose secrets the file lacks keep those of the previous settings. Throws
  /// UsageError naming file and line; then nothing has changed.
  void load(const std::string& path, double seconds);
  /// Notes that now() is kept elsewhere, so that nothing is unsaved.
  void noteSaved();
  /// Saves the settings into a file, as a whole. Throws Error naming the file; then now() remains
  /// unsaved.
  void save(const std::string& path);

 private:
  struct Step {
    std::string name;
    Settings settings;  // the settings after the step
    double seconds = 0;
  };
  bool go(std::deque<Step>& from, std::deque<Step>& to);
  void become(const Settings& settings);

  Settings now_, saved_;
  bool unsaved_ = false;
  std::string path_;
  uint64_t revision_ = 0;
  std::deque<Step> undo_, redo_;  // the next step is the last element
  // The key whose next edit belongs to the last step, or empty.
  std::string mergesWith_;
  double lastEdit_ = 0;  // s
};

/// Returns the keys of the settings that differ, in the order of their declaration.
std::vector<std::string> changedKeys(const Settings& a, const Settings& b);

}  // namespace glint::shell
