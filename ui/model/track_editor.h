// The edits of the tracks that are shown. They are made, undone, saved beside the recording, and
// applied to the tracks that are known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/sinks/edited_sink.h"
#include "app/shell/desk/edit_history.h"
#include "app/shell/desk/track_summariser.h"
#include "app/shell/desk/window_interface.h"
#include "ui/model/messages.h"
#include "ui/model/track_view.h"

namespace glint::ui {

/// The edits of one session's tracks. Main thread.
class TrackEditor {
 public:
  /// Reads the edits beside the first recording. If they cannot be read, tells the user, and leaves
  /// the file as it is: new edits are not saved.
  TrackEditor(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
              std::function<void()> wake);

  /// Applies the edits to the tracks that are known. Call it before each picture. `history` is that
  /// of the recording; null if there is none.
  void follow(std::shared_ptr<const session::TrackHistory> history);

  /// Returns the file of the edits; empty if they are not saved.
  const std::string& path() const { return path_; }
  const output::TrackEdits& edits() const { return made_.now(); }
  const shell::EditHistory& history() const { return made_; }
  /// Returns the edits in the form in which they are applied; null if there are no edits, or no
  /// tracks to apply them to.
  const output::SharedEdits& applied() const { return applied_; }
  /// Returns summaries of the tracks that are known so far. After an edit they change a little
  /// later: see isUpToDate().
  const std::vector<shell::TrackSummary>& tracks() const;
  bool isUpToDate() const { return summarised_ == asked_; }
  const shell::TrackSummary* track(TrackId id) const;
  /// Returns true if the whole recording is known, and the track is not in it.
  bool gone(TrackId id) const;
  /// Returns the name of a track, or its id if it has none: "17".
  std::string nameOf(TrackId id) const;
  /// Returns the words for an edit, "split 3 at frame 12". If it has found no track, returns its
  /// place, and why it is not applied.
  std::string wordsOf(size_t edit) const;
  /// Returns true if the edit has found its tracks.
  bool matches(size_t edit) const;
  /// Returns the words for an edit by the place of its track: "hide, frame 12 at 103.2, 55.1".
  std::string placeOf(size_t edit) const;
  /// Returns a number that grows when tracks() or applied() change.
  uint64_t revision() const { return revision_; }
  /// Returns the history that tracks() come from; null if there is none.
  const std::shared_ptr<const session::TrackHistory>& known() const { return known_; }
  double undoAt() const { return undoAt_.empty() ? -1 : undoAt_.back(); }
  /// Returns the time of the step that redo() would do, s; infinite if there is none.
  double redoAt() const;

  // Each of the following tells the user if it is not possible. `shown` is the frame on the screen.
  /// Gives the track a name, without the blanks around it. An empty name removes the name.
  void rename(const Selection& one, const std::string& name, const TrackView& shown);
  /// Hides the track, or shows it again if it is hidden.
  void hide(const Selection& one, const TrackView& shown);
  /// Deletes the track. Returns false if that is not possible.
  bool remove(const Selection& one, const TrackView& shown);
  /// Splits the track before the frame on the screen. Returns false if that is not possible.
  bool split(const Selection& one, const TrackView& shown);
  void join(const Selection& one, const Selection& two, const TrackView& shown);
  void swap(const Selection& one, const Selection& two, const TrackView& shown);
  void removeEdit(size_t edit);
  void setScale(size_t camera, std::optional<double> mmPerPx);
  /// Replaces all edits at once, as one step of this name.
  void become(output::TrackEdits edits, const std::string& name);
  void undo();
  void redo();
  void forgetRedo();

 private:
  bool possible() const;
  std::optional<output::TrackAnchor> anchorOf(const Selection& one, const TrackView& shown) const;
  const motion::TrackRow* shownRow(const Selection& one, const TrackView& shown) const;
  output::FrameWords frameWords() const;
  void add(output::TrackEdit edit, const std::string& name);
  void changed();
  void keep();
  void apply();
  void takeSummaries();
  void reportUnmatched(size_t count);
  void applyScales();

  const shell::WindowTask& task_;
  std::shared_ptr<Messages> messages_;
  std::string path_;  // the file of the edits; empty: edits are not saved
  shell::EditHistory made_;
  std::vector<double> undoAt_, redoAt_;  // s, times of the steps
  // The tracks of the recording; null: unknown.
  std::shared_ptr<const session::TrackHistory> known_;
  // The number of finalised sets, and the revision of made_, when edits were applied last. For
  // revision_, see revision().
  uint64_t finalised_ = 0, madeRevision_ = 0, revision_ = 0;
  // Time, s, before which a growing history is not applied again.
  double due_ = 0;
  output::SharedEdits applied_;  // the edits as applied to known_; null: none
  std::shared_ptr<const shell::TrackSummariser::Result> summaries_;
  // Numbers of the last requested summaries, and of those that have arrived.
  uint64_t asked_ = 0, summarised_ = 0;
  std::string unmatchedMessage_;  // the last message about edits that match nothing
  shell::TrackSummariser summariser_;
};

}  // namespace glint::ui
