// What cameras see of a light or a wand that is moved before them.
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/calibrate/target_seen.h"
#include "app/output/sinks/sink.h"

namespace glint::shell {

/// Keeps the markers of all frames between begin() and stop(), each frame once, also where a
/// recording is played twice. One thread feeds it, any thread asks.
class TargetRecorder : public output::Sink {
 public:
  /// From the next frame on; what was kept before is dropped.
  void begin(motion::Target target);
  void stop();
  bool running() const;

  void accept(const motion::FramePtr& frame) override;

  /// Of lights, in frames with the whole target.
  motion::TargetSeen seen() const;

  motion::PointTable table() const;
  std::vector<motion::FrameExtent> sizes() const;  ///< a camera each; none before the first frame
  motion::Target target() const;

 private:
  mutable std::mutex mutex_;
  bool running_ = false;
  motion::Target target_;
  motion::PointTable table_;
  motion::TargetSeen seen_;
  std::set<SetIndex> sets_;
  std::vector<motion::FrameExtent> sizes_;
};

}  // namespace glint::shell
