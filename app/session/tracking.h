// Gives frames their tracks: the only source of ids in a session.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/track_history.h"
#include "app/session/trackers.h"

namespace glint::session {

/// Tracks the sets of one pass after another. Where the tracks of the whole recording are known
/// (follow()), a pass that begins in its middle goes on as they were there, and has their ids;
/// until then its ids are provisional. Used by one thread.
class Tracking {
 public:
  /// `follows`: see SessionOptions::followsHistory; `checkpoints`: SessionOptions::checkpoints.
  Tracking(const Settings& settings, size_t cameras, bool stills, bool follows,
           uint64_t checkpoints);

  /// Begins a new pass, whose first set is `set`. Returns true if a frame before that set is known,
  /// and so the statistics of its response.
  bool begin(SetIndex set);

  /// Uses these settings from the next set on. `recording`: files are being written, which keep
  /// their ids.
  void apply(const Settings& settings, bool recording);

  void follow(std::shared_ptr<const TrackHistory> history) { history_ = std::move(history); }

  /// Returns what the next frame's tracks are based on, unless the whole recording knows it.
  motion::TrackKnowledge knowledge() const;
  /// True if begin(set) would replace provisional ids by those of the whole recording.
  bool canBeWhole(SetIndex set) const;
  /// No file is being written any more, so none has ids to keep.
  void release() { keepsIds_ = false; }

  /// Completes a frame: tracks, tentative and finalised rows, knowledge.
  void process(motion::Frame& frame);
  /// True if showAsWhole() gives a frame of this set its tracks as they are in the end.
  bool knows(SetIndex set) const;
  void showAsWhole(motion::Frame& frame) const;

  /// Ends all tracks. Returns the rows that were still open.
  std::vector<motion::CameraFrame> finish() { return trackers_.finish(); }
  /// The same, but tracks go on.
  std::vector<motion::CameraFrame> openRows() const { return Trackers(trackers_).finish(); }

  Trackers& trackers() { return trackers_; }
  uint64_t tracks() const { return earlier_.tracks + trackers_.tracks() - idsBeforePass_; }
  uint64_t stitches() const { return earlier_.stitches + trackers_.stitches(); }
  uint64_t repeats() const { return earlier_.repeats + trackers_.repeats(); }
  /// Returns what was not tracked in this pass.
  motion::Untracked untracked() const { return trackers_.untracked(); }

 private:
  void useKnownPredictions(SetIndex set, std::vector<TrackerInput>& inputs) const;
  bool usable() const { return history_ && history_->settings() == settings_; }

  Settings settings_;
  const size_t cameras_;
  const bool stills_, follows_;
  const uint64_t checkpoints_;
  Trackers trackers_;
  std::shared_ptr<const TrackHistory> history_;
  bool isEmpty_ = true;    // the pass has no set yet
  bool whole_ = true;      // ids are those of the whole recording
  bool keepsIds_ = false;  // a file that goes on began while ids were those of the whole recording
  struct {
    uint64_t tracks = 0, stitches = 0, repeats = 0;
  } earlier_;                   // sums of earlier passes
  uint64_t idsBeforePass_ = 0;  // ids that were given before the pass
};

}  // namespace glint::session
