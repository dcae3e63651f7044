// The capture thread: one set of frames after another from all sources into a ring.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/base/timing.h"
#include "app/capture/source.h"
#include "gpu/frame_ring.h"

namespace glint {

struct ReaderOptions {
  std::optional<uint64_t> maxFrames;  ///< stop after so many sets
  /// Hold each set back until as much time has passed since the first one as its stamps say.
  bool realtime = false;
};

/// Reads on its own thread from construction until every source has ended, `maxFrames`, `stop`, or
/// an error in a source; then the ring is finished.
class Reader {
 public:
  Reader(std::vector<std::unique_ptr<Source>> sources, FrameRing& ring,
         const ReaderOptions& options, const std::atomic<bool>& stop);
  ~Reader();  // closes the ring and waits for the thread

  /// Waits for the thread, which holds nothing back any more. Then what broke a source, or empty.
  const std::string& finish();
  /// Time to read and decode one set of frames. Valid after finish().
  const TimeHistogram& times() const { return times_; }

 private:
  void run(const ReaderOptions& options);
  void waitForTime(const FrameSlot& slot);
  bool readSet(FrameSlot& slot);

  std::vector<std::unique_ptr<Source>> sources_;
  FrameRing& ring_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> ending_ = false;
  // When a source's time was, or would have been, 0; set by the first set of frames.
  std::optional<std::chrono::steady_clock::time_point> zero_;
  std::string failure_;
  TimeHistogram times_;
  std::thread thread_;
};

}  // namespace glint
