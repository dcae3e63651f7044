#include "app/capture/reader.h"

#include <chrono>

#include "config/error.h"

namespace glint {

Reader::Reader(std::vector<std::unique_ptr<Source>> sources, FrameRing& ring,
               std::optional<uint64_t> maxFrames, const std::atomic<bool>& stop)
    : sources_(std::move(sources)),
      ring_(ring),
      thread_([this, maxFrames, &stop] { run(maxFrames, stop); }) {}

Reader::~Reader() {
  ring_.close();
  finish();
}

const std::string& Reader::finish() {
  if (thread_.joinable()) thread_.join();
  return failure_;
}

/// One frame from each source that has not ended. False if none delivered one.
bool Reader::readSet(FrameSlot& slot) {
  bool any = false;
  for (uint32_t i = 0; i < sources_.size(); ++i) {
    if (!sources_[i]) continue;
    slot.stamps[i] = sources_[i]->read(slot.layer(i));
    if (!slot.stamps[i]) sources_[i].reset();
    any |= slot.stamps[i].has_value();
  }
  return any;
}

void Reader::run(std::optional<uint64_t> maxFrames, const std::atomic<bool>& stop) {
  bool any = true;
  for (uint64_t n = 0; any && !stop && (!maxFrames || n < *maxFrames); ++n) {
    FrameSlot* slot = ring_.beginWrite();
    if (slot == nullptr) break;
    const auto start = std::chrono::steady_clock::now();
    try {
      any = readSet(*slot);
    } catch (const std::exception& error) {
      // The cameras that delivered before the broken one keep this frame.
      failure_ = error.what();
      any = false;
      for (const auto& stamp : slot->stamps) any |= stamp.has_value();
    }
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    times_.add(taken.count());
    if (any) ring_.endWrite(slot);
    if (!failure_.empty()) break;
  }
  ring_.finishWriting();
}

}  // namespace glint
