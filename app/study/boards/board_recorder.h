// Collects the views that the cameras of a session have of a board shown to them.
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

/// Looks for the board in up to five sets of frames per second between begin() and stop(), at most
/// once in each set. With a recording, accept() looks for it itself, so that the recording waits.
/// With live cameras, a thread of the recorder looks for it in the newest set at the end of the
/// search before. One thread calls accept(); any thread may call the other functions.
class BoardRecorder : public output::Sink {
 public:
  BoardRecorder() = default;
  ~BoardRecorder() override;

  /// Starts collecting with the next frame, and drops all views collected before. `offsets`: see
  /// BoardViews.
  void begin(motion::Board board, std::map<size_t, double> offsets = {});
  void stop();
  bool running() const;

  bool wantsPixels() const override { return running(); }
  void accept(const motion::FramePtr& frame) override;

  /// Returns the coverage of the images by corners of the board, in the sets that were searched.
  motion::TargetSeen seen() const;
  /// Returns all views that were collected; empty before the first frame.
  std::optional<motion::BoardViews> views() const;

 private:
  /// A copy of one camera's frame. There are few of them at any time, so copies are cheap.
  struct Shot {
    size_t camera = 0;
    motion::FrameExtent size;
    double time = 0;
    std::vector<uint8_t> grey;
  };
  // The images of one set, in which to look for the board.
  struct Work {
    uint64_t recording = 0;  // The value of `recording_` when the images were copied.
    std::vector<Shot> shots;
  };

  /// Returns the images of this frame, if the board is to be looked for in them. `mutex_` must be
  /// locked.
  std::optional<Work> workOf(const motion::Frame& frame);
  void searchForBoard(const Work& work);
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false, ending_ = false;
  uint64_t recording_ = 0;  // The number of calls of begin().
  motion::Board board_;
  std::map<size_t, double> offsets_;
  std::optional<motion::BoardViews> views_;
  motion::TargetSeen seen_;
  std::set<SetIndex> sets_;
  std::optional<Work> waiting_;
  bool busy_ = false;
  // Looks for the board in sets of live cameras; runs from the first frame on.
  std::thread thread_;
};

}  // namespace glint::study
