// Adds tracks to frames. It is the only source of track ids in a session.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/camera_trackers.h"
#include "app/session/track_history.h"

namespace glint::session {

/// Tracks the sets of one pass after another. If the tracks of the whole recording are known
/// (follow()), a pass that begins in the middle continues them and has their ids. Until then, the
/// ids of such a pass are provisional. Used by one thread.
class SessionTracker {
 public:
  /// For `follows` and `checkpoints` see SessionOptions::followsHistory and
  /// SessionOptions::checkpoints.
  SessionTracker(const Settings& settings, size_t cameras, bool stills, bool follows,
                 uint64_t checkpoints);

  /// Begins a new pass whose first set is `set`. Returns true if a frame before that set is known,
  /// with the statistics of its response.
  bool begin(SetIndex set);

  /// Uses these settings from the next set on. `recording` says that files are being written. Their
  /// ids must not change.
  void apply(const Settings& settings, bool recording);

  void follow(std::shared_ptr<const TrackHistory> history) { history_ = std::move(history); }

  /// Returns the origin of the next frame's ids, if the tracks of the whole recording are not known
  /// for it.
  motion::TrackKnowledge knowledge() const;
  /// Returns true if begin(set) would replace provisional ids by those of the whole recording.
  bool canBeWhole(SetIndex set) const;
  /// Notes that no file is being written any more, so that ids may be replaced.
  void release() { keepsIds_ = false; }

  /// Completes a frame: its tracks, tentative and finalised rows, and knowledge.
  void process(motion::Frame& frame);
  /// Returns true if showAsWhole() would give a frame of this set its final tracks.
  bool knows(SetIndex set) const;
  void showAsWhole(motion::Frame& frame) const;

  /// Ends all tracks. Returns the rows that were not final yet.
  std::vector<motion::CameraFrame> finish() { return trackers_.finish(); }
  /// Returns the rows that are not final yet. The tracks continue.
  std::vector<motion::CameraFrame> openRows() const { return CameraTrackers(trackers_).finish(); }

  CameraTrackers& trackers() { return trackers_; }
  uint64_t tracks() const { return earlier_.tracks + trackers_.tracks() - idsBeforePass_; }
  uint64_t stitches() const { return earlier_.stitches + trackers_.stitches(); }
  uint64_t repeats() const { return earlier_.repeats + trackers_.repeats(); }
  /// Returns the measurements of this pass that belong to no track.
  motion::Untracked untracked() const { return trackers_.untracked(); }

 private:
  void useKnownPredictions(SetIndex set, std::vector<TrackerInput>& inputs) const;
  bool usable() const { return history_ && history_->settings() == settings_; }

  Settings settings_;
  const size_t cameras_;
  const bool stills_, follows_;
  const uint64_t checkpoints_;
  CameraTrackers trackers_;
  std::shared_ptr<const TrackHistory> history_;
  // True if the pass has no set yet.
  bool isEmpty_ = true;
  // True if ids are those of the whole recording.
  bool whole_ = true;
  // True if a file is being written that began while ids were those of the whole recording.
  bool keepsIds_ = false;
  struct {
    uint64_t tracks = 0, stitches = 0, repeats = 0;
  } earlier_;  // sums over earlier passes
  // Number of ids that were given before the pass.
  uint64_t idsBeforePass_ = 0;
};

}  // namespace glint::session
