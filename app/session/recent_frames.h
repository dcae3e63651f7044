// The latest frames of live cameras, kept in memory to be looked at again.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "app/capture/sets/frame_set.h"
#include "app/output/pictures/raw_frames.h"
#include "gpu/detect/detector.h"

namespace glint::session {

/// One thread's. The memory of frames that leave is used again for those that come.
class RecentFrames {
 public:
  static constexpr size_t kMostBytes = size_t{512} << 20;

  struct Kept {
    motion::FramePtr frame;                           ///< as it was tracked, without pixels
    std::vector<gpu::LayerExpectation> expectations;  ///< that it was measured with
    output::RawSet raw;
  };

  explicit RecentFrames(size_t mostBytes = kMostBytes) : mostBytes_(mostBytes) {}

  /// `frame` has pixels. Frames more than `seconds` before it leave, and the oldest ones beyond
  /// `mostBytes`; 0 s: nothing is kept.
  void keep(const motion::Frame& frame, std::vector<gpu::LayerExpectation> expectations,
            double seconds);

  bool empty() const { return kept_.empty(); }
  SetIndex first() const { return kept_.front().raw.index; }
  SetIndex last() const { return kept_.back().raw.index; }
  double seconds() const;  ///< from the first frame to the last one
  /// The one at `set`, or the next one there is, seen from `from`. Null where nothing is kept.
  const Kept* find(SetIndex set, SetIndex from) const;
  struct Image {
    SetIndex set;
    const output::RawShot& shot;
  };
  /// The newest image of a camera up to a set, also of a lost one whose frames have all left; empty
  /// where none is kept.
  std::optional<Image> imageOf(size_t camera, SetIndex set) const;
  /// Those of the last `seconds`, in order; their pixels are shared, and no longer used again.
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
  std::map<size_t, Last> last_;     // of cameras that have no frame in kept_; not in bytes_
  std::optional<SetIndex> shared_;  // up to this one
};

}  // namespace glint::session
