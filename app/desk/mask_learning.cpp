#include "app/desk/mask_learning.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/capture/source_kinds.h"
#include "app/mask/learn_mask.h"
#include "config/error.h"

namespace glint {
namespace {

/// As `glint mask` takes it where nothing else is said: px.
int growOf(const Settings& settings) {
  return static_cast<int>(std::ceil(std::min(settings.detect.separation, 64.0) / 2));
}

}  // namespace

MaskLearning::MaskLearning(MaskLearningWish wish, std::function<void()> changed)
    : wish_(std::move(wish)), changed_(std::move(changed)) {
  const uint64_t frames = wish_.last >= wish_.first ? wish_.last - wish_.first + 1 : 0;
  progress_.total = frames * wish_.sources.size();
  thread_ = std::thread([this] { work(); });
}

MaskLearning::~MaskLearning() {
  cancel();
  wait();
}

void MaskLearning::wait() {
  if (thread_.joinable()) thread_.join();
}

MaskLearning::Progress MaskLearning::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::vector<LayerMask> MaskLearning::masks() const {
  const std::lock_guard lock(mutex_);
  return masks_;
}

void MaskLearning::set(const std::function<void(Progress&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(progress_);
  }
  if (changed_) changed_();
}

void MaskLearning::work() {
  using State = Progress::State;
  State state = State::done;
  std::string problem;
  try {
    std::vector<LayerMask> masks;
    for (const std::string& source : wish_.sources) masks.push_back(learn(source));
    const std::lock_guard lock(mutex_);
    masks_ = std::move(masks);
  } catch (const std::exception& error) {
    state = interrupt_.isSet() ? State::cancelled : State::failed;
    if (state == State::failed) problem = error.what();
  }
  set([&](Progress& p) {
    p.state = state;
    p.problem = problem;
  });
}

LayerMask MaskLearning::learn(const std::string& name) {
  const auto source = openSource(name, &interrupt_);
  if (source->isLive() || !source->canSeek())
    throw UsageError(fmt::format("'{}' can be read only once: record it first", name));
  const ImageFormat& format = source->format();
  const size_t pitch = size_t{format.width} * format.bytesPerPixel();
  std::vector<std::byte> pixels(pitch * format.height);
  MaskLearner learner(wish_.settings, format);
  source->seek(FrameNumber(wish_.first));
  for (uint64_t frame = wish_.first; frame <= wish_.last; ++frame) {
    const ImageView image{format, pixels.data(), pitch};
    const CameraState state = source->read(image).state;
    if (interrupt_.isSet()) throw Interrupted("cancelled");
    if (state == CameraState::ended) break;
    if (state != CameraState::frame) continue;  // a gap of a raw recording
    learner.add(image);
    set([](Progress& p) { ++p.frames; });
  }
  if (learner.frames() == 0)
    throw UsageError(fmt::format("'{}' has no frame {}", name, wish_.first));
  return learner.mask(wish_.share, growOf(wish_.settings));
}

}  // namespace glint
