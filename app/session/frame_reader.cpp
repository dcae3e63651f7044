#include "app/session/frame_reader.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "config/error.h"

namespace glint::session {

/// Hands over one frame at a time. The session waits until it was taken.
class FrameReader::Slot final : public output::Sink {
 public:
  explicit Slot(bool pixels) : pixels_(pixels) {}

  bool wantsPixels() const override { return pixels_; }

  void accept(const motion::FramePtr& frame) override {
    if (!frame->measured()) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !frame_ || left_; });
    frame_ = frame;
    changed_.notify_all();
  }

  /// Returns the frame, or null if none has arrived within `patience`.
  motion::FramePtr take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return frame_ != nullptr; });
    changed_.notify_all();
    return std::exchange(frame_, nullptr);
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    left_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  motion::FramePtr frame_;
  bool left_ = false;
  const bool pixels_;
};

namespace {

SessionOptions withListener(SessionOptions options, std::shared_ptr<output::Sink> listener) {
  options.listeners.push_back(std::move(listener));
  return options;
}

}  // namespace

FrameReader::FrameReader(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
                         SessionOptions options, bool pixels)
    : slot_(std::make_shared<Slot>(pixels)),
      session_(std::move(device), std::move(sources), withListener(std::move(options), slot_)) {}

FrameReader::~FrameReader() {
  slot_->leave();
}

motion::FramePtr FrameReader::poll(std::chrono::milliseconds patience) {
  const bool ended = session_.wait(std::chrono::milliseconds(0));
  motion::FramePtr frame = slot_->take(ended ? std::chrono::milliseconds(0) : patience);
  over_ = ended && !frame;
  return frame;
}

motion::FramePtr FrameReader::next() {
  while (!over_)
    if (motion::FramePtr frame = poll(std::chrono::milliseconds(10))) return frame;
  const std::string& failure = session_.finish().failure;
  if (!failure.empty()) throw Error(failure);
  return nullptr;
}

}  // namespace glint::session
