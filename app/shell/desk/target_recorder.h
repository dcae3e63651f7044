// Records the images of a light or a wand that the user moves in front of the cameras.
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/calibrate/target_seen.h"
#include "app/output/sinks/sink.h"

namespace glint::shell {

/// A sink that keeps the markers of all frames between begin() and stop(). It keeps each frame
/// once, even if a recording is played twice. One thread feeds it, any thread asks.
class TargetRecorder : public output::Sink {
 public:
  /// Begins with the next frame. Drops everything that was kept before.
  void begin(motion::Target target);
  /// Stops keeping frames. Those that were kept remain.
  void stop();
  bool running() const;

  void accept(const motion::FramePtr& frame) override;

  /// Returns the counts of frames in which all lights of the target were seen.
  motion::TargetSeen seen() const;

  motion::PointTable table() const;
  /// Returns the size of each camera's image; empty before the first frame.
  std::vector<motion::FrameExtent> sizes() const;
  motion::Target target() const;

 private:
  mutable std::mutex mutex_;
  bool running_ = false;
  motion::Target target_;
  motion::PointTable table_;
  motion::TargetSeen seen_;
  std::set<SetIndex> sets_;  // sets that were kept
  std::vector<motion::FrameExtent> sizes_;
};

}  // namespace glint::shell
