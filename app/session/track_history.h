// The tracks of a whole recording, by frame.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/output/sinks/sink.h"
#include "app/session/trackers.h"
#include "config/settings.h"

namespace glint::session {

/// One camera in one set.
struct HistoryFrame {
  double time = 0;        ///< s, the source's own; of another one where it has no frame
  uint32_t markers = 0;   ///< detections
  uint32_t tracks = 0;    ///< rows, also where they are not kept
  bool measured = false;  ///< whether the camera gave a frame
  std::vector<motion::TrackRow>
      rows;  ///< by id: those of tracks.csv. See TrackHistory::rowsKept().
};

/// A stretch of sets, one after another, in each of which a track has a row.
struct TrackStretch {
  TrackId track;
  SetIndex first, last;
  bool operator==(const TrackStretch&) const = default;
};

/// What a session of a recording that began with its first frame, under one snapshot of the
/// settings, has handed on; grows meanwhile. One thread adds, any thread reads: a call takes
/// constant time unless it says otherwise, and never waits for tracking.
class TrackHistory : public output::Sink {
 public:
  /// Rows of all cameras together that are kept, and measurements, 150 bytes each; of later frames
  /// only their number is known.
  static constexpr size_t kMostRows = 4'000'000;
  /// Sets between those whose trackers are kept: see SessionOptions::checkpoints.
  static constexpr uint64_t kCheckpointEvery = 256;

  /// `revision`: that of the settings, as their owner counts them.
  TrackHistory(const Settings& settings, uint64_t revision, size_t cameras,
               size_t mostRows = kMostRows);

  const Settings& settings() const { return settings_; }
  uint64_t revision() const { return revision_; }
  size_t cameras() const { return all_.size(); }

  uint64_t measured() const;   ///< sets whose counts of markers stand
  uint64_t finalised() const;  ///< sets whose rows will not change any more, from the first one on
  bool complete() const;       ///< whether the recording's end was reached: every set is finalised
  bool rowsKept() const;       ///< whether all rows were kept

  /// Null where the set was not measured yet. Rows are only there once the set is finalised, and
  /// never change then.
  std::shared_ptr<const HistoryFrame> frame(CameraIndex camera, SetIndex set) const;
  /// The finalised sets from `first` to `last`, both included: for trails and curves. Takes time
  /// for each set.
  std::vector<std::shared_ptr<const HistoryFrame>> frames(CameraIndex camera, SetIndex first,
                                                          SetIndex last) const;

  /// Markers of each measured set; between two frames of a slower camera those of the first one.
  /// Takes time for each set.
  std::vector<uint32_t> markerCounts(CameraIndex camera) const;

  /// When each track was there, by first set and id: a track that was lost for a while has several.
  /// Takes time for each stretch.
  std::vector<TrackStretch> stretches(CameraIndex camera) const;

  /// The trackers just before `set` was measured. Tracking that continues with them gives the ids
  /// of the whole recording. Empty beyond the measured sets, or where none are kept. Takes the time
  /// of tracking kCheckpointEvery sets at most.
  std::optional<Trackers> trackersBefore(SetIndex set) const;
  /// What the trackers were given of a set; null where that is not kept, or no camera had a frame.
  std::shared_ptr<const std::vector<TrackerInput>> inputs(SetIndex set) const;
  bool reaches(SetIndex set) const;  ///< whether trackersBefore(set) gives any

  /// One frame, in order; without a measurement: nothing follows but its rows. Sets that there are
  /// already are passed over.
  void accept(const motion::FramePtr& frame) override;
  /// Nothing follows: the recording's end was reached.
  void conclude();

 private:
  struct Camera {
    std::vector<std::shared_ptr<const HistoryFrame>> frames;  // a set each
    std::vector<TrackStretch> stretches;
    std::map<TrackId, std::pair<size_t, FrameNumber>> latest;  // stretch and row of each track
    std::deque<SetIndex> open;  // sets of its last frames, whose rows may still change
  };
  void passOver(SetIndex next);
  void measure(const motion::Frame& frame);
  void take(Camera& camera, std::span<const motion::TrackRow> rows);
  void finalise(const motion::Frame& frame);

  const Settings settings_;
  const uint64_t revision_;
  size_t room_, roomForInputs_;
  mutable std::mutex mutex_;
  std::vector<Camera> all_;
  std::vector<std::shared_ptr<const std::vector<TrackerInput>>> inputs_;  // a set each, if kept
  std::map<SetIndex, std::shared_ptr<const Trackers>> checkpoints_;       // before that set
  uint64_t measured_ = 0, finalised_ = 0;
  bool complete_ = false, kept_ = true;
};

}  // namespace glint::session
