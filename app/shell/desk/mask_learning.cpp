#include "app/shell/desk/mask_learning.h"

#include <utility>

#include "app/capture/mask/mask.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::shell {
MaskLearning::MaskLearning(MaskRequest request, std::function<void()> changed)
    : BackgroundTask(std::move(changed)), request_(std::move(request)) {
  const uint64_t frames = request_.last >= request_.first ? request_.last - request_.first + 1 : 0;
  set([&](Progress& p) { p.total = frames * request_.sources.size(); });
  start([this] {
    std::vector<gpu::LayerMask> masks;
    for (const Address& source : request_.sources) masks.push_back(learn(source));
    const std::lock_guard lock(mutex_);
    masks_ = std::move(masks);
  });
}

std::vector<gpu::LayerMask> MaskLearning::masks() const {
  const std::lock_guard lock(mutex_);
  return masks_;
}

gpu::LayerMask MaskLearning::learn(const Address& address) {
  const auto source = capture::openSource(address, &interrupt_);
  if (source->isLive() || !source->canSeek())
    throw UsageError("'{}' can be read only once: record it first", address.shown());
  capture::FrameBuffer buffer(source->format());
  const gpu::ImageView image = buffer.view();
  capture::MaskLearner learner(request_.settings, image.format);
  source->seek(FrameNumber(request_.first));
  for (uint64_t frame = request_.first; frame <= request_.last; ++frame) {
    const gpu::CameraState state = source->read(image).state;
    if (interrupt_.isSet()) throw capture::Interrupted("cancelled");
    if (state == gpu::CameraState::ended) break;
    if (state != gpu::CameraState::frame) continue;  // the raw recording has a gap here
    learner.add(image);
    set([](Progress& p) { ++p.frames; });
  }
  if (learner.frames() == 0)
    throw UsageError("'{}' has no frame {}", address.shown(), request_.first);
  return learner.mask(request_.share, capture::MaskLearner::usualGrow(request_.settings));
}

}  // namespace glint::shell
