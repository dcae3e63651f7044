// Frames with memory of their own, for raw recordings.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// A frame of one camera. The rows of its pixels follow each other without gaps.
struct RawShot {
  size_t camera = 0;
  gpu::FrameStamp stamp;
  gpu::ImageFormat format;
  bool stills = false;  ///< see SessionInfo
  std::shared_ptr<std::vector<std::byte>> pixels;
};

/// The frames of all cameras at one moment.
struct RawSet {
  SetIndex index;
  std::shared_ptr<const Settings> settings;  ///< settings in force
  std::vector<RawShot> shots;
};

/// Returns the bytes that a copy of the frame's pixels takes.
size_t rawBytes(const motion::Frame& frame);
/// Returns the bytes of a set's pixels.
size_t bytesOf(const RawSet& set);
/// Returns a copy of the frame. `spare` is memory that nobody else holds, to be used again.
RawSet copyRaw(const motion::Frame& frame, RawSet spare = {});

/// Copies the pixels into an image of the same format.
void copyPixels(const RawShot& shot, const gpu::ImageView& to);

/// The frames of the last `seconds`, at most `mostBytes` of them, with which a recording can begin.
/// One thread, except clear().
class PreRoll {
 public:
  static constexpr size_t kMostBytes = size_t{2} << 30;  ///< the default limit: 2 GiB

  explicit PreRoll(double seconds, size_t mostBytes = kMostBytes)
      : seconds_(seconds), mostBytes_(mostBytes) {}

  /// Keeps a copy of the frame, and forgets the oldest ones if they exceed the limits.
  void take(const motion::Frame& frame);
  /// Removes all frames. Call it while no session uses the object.
  void clear();
  const std::deque<RawSet>& sets() const { return sets_; }

 private:
  double timeOf(const RawSet& set) const { return set.shots.front().stamp.time; }

  double seconds_;
  size_t mostBytes_, bytes_ = 0;
  Pass pass_;
  std::deque<RawSet> sets_;
};

/// Makes a sink that feeds `preRoll` and writes nothing.
std::unique_ptr<Sink> makePreRollKeeper(std::shared_ptr<PreRoll> preRoll);

}  // namespace glint::output
