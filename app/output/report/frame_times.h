// When the frames of a camera were taken.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glint::output::report {

struct FrameTime {
  uint32_t frame = 0;
  double time = 0;  ///< s
  auto operator<=>(const FrameTime&) const = default;
};

/// The time of every frame that occurs, each once: 16 bytes a frame, however many rows name it.
class FrameTimes {
 public:
  /// In any order, and as often as a frame has rows.
  void add(uint32_t frame, double time);

  /// Sorted by frame; finish() first.
  const std::vector<FrameTime>& all() const { return frames_; }
  void finish();

  /// s; of a frame that does not occur the time of the next one that does, and behind the last one
  /// as if frames went on at the median interval.
  double timeAt(uint32_t frame) const;

 private:
  std::vector<FrameTime> frames_;
  bool sorted_ = true;
  size_t compacted_ = 0;  // how many there were when they were last sorted
  double interval_ = 0;   // s, the median
};

/// What the times say about regularity.
struct Intervals {
  double median = 0, high = 0, longest = 0;  ///< s; `high` is the 99th percentile (nearest rank)
  size_t count = 0;                          ///< of intervals between frames n and n + 1
  uint64_t missing = 0;                      ///< frame numbers that do not occur
};

Intervals intervals(const FrameTimes& times);

}  // namespace glint::output::report
