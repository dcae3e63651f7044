// The tracks of a whole recording, by frame.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/motion/frame/final_sets.h"
#include "app/output/sinks/sink.h"
#include "app/session/camera_trackers.h"
#include "config/settings.h"

namespace glint::session {

/// The tracks of one camera in one set.
struct HistoryFrame {
  /// The source's own time, s. If the camera has no frame, it is the time of another camera.
  double time = 0;
  /// Number of detections.
  uint32_t markers = 0;
  /// Number of rows, also if they are not kept.
  uint32_t tracks = 0;
  /// True if the camera gave a frame.
  bool measured = false;
  /// Rows as in tracks.csv, sorted by id. See TrackHistory::rowsKept().
  std::vector<motion::TrackRow> rows;
};

/// A stretch of consecutive sets in each of which a track has a row.
struct TrackStretch {
  TrackId track;
  SetIndex first, last;
  bool operator==(const TrackStretch&) const = default;
};

/// Everything that a session of a recording has handed on since the recording's first frame, with
/// one snapshot of the settings. It grows while the session runs. One thread adds, and any thread
/// may read. A call takes constant time unless stated otherwise, and never waits for tracking.
class TrackHistory : public output::Sink {
 public:
  /// Maximum number of rows of all cameras that are kept, and likewise of measurements. Each takes
  /// 150 bytes. Of later frames, only the number of rows is known.
  static constexpr size_t kMostRows = 4'000'000;
  /// Interval in sets at which trackers are kept: see SessionOptions::checkpoints.
  static constexpr uint64_t kCheckpointEvery = 256;

  /// `revision` is the number that the owner of the settings gives to them.
  TrackHistory(const Settings& settings, uint64_t revision, size_t cameras,
               size_t mostRows = kMostRows);

  const Settings& settings() const { return settings_; }
  uint64_t revision() const { return revision_; }
  size_t cameras() const { return all_.size(); }

  /// Returns the number of sets whose counts of markers are final.
  uint64_t measured() const;
  /// Returns the number of sets, from the first one on, whose rows will not change any more.
  uint64_t finalised() const;
  /// Returns true if the end of the recording was reached. Then every set is finalised.
  bool complete() const;
  /// Returns true if all rows were kept.
  bool rowsKept() const;

  /// Returns a camera's part of a set, or null if the set has not been measured yet. Rows appear
  /// once the set is finalised, and do not change after that.
  std::shared_ptr<const HistoryFrame> frame(CameraIndex camera, SetIndex set) const;
  /// Returns the finalised sets from `first` to `last`, both included, for trails and curves. Takes
  /// time proportional to their number.
  std::vector<std::shared_ptr<const HistoryFrame>> frames(CameraIndex camera, SetIndex first,
                                                          SetIndex last) const;

  /// Returns the number of markers in each measured set. Between two frames of a slower camera, the
  /// number of the first one is repeated. Takes time proportional to the number of sets.
  std::vector<uint32_t> markerCounts(CameraIndex camera) const;

  /// Returns the stretches in which each track existed, sorted by first set and id. A track that
  /// was lost for a while has several. Takes time proportional to their number.
  std::vector<TrackStretch> stretches(CameraIndex camera) const;

  /// Returns the trackers as they were just before `set` was measured. Tracking that continues with
  /// them gives the ids of the whole recording. Returns nothing beyond the measured sets, or if
  /// none were kept. Takes the time for tracking up to kCheckpointEvery sets.
  std::optional<CameraTrackers> trackersBefore(SetIndex set) const;
  /// Returns the input of the trackers for a set, or null if it is not kept or no camera had a
  /// frame.
  std::shared_ptr<const std::vector<TrackerInput>> inputs(SetIndex set) const;
  /// Returns true if trackersBefore(set) would return any.
  bool reaches(SetIndex set) const;

  /// Adds a frame. Frames must come in order. A frame without a measurement contributes only its
  /// rows, and is the last one. Sets that are already known are ignored.
  void accept(const motion::FramePtr& frame) override;
  /// Notes that the end of the recording was reached, so that nothing follows.
  void conclude();

 private:
  struct Camera {
    // The tracks of the camera in each set.
    std::vector<std::shared_ptr<const HistoryFrame>> frames;
    std::vector<TrackStretch> stretches;
    // Latest stretch of each track, and the frame number of its latest row.
    std::map<TrackId, std::pair<size_t, FrameNumber>> latest;
  };
  void passOver(SetIndex next);
  void measure(const motion::Frame& frame);
  void take(Camera& camera, std::span<const motion::TrackRow> rows);

  const Settings settings_;
  const uint64_t revision_;
  size_t room_, roomForInputs_;
  mutable std::mutex mutex_;
  std::vector<Camera> all_;
  // One for each set, as long as they are kept.
  std::vector<std::shared_ptr<const std::vector<TrackerInput>>> inputs_;
  // The trackers as they were before that set.
  std::map<SetIndex, std::shared_ptr<const CameraTrackers>> checkpoints_;
  motion::FinalSets final_;
  uint64_t measured_ = 0, finalised_ = 0;
  bool complete_ = false, kept_ = true;
};

}  // namespace glint::session
