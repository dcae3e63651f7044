// The edits that are made: undo and redo with names.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "app/output/edit/track_edits.h"

namespace glint::shell {

/// Whole snapshots; used by one thread.
class EditHistory {
 public:
  static constexpr size_t kDeepest = 100;  ///< steps that can be undone

  /// `edits`: as they were read.
  explicit EditHistory(output::TrackEdits edits = {});

  const output::TrackEdits& now() const { return *now_; }
  std::shared_ptr<const output::TrackEdits> share() const { return now_; }
  /// Counts up whenever now() changes, by whatever.
  uint64_t revision() const { return revision_; }

  /// Nothing happens where nothing differs.
  void become(output::TrackEdits edits, std::string name);
  void add(output::TrackEdit edit, std::string name);
  void removeAt(size_t edit, std::string name);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// What undo() or redo() would take back or do again, or empty.
  std::string undoName() const { return canUndo() ? undo_.back().name : std::string(); }
  std::string redoName() const { return canRedo() ? redo_.back().name : std::string(); }
  /// False where there is nothing to be done.
  bool undo() { return go(undo_, redo_); }
  bool redo() { return go(redo_, undo_); }
  /// Something else was done since.
  void forgetRedo() { redo_.clear(); }

 private:
  struct Step {
    std::string name;
    std::shared_ptr<const output::TrackEdits> edits;  // to go to
  };
  bool go(std::deque<Step>& from, std::deque<Step>& to);

  std::shared_ptr<const output::TrackEdits> now_;
  uint64_t revision_ = 0;
  std::deque<Step> undo_, redo_;  // the next one last
};

}  // namespace glint::shell
