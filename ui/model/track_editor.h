// The edits of the tracks that are shown: made, undone, kept beside the recording, and applied to
// what is known of it.
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

/// Of one session. Main thread.
class TrackEditor {
 public:
  /// Reads the edits beside the first recording. Says what is wrong with them; then they stay as
  /// they are.
  TrackEditor(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
              std::function<void()> wake);

  /// Before each picture; `history`: of the recording, or null.
  void follow(std::shared_ptr<const session::TrackHistory> history);

  const output::TrackEdits& edits() const { return made_.now(); }
  const shell::EditHistory& history() const { return made_; }
  /// As they are applied; null where nothing is known to apply them to, or there are none.
  const output::SharedEdits& applied() const { return applied_; }
  /// Of the tracks so far; those of the newest edits soon after them: see settled().
  const std::vector<shell::TrackSummary>& tracks() const;
  bool settled() const { return summarised_ == asked_; }
  const shell::TrackSummary* track(TrackId id) const;
  /// Whether the whole recording is known, and the track is not in it.
  bool gone(TrackId id) const;
  /// "17", or its name.
  std::string nameOf(TrackId id) const;
  /// "split 3 at frame 12", or by its place where it has found no track, and why not.
  std::string wordsOf(size_t edit) const;
  bool matches(size_t edit) const;  ///< whether it has found its tracks
  /// "hide, frame 12 at 103.2, 55.1"
  std::string placeOf(size_t edit) const;
  /// Counts up when tracks() or applied() change.
  uint64_t revision() const { return revision_; }
  /// Of the recording that tracks() are of; null: of none.
  const std::shared_ptr<const session::TrackHistory>& known() const { return known_; }
  double undoAt() const { return undoAt_.empty() ? -1 : undoAt_.back(); }
  /// Infinite where there is nothing.
  double redoAt() const;

  // Each says why it cannot be. `shown`: the frame on the screen.
  /// Without blanks around it; an empty one takes the name away.
  void rename(const Selection& one, const std::string& name, const TrackView& shown);
  void hide(const Selection& one, const TrackView& shown);    ///< or shows it again
  bool remove(const Selection& one, const TrackView& shown);  ///< whether it did
  void split(const Selection& one, const TrackView& shown);
  void join(const Selection& one, const Selection& two, const TrackView& shown);
  void swap(const Selection& one, const Selection& two, const TrackView& shown);
  void removeEdit(size_t edit);
  void setScale(size_t camera, std::optional<double> mmPerPx);
  /// All of them at once, a step of its own.
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
  void tellUnmatched(size_t count);
  void tellScales();

  const shell::WindowTask& task_;
  std::shared_ptr<Messages> messages_;
  std::string path_;  // empty: nowhere
  shell::EditHistory made_;
  std::vector<double> undoAt_, redoAt_;  // s, of the steps
  std::shared_ptr<const session::TrackHistory> known_;
  uint64_t finalised_ = 0, madeRevision_ = 0, revision_ = 0;
  double due_ = 0;  // s, when it may be looked at again
  output::SharedEdits applied_;
  std::shared_ptr<const shell::TrackSummariser::Result> summaries_;
  uint64_t asked_ = 0, summarised_ = 0;  // numbers of requests
  std::string told_;                     // of what matches nothing
  shell::TrackSummariser summariser_;
};

}  // namespace glint::ui
