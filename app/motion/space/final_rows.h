// Rows of points in the order in which they are written.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "app/motion/space/point_track.h"

namespace glint::motion {

/// Collects the final rows of confirmed tracks. They wait until those of earlier frames are final,
/// too.
class FinalRows {
 public:
  /// Takes the rows of all tracks after set `frame`.
  void collect(std::span<PointTrack> tracks, uint64_t frame);

  /// Returns the rows that do not wait any more, by frame and id.
  std::vector<SpaceRow> take();

 private:
  std::map<uint64_t, std::vector<SpaceRow>> rows_;  // not taken yet, by frame
  uint64_t open_ = 0;                               // the first frame with a row that is not final
};

/// Sorts the rows of one frame by id.
void sortById(std::vector<SpaceRow>& rows);

}  // namespace glint::motion
