// Collects rows of points in the order in which they are written.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "app/motion/space/point_track.h"

namespace glint::motion {

/// Collects the final rows of confirmed tracks. A row waits until all rows of earlier frames are
/// final.
class FinalRows {
 public:
  /// Collects the rows of all tracks after set `frame`.
  void collect(std::span<PointTrack> tracks, uint64_t frame);

  /// Returns the rows that need not wait any more, sorted by frame and id, each once.
  std::vector<SpaceRow> take();
  /// Returns the first frame with a row that is not final.
  uint64_t firstOpen() const { return open_; }

 private:
  // Rows that were not returned yet, by frame.
  std::map<uint64_t, std::vector<SpaceRow>> rows_;
  // The first frame with a row that is not final.
  uint64_t open_ = 0;
};

/// Sorts the rows of one frame by id.
void sortById(std::vector<SpaceRow>& rows);

}  // namespace glint::motion
