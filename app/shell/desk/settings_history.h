// The settings that are edited: undo and redo with names, and the file that they belong to.
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

/// Whole snapshots of the settings; used by one thread. Edits of one key that follow each other
/// within kMergeSeconds are one step, however many there are of them.
class SettingsHistory {
 public:
  static constexpr size_t kDeepest = 100;     ///< steps that can be undone
  static constexpr double kMergeSeconds = 3;  ///< from one edit of a key to its next one

  /// `settings` count as saved, in the file `path`; empty: in none.
  explicit SettingsHistory(const Settings& settings, std::string path = {})
      : now_(settings), saved_(settings), path_(std::move(path)) {}

  const Settings& now() const { return now_; }
  /// Counts up whenever now() changes, by whatever.
  uint64_t revision() const { return revision_; }

  /// Takes `settings` at `seconds` of a clock that never goes back. The step is called `name`; if
  /// that is empty, after what differs: "Threshold 0.42", or "3 settings". Nothing happens
  /// where nothing differs.
  void edit(const Settings& settings, double seconds, std::string_view name = {});
  /// What another session begins with: an edit that leaves nothing unsaved where nothing was, and
  /// nothing to undo where there was nothing.
  void goOnWith(const Settings& settings, double seconds);
  /// The next edit is a step of its own, whenever it comes: a mouse button was released.
  void endStep() { mergesWith_.clear(); }

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// What undo() or redo() would take back or do again, or empty.
  std::string undoName() const { return canUndo() ? undo_.back().name : std::string(); }
  std::string redoName() const { return canRedo() ? redo_.back().name : std::string(); }
  /// When that was edited last, s of edit()'s clock; without any before, and after all, others.
  double undoAt() const { return canUndo() ? undo_.back().seconds : -1; }
  double redoAt() const {
    return canRedo() ? redo_.back().seconds : std::numeric_limits<double>::infinity();
  }
  /// False where there is nothing to be done.
  bool undo() { return go(undo_, redo_); }
  bool redo() { return go(redo_, undo_); }
  /// Something else was done since.
  void forgetRedo() { redo_.clear(); }

  /// Whether now() differs from what was saved or loaded last, or begun with.
  bool unsaved() const { return unsaved_; }
  /// The file that was saved to or loaded from last; empty: none.
  const std::string& path() const { return path_; }

  /// One step: all settings of a TOML file, those that it does not name at their defaults, except
  /// device.*, which cannot change while the device is in use and stay as they are. Throws
  /// UsageError naming file and line; then nothing has changed. Inputs of filters whose secrets
  /// the file lacks have those of the settings that were edited before.
  void load(const std::string& path, double seconds);
  /// Whole or not at all. Throws Error naming the file; then now() still is unsaved.
  void save(const std::string& path);

 private:
  struct Step {
    std::string name;
    Settings settings;  // to go to
    double seconds = 0;
  };
  bool go(std::deque<Step>& from, std::deque<Step>& to);
  void become(const Settings& settings);

  Settings now_, saved_;
  bool unsaved_ = false;
  std::string path_;
  uint64_t revision_ = 0;
  std::deque<Step> undo_, redo_;  // the next one last
  std::string mergesWith_;        // the key whose next edit belongs to the last step, or empty
  double lastEdit_ = 0;           // s
};

/// The keys of the settings that differ, in the order of their declaration.
std::vector<std::string> changedKeys(const Settings& a, const Settings& b);

}  // namespace glint::shell
