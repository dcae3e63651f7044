// What `glint track` would write of every frame of a recording: for a window that shows any of
// them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "app/frame/session_frame.h"
#include "config/settings.h"

namespace glint {

/// One frame of one camera.
struct ResultFrame {
  double time = 0;        ///< s, the source's own
  uint32_t markers = 0;   ///< detections
  uint32_t tracks = 0;    ///< rows, also where they are not kept
  bool measured = false;  ///< whether the camera gave this frame
  /// By id, with final ids: those of tracks.csv. See Results::rowsKept().
  std::vector<TrackRow> rows;
};

/// A stretch of frames, one after another, in each of which a track has a row.
struct TrackStretch {
  uint64_t track = 0;            ///< id
  uint64_t first = 0, last = 0;  ///< frames
  bool operator==(const TrackStretch&) const = default;
};

/// The results of one recording with one snapshot of the settings; grows while it is tracked, from
/// frame 0 on. One thread adds, any thread reads: every call takes constant time, apart from those
/// that say so, and none waits for tracking.
class Results {
 public:
  /// Rows of all cameras together that are kept, 150 bytes each; of later frames only their number
  /// is known.
  static constexpr size_t kMostRows = 4'000'000;

  Results(const Settings& settings, uint64_t revision, size_t cameras, size_t mostRows = kMostRows);

  const Settings& settings() const { return settings_; }
  /// That of the settings they belong to, as the window counts them.
  uint64_t revision() const { return revision_; }
  size_t cameras() const { return cameras_; }

  /// Frames that were measured: their counts of markers stand.
  uint64_t measured() const;
  /// Frames whose rows will not change any more; behind measured() until the end is reached.
  uint64_t settled() const;
  /// Whether the recording's end was reached, so that every frame is settled.
  bool complete() const;
  /// Whether all rows were kept.
  bool rowsKept() const;

  /// Null where the frame was not measured yet. Rows are only there once the frame is settled, and
  /// never change then.
  std::shared_ptr<const ResultFrame> frame(size_t camera, uint64_t frame) const;
  /// Of frames `first` up to and including `last`, those that are settled: for trails and curves.
  /// Takes time for each frame, no more.
  std::vector<std::shared_ptr<const ResultFrame>> frames(size_t camera, uint64_t first,
                                                         uint64_t last) const;

  /// Markers of each measured frame from `first` on, and rows of each settled one. Takes time for
  /// each frame.
  std::vector<uint32_t> markerCounts(size_t camera, uint64_t first = 0) const;
  std::vector<uint32_t> trackCounts(size_t camera, uint64_t first = 0) const;

  /// When each track was there, by first frame and id: a track that was lost for a while has
  /// several. Takes time for each stretch.
  std::vector<TrackStretch> stretches(size_t camera) const;
  /// Ids given so far, of all cameras.
  size_t tracks() const;

  /// One frame of a session that began with frame 0, in order; without a measurement: nothing
  /// follows but its rows. Frames that there are already are passed over.
  void add(const SessionFrame& frame);
  /// Nothing follows.
  void finish();

 private:
  struct Camera {
    std::vector<std::shared_ptr<const ResultFrame>> frames;
    std::vector<TrackStretch> stretches;
    std::map<uint64_t, size_t> latest;  // of each track, in stretches
  };
  void take(Camera& camera, std::span<const TrackRow> rows);

  const Settings settings_;
  const uint64_t revision_;
  const size_t cameras_;
  size_t roomForRows_;
  mutable std::mutex mutex_;
  std::vector<Camera> all_;
  uint64_t measured_ = 0, settled_ = 0;
  bool complete_ = false, rowsKept_ = true;
};

}  // namespace glint
