// A source that changes something of another one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/source/source.h"

namespace glint::capture {

/// Hands everything on to the source that it owns; derived classes change what they are for.
class ForwardingSource : public Source {
 public:
  explicit ForwardingSource(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  const gpu::ImageFormat& format() const override { return source_->format(); }
  const std::string& name() const override { return source_->name(); }
  std::optional<uint64_t> frameCount() const override { return source_->frameCount(); }
  std::optional<double> statedRate() override { return source_->statedRate(); }
  std::vector<double> frameTimes() override { return source_->frameTimes(); }
  bool isLive() const override { return source_->isLive(); }
  bool onHostClock() const override { return source_->onHostClock(); }
  std::vector<SourceFact> facts() const override { return source_->facts(); }
  SourceSummary summary() override { return source_->summary(); }
  bool isOfStills() const override { return source_->isOfStills(); }
  std::string id() const override { return source_->id(); }
  std::optional<CameraOffer> newOffer() override { return source_->newOffer(); }
  void adjust(const Settings::Camera& request) override { source_->adjust(request); }
  bool canSeek() const override { return source_->canSeek(); }
  void seek(FrameNumber frame) override { source_->seek(frame); }
  bool mayHaveGaps() const override { return source_->mayHaveGaps(); }
  Reading read(const gpu::ImageView& image) override { return source_->read(image); }

 protected:
  Source& inner() { return *source_; }
  const Source& inner() const { return *source_; }

 private:
  std::unique_ptr<Source> source_;
};

}  // namespace glint::capture
