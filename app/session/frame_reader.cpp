#include "app/session/frame_reader.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "config/error.h"

namespace glint {

/// Hands one frame over at a time.
struct FrameReader::Hands {
  std::mutex mutex;
  std::condition_variable changed;
  FramePtr frame;
  bool ended = false, left = false;  // by the session; by the reader
};

namespace {

template <class Hands>
class HandingSink final : public Sink {
 public:
  explicit HandingSink(std::shared_ptr<Hands> hands) : hands_(std::move(hands)) {}

  void accept(const FramePtr& frame) override {
    if (!frame->measured()) return;
    std::unique_lock lock(hands_->mutex);
    hands_->changed.wait(lock, [&] { return !hands_->frame || hands_->left; });
    hands_->frame = frame;
    hands_->changed.notify_all();
  }
  void finish() override {
    const std::lock_guard lock(hands_->mutex);
    hands_->ended = true;
    hands_->changed.notify_all();
  }

 private:
  std::shared_ptr<Hands> hands_;
};

SessionOptions withSink(SessionOptions options, const auto& hands) {
  options.open = [open = std::move(options.open), hands](const CameraGroups& groups) {
    auto sinks = open ? open(groups) : std::vector<command::AddSink>();
    command::AddSink own{.id = ~uint64_t{0}, .name = "reader"};
    own.sinks.push_back(std::make_unique<HandingSink<std::decay_t<decltype(*hands)>>>(hands));
    sinks.push_back(std::move(own));
    return sinks;
  };
  return options;
}

}  // namespace

FrameReader::FrameReader(std::shared_ptr<const Device> device,
                         std::vector<std::unique_ptr<Source>> sources, SessionOptions options)
    : hands_(std::make_shared<Hands>()),
      session_(std::move(device), std::move(sources), withSink(std::move(options), hands_)) {}

FrameReader::~FrameReader() {
  {
    const std::lock_guard lock(hands_->mutex);
    hands_->left = true;
  }
  hands_->changed.notify_all();
}

FramePtr FrameReader::next() {
  {
    std::unique_lock lock(hands_->mutex);
    hands_->changed.wait(lock, [&] { return hands_->frame || hands_->ended; });
    FramePtr frame = std::exchange(hands_->frame, nullptr);
    hands_->changed.notify_all();
    if (frame) return frame;
  }
  const std::string& failure = session_.finish().failure;
  if (!failure.empty()) throw Error(failure);
  return nullptr;
}

}  // namespace glint
