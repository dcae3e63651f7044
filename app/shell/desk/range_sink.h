// A sink that gets a stretch of a session only. Internal to desk/.
#pragma once

#include <memory>
#include <utility>

#include "app/output/sinks/sink.h"

namespace glint::shell {

/// Hands sets `in` to `out` on, and of all frames only their rows. What follows `out` has its rows
/// taken until the session ends, but is itself left out.
class RangeSink final : public output::Sink {
 public:
  RangeSink(std::unique_ptr<output::Sink> to, SetIndex in, SetIndex out)
      : to_(std::move(to)), in_(in), out_(out) {}

  bool wantsPixels() const override { return to_->wantsPixels(); }
  void accept(const motion::FramePtr& frame) override;
  void poll() override { to_->poll(); }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<output::Sink> to_;
  SetIndex in_, out_;
};

}  // namespace glint::shell
