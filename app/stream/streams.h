// The streams of a run, from what the user wrote: the one place that lists them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/frame/session_frame.h"
#include "app/stream/stream.h"

namespace glint {

/// Gives every frame to every stream. Used by one thread at a time.
class Streams : public FrameListener {
 public:
  /// Each target is "osc:[HOST:]PORT", "udp:[HOST:]PORT" or "-", standard output. Other machines
  /// are refused unless `remote`. Throws UsageError or Error naming the target.
  Streams(const std::vector<std::string>& targets, bool remote);

  bool toStandardOutput() const { return toStandardOutput_; }

  /// Hands over the rows that are live in `frame`; never waits.
  void take(const SessionFrame& frame) override;

  /// Waits for what is queued, for Stream::kFinishWait at most; in the order of the targets.
  std::vector<StreamResult> finish();

 private:
  std::unique_ptr<Sender> makeSender(const std::string& target, bool remote);

  std::vector<std::unique_ptr<Stream>> streams_;
  bool toStandardOutput_ = false;
};

}  // namespace glint
