// A sink that gets a stretch of a session only. Internal to desk/.
#pragma once

#include <memory>
#include <utility>

#include "app/sinks/sink.h"

namespace glint {

/// Hands sets `in` to `out` on, and of all frames only their rows. What follows `out` has its rows
/// taken until the session ends, but is itself left out.
class RangeSink final : public Sink {
 public:
  RangeSink(std::unique_ptr<Sink> to, SetIndex in, SetIndex out)
      : to_(std::move(to)), in_(in), out_(out) {}

  bool wantsPixels() const override { return to_->wantsPixels(); }
  void accept(const FramePtr& frame) override;
  void poll() override { to_->poll(); }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<Sink> to_;
  SetIndex in_, out_;
};

}  // namespace glint
