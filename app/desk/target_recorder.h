// What cameras see of a light or a wand that is moved before them.
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "app/calibrate/points_table.h"
#include "app/calibrate/target.h"
#include "app/calibrate/target_seen.h"
#include "app/sinks/sink.h"

namespace glint {

/// Keeps the markers of all frames between begin() and stop(), each frame once, also where a
/// recording is played twice. One thread feeds it, any thread asks.
class TargetRecorder : public Sink {
 public:
  /// From the next frame on; what was kept before is dropped.
  void begin(Target target);
  void stop();
  bool running() const;

  void accept(const FramePtr& frame) override;

  /// Of lights, in frames with the whole target.
  TargetSeen seen() const;

  PointTable table() const;
  std::vector<FrameExtent> sizes() const;  ///< a camera each; none before the first frame
  Target target() const;

 private:
  mutable std::mutex mutex_;
  bool running_ = false;
  Target target_;
  PointTable table_;
  TargetSeen seen_;
  std::set<SetIndex> sets_;
  std::vector<FrameExtent> sizes_;
};

}  // namespace glint
