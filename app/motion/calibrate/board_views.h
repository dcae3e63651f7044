// What cameras see of a board, gathered frame by frame.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Each camera's frames come in the order of their times, but for jumps. One thread.
class BoardViews {
 public:
  /// `offsets` (s) are added to cameras' times.
  BoardViews(Board board, const std::vector<FrameExtent>& sizes,
             const std::map<size_t, double>& offsets = {});

  const Board& board() const { return board_; }

  /// To be told of each frame of a camera, by its time, s. Whether to look at it: five a second.
  bool due(size_t camera, double time);

  /// What was found in a frame that was told of; of some in which nothing was, `grey` is kept.
  void add(size_t camera, double time, BoardView view, const std::vector<uint8_t>& grey);

  /// Frames less than half an interval apart belong to one moment. Looks for what may be wrong
  /// where a camera sees the board too rarely.
  BoardRecording recording() const;

 private:
  struct Camera {
    FrameExtent size;
    double offset = 0;
    double last = -std::numeric_limits<double>::infinity();  // time
    std::vector<double> intervals = {};
    std::map<double, BoardView> views = {};
    size_t blank = 0;                                                      // frames without it
    std::vector<std::shared_ptr<const std::vector<uint8_t>>> blanks = {};  // some of them
  };

  Board board_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
