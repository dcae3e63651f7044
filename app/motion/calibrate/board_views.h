// Collects views of a board while frames come in.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// The views of the board by one camera.
struct CameraViews {
  /// Size of the camera's images.
  FrameExtent size;
  /// Median time between two frames, s. 0 if it is not known.
  double interval = 0;
  /// The views in which the board was seen, by the times of their frames, s.
  std::map<double, BoardView> views = {};
};

/// Groups the views of the cameras into moments. `offsets` (camera to s) are added to the times
/// first; a camera that does not exist is ignored. Frames less than half of the shortest interval
/// apart belong to one moment. The result has no doubts.
BoardRecording matchViews(const std::vector<CameraViews>& cameras,
                          const std::map<size_t, double>& offsets);

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

  /// Returns the views collected so far, without offsets, one entry for each camera.
  std::vector<CameraViews> seen() const;

  /// Returns everything collected so far, as matchViews() groups it. For cameras that see a ChArUco
  /// board too rarely, it searches the kept images for the reason.
  BoardRecording recording() const;

 private:
  struct Camera {
    FrameExtent size;
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
  std::map<size_t, double> offsets_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
