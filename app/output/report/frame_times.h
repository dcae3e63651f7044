// The times at which the frames of a camera were taken.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glint::output::report {

/// The time of one frame.
struct FrameTime {
  uint32_t frame = 0;
  double time = 0;  ///< s
  auto operator<=>(const FrameTime&) const = default;
};

/// The time of every frame that occurs, each once. Takes 16 bytes a frame, however many rows name
/// it.
class FrameTimes {
 public:
  /// Adds a frame. Frames may come in any order, and repeatedly.
  void add(uint32_t frame, double time);

  /// Returns the frames in order. Call finish() first.
  const std::vector<FrameTime>& all() const { return frames_; }
  /// Completes the list after the last frame.
  void finish();

  /// Returns the time of a frame, s. For a frame that does not occur, returns the time of the next
  /// one that does. Beyond the last one, frames are assumed to continue at the median interval.
  double timeAt(uint32_t frame) const;

 private:
  std::vector<FrameTime> frames_;
  bool sorted_ = true;
  size_t compacted_ = 0;  // number of frames when they were last sorted
  // s, the median interval.
  double interval_ = 0;
};

/// The regularity of the times.
struct Intervals {
  double median = 0, high = 0, longest = 0;  ///< s; `high` is the 99th percentile (nearest rank)
  size_t count = 0;                          ///< number of intervals between frames n and n + 1
  uint64_t missing = 0;                      ///< number of frames that do not occur
};

Intervals intervals(const FrameTimes& times);

}  // namespace glint::output::report
