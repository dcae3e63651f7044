// Collects views of a board while frames come in.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Collects the views of all cameras. The frames of each camera come in the order of their times,
/// except after jumps. Used by one thread.
class BoardViews {
 public:
  /// `offsets` (camera to s) are added to the times of those cameras.
  BoardViews(Board board, const std::vector<FrameExtent>& sizes,
             const std::map<size_t, double>& offsets = {});

  const Board& board() const { return board_; }

  /// Notes that a camera has a frame at `time` (s). Returns true if the frame should be searched
  /// for the board, which holds for five frames a second. Call for each frame.
  bool due(size_t camera, double time);

  /// Adds the result for a frame that was searched. If the board was not seen, `grey` is kept for a
  /// few of the frames, to find out why.
  void add(size_t camera, double time, BoardView view, const std::vector<uint8_t>& grey);

  /// Returns everything collected so far. Frames less than half a frame interval apart belong to
  /// one moment. For cameras that see a ChArUco board too rarely, it searches the kept images for
  /// the reason.
  BoardRecording recording() const;

 private:
  struct Camera {
    FrameExtent size;
    double offset = 0;
    // Time of the last frame, s.
    double last = -std::numeric_limits<double>::infinity();
    std::vector<double> intervals = {};
    std::map<double, BoardView> views = {};
    // Number of searched frames without the board.
    size_t blank = 0;
    // Images of some of these frames.
    std::vector<std::shared_ptr<const std::vector<uint8_t>>> blanks = {};
  };

  Board board_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
