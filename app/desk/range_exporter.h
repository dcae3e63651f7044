// An exporter that gets a stretch of a session only. Internal to desk/.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/export/exporter.h"

namespace glint {

/// Hands frames `in` to `out` on, and of all frames only their rows. What follows `out` has its
/// rows taken until the session ends, but is itself left out.
class RangeExporter final : public Exporter {
 public:
  RangeExporter(std::unique_ptr<Exporter> to, uint64_t in, uint64_t out)
      : to_(std::move(to)), in_(in), out_(out) {}

  bool wantsPixels() const override { return to_->wantsPixels(); }
  void write(const SessionFrame& frame) override;
  void poll() override { to_->poll(); }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<Exporter> to_;
  uint64_t in_, out_;
};

}  // namespace glint
