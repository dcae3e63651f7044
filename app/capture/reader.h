// The capture thread: one set of frames after another from all sources into a ring.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/source.h"
#include "app/timing.h"
#include "gpu/frame_ring.h"

namespace glint {

/// Reads on its own thread from construction until every source has ended, `maxFrames`, `stop`, or
/// an error in a source; then the ring is finished.
class Reader {
 public:
  Reader(std::vector<std::unique_ptr<Source>> sources, FrameRing& ring,
         std::optional<uint64_t> maxFrames, const std::atomic<bool>& stop);
  ~Reader();  // closes the ring and waits for the thread

  /// Waits for the thread. Then what broke a source, or empty.
  const std::string& finish();
  /// Time to read and decode one set of frames. Valid after finish().
  const TimeHistogram& times() const { return times_; }

 private:
  void run(std::optional<uint64_t> maxFrames, const std::atomic<bool>& stop);
  bool readSet(FrameSlot& slot);

  std::vector<std::unique_ptr<Source>> sources_;
  FrameRing& ring_;
  std::string failure_;
  TimeHistogram times_;
  std::thread thread_;
};

}  // namespace glint
