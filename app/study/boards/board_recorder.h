// What the cameras of a session see of a board that is shown to them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "app/motion/calibrate/board_views.h"
#include "app/motion/calibrate/target_seen.h"
#include "app/output/sinks/sink.h"
#include "app/study/boards/board_reader.h"

namespace glint::study {

/// Looks for the board in up to five sets of frames a second between begin() and stop(), each set
/// once. A recording waits for that; of live cameras it looks, on a thread of its own, at the set
/// that is there when it is done with the one before. One thread feeds it, any thread asks.
class BoardRecorder : public output::Sink {
 public:
  BoardRecorder() = default;
  ~BoardRecorder() override;

  /// From the next frame on; what was kept before is dropped.
  void begin(motion::Board board, std::map<size_t, double> offsets = {});
  void stop();
  bool running() const;

  bool wantsPixels() const override { return running(); }
  void accept(const motion::FramePtr& frame) override;

  /// Of the board's corners, in the sets that were looked at.
  motion::TargetSeen seen() const;
  /// Empty before the first frame.
  std::optional<motion::BoardViews> views() const;

 private:
  /// A camera's frame, copied: those of a session are few.
  struct Shot {
    size_t camera = 0;
    motion::FrameExtent size;
    double time = 0;
    std::vector<uint8_t> grey;
  };
  struct Work {
    uint64_t recording = 0;  // that it belongs to
    std::vector<Shot> shots;
  };

  std::optional<Work> workOf(const motion::Frame& frame);
  void look(const Work& work);
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false, ending_ = false;
  uint64_t recording_ = 0;  // counts begin()
  motion::Board board_;
  std::map<size_t, double> offsets_;
  std::optional<motion::BoardViews> views_;
  motion::TargetSeen seen_;
  std::set<SetIndex> sets_;
  std::optional<Work> waiting_;
  bool busy_ = false;
  std::thread thread_;  // of live cameras, from the first frame on
};

}  // namespace glint::study
