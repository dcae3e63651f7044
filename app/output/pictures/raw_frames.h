// Frames in memory of their own, for raw recordings.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// A frame of a camera; its rows without gaps.
struct RawShot {
  size_t camera = 0;
  gpu::FrameStamp stamp;
  gpu::ImageFormat format;
  bool stills = false;  ///< see SessionInfo
  std::shared_ptr<std::vector<std::byte>> pixels;
};

/// Frames of one moment.
struct RawSet {
  SetIndex index;
  std::shared_ptr<const Settings> settings;  ///< in force
  std::vector<RawShot> shots;
};

/// Bytes that a copy of the frame's pixels takes.
size_t rawBytes(const motion::Frame& frame);
/// Of pixels.
size_t bytesOf(const RawSet& set);
/// `spare`: memory that nobody else holds, to be used again.
RawSet copyRaw(const motion::Frame& frame, RawSet spare = {});

/// Into an image of its format.
void copyPixels(const RawShot& shot, const gpu::ImageView& to);

/// Keeps the frames of the last `seconds`, and no more than `mostBytes`, for recordings that begin
/// later. Everything but clear() is one thread's.
class PreRoll {
 public:
  static constexpr size_t kMostBytes = size_t{2} << 30;

  explicit PreRoll(double seconds, size_t mostBytes = kMostBytes)
      : seconds_(seconds), mostBytes_(mostBytes) {}

  void take(const motion::Frame& frame);
  /// Call it while no session uses it.
  void clear();
  const std::deque<RawSet>& sets() const { return sets_; }

 private:
  double timeOf(const RawSet& set) const { return set.shots.front().stamp.time; }

  double seconds_;
  size_t mostBytes_, bytes_ = 0;
  Pass pass_;
  std::deque<RawSet> sets_;
};

/// Feeds `preRoll`; writes nothing.
std::unique_ptr<Sink> makePreRollKeeper(std::shared_ptr<PreRoll> preRoll);

}  // namespace glint::output
