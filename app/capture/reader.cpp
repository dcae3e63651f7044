#include "app/capture/reader.h"

#include <algorithm>

#include "config/error.h"

namespace glint {

Reader::Reader(std::vector<std::unique_ptr<Source>> sources, FrameRing& ring,
               const ReaderOptions& options, const std::atomic<bool>& stop)
    : sources_(std::move(sources)),
      ring_(ring),
      stop_(stop),
      thread_([this, options] { run(options); }) {}

Reader::~Reader() {
  ring_.close();
  finish();
}

const std::string& Reader::finish() {
  ending_ = true;
  if (thread_.joinable()) thread_.join();
  return failure_;
}

/// One frame from each source that has not ended. False if none delivered one.
bool Reader::readSet(FrameSlot& slot) {
  bool any = false;
  for (uint32_t i = 0; i < sources_.size(); ++i) {
    if (!sources_[i]) continue;
    const Reading reading = sources_[i]->read(slot.layer(i));
    slot.states[i] = reading.state;
    if (reading.state == CameraState::frame) slot.stamps[i] = reading.stamp;
    if (!slot.stamps[i]) sources_[i].reset();
    any |= slot.stamps[i].has_value();
  }
  return any;
}

/// Of several cameras the earliest stamp counts, so that none is late for the others' sake.
void Reader::waitForTime(const FrameSlot& slot) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration kPatience = std::chrono::milliseconds(20);  // between looks at stop_
  std::optional<double> time;
  for (const auto& stamp : slot.stamps)
    if (stamp) time = std::min(time.value_or(stamp->time), stamp->time);
  if (!time) return;
  const auto since =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*time));
  if (!zero_) zero_ = Clock::now() - since;
  const Clock::time_point due = *zero_ + since;
  while (!stop_ && !ending_ && Clock::now() < due)
    std::this_thread::sleep_until(std::min(due, Clock::now() + kPatience));
}

void Reader::run(const ReaderOptions& options) {
  bool any = true;
  for (uint64_t n = 0; any && !stop_ && (!options.maxFrames || n < *options.maxFrames); ++n) {
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
    if (any && options.realtime) waitForTime(*slot);
    if (any) ring_.endWrite(slot);
    if (!failure_.empty()) break;
  }
  ring_.finishWriting();
}

}  // namespace glint
