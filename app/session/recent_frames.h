// The latest frames of live cameras, kept in memory so that they can be shown again.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "app/capture/sets/frame_set.h"
#include "app/output/pictures/raw_frames.h"
#include "gpu/detect/detector.h"

namespace glint::session {

/// Keeps frames in memory. The memory of frames that are dropped is reused for new ones. Used by
/// one thread.
class RecentFrames {
 public:
  /// Default of the maximum memory for the kept frames, bytes. Raising it keeps more frames.
  static constexpr size_t kMostBytes = size_t{512} << 20;

  struct Kept {
    /// The frame as it was tracked, without pixels.
    motion::FramePtr frame;
    /// The expectations that it was measured with.
    std::vector<gpu::LayerExpectation> expectations;
    output::RawSet raw;
  };

  explicit RecentFrames(size_t mostBytes = kMostBytes) : mostBytes_(mostBytes) {}

  /// Keeps a frame, which must have pixels. Drops frames that are more than `seconds` older, and
  /// the oldest ones beyond `mostBytes`. With 0 s, nothing is kept.
  void keep(const motion::Frame& frame, std::vector<gpu::LayerExpectation> expectations,
            double seconds);

  bool empty() const { return kept_.empty(); }
  SetIndex first() const { return kept_.front().raw.index; }
  SetIndex last() const { return kept_.back().raw.index; }
  /// Returns the time from the first frame to the last one.
  double seconds() const;
  /// Returns the frame at `set`. If there is none, returns the next one in the direction from
  /// `from` to `set`. Returns null if nothing is kept.
  const Kept* find(SetIndex set, SetIndex from) const;
  struct Image {
    SetIndex set;
    const output::RawShot& shot;
  };
  /// Returns the newest image of a camera up to a set, or nothing if none is kept. It is available
  /// even for a lost camera whose frames have all been dropped.
  std::optional<Image> imageOf(size_t camera, SetIndex set) const;
  /// Returns the frames of the last `seconds`, in order. Their pixels are shared, and therefore not
  /// reused any more.
  std::vector<output::RawSet> latest(double seconds);

 private:
  double timeOf(const Kept& kept) const { return kept.raw.shots.front().stamp.time; }
  output::RawSet drop();
  bool holds(size_t camera) const;

  const size_t mostBytes_;
  size_t bytes_ = 0;
  std::deque<Kept> kept_;
  struct Last {
    SetIndex set;
    output::RawShot shot;
  };
  // The last images of cameras that have no frame in kept_. They are not included in bytes_.
  std::map<size_t, Last> last_;
  // The pixels of sets up to this one are shared.
  std::optional<SetIndex> shared_;
};

}  // namespace glint::session
