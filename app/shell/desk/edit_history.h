// The edits of tracks that the user makes, with undo and redo.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "app/output/edit/track_edits.h"

namespace glint::shell {

/// The steps of the edits, with a snapshot of all edits for each. One thread.
class EditHistory {
 public:
  static constexpr size_t kDeepest = 100;  ///< the largest number of steps that can be undone

  /// Begins with these edits, which were read from a file.
  explicit EditHistory(output::TrackEdits edits = {});

  const output::TrackEdits& now() const { return *now_; }
  std::shared_ptr<const output::TrackEdits> share() const { return now_; }
  /// Returns a number that grows whenever now() changes, for whatever reason.
  uint64_t revision() const { return revision_; }

  /// Replaces all edits, as a step of this name. Does nothing if they are equal.
  void become(output::TrackEdits edits, std::string name);
  void add(output::TrackEdit edit, std::string name);
  void removeAt(size_t edit, std::string name);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// Return the name of the step that undo() or redo() would take; empty if there is none.
  std::string undoName() const { return canUndo() ? undo_.back().name : std::string(); }
  std::string redoName() const { return canRedo() ? redo_.back().name : std::string(); }
  /// Return false if there is no such step.
  bool undo() { return go(undo_, redo_); }
  bool redo() { return go(redo_, undo_); }
  /// Forgets the steps that were undone, because another change was made elsewhere.
  void forgetRedo() { redo_.clear(); }

 private:
  struct Step {
    std::string name;
    std::shared_ptr<const output::TrackEdits> edits;  // the edits after the step
  };
  bool go(std::deque<Step>& from, std::deque<Step>& to);

  std::shared_ptr<const output::TrackEdits> now_;
  uint64_t revision_ = 0;
  std::deque<Step> undo_, redo_;  // the next step is the last element
};

}  // namespace glint::shell
