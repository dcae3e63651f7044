// How good tracks are by themselves, without truth.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/output/report/histogram.h"

namespace glint::study {

/// A marker that is this far, px, from the middle between where it was in the frame before and
/// where it is in the next one has jumped: most likely one track has taken over two markers.
inline constexpr double kJump = 5;

struct Rating {
  uint64_t tracks = 0;
  uint64_t rows = 0;    ///< measured
  double length = 0;    ///< measured frames of the track that an average measured row belongs to
  double gaps = 0;      ///< share of the frames of tracks in which they were not measured
  double residual = 0;  ///< px, median distance from the middle between both neighbours
  uint64_t jumps = 0;   ///< residuals beyond kJump
  double halves = 0;  ///< 1 - |a - b| / (a + b) of the rows a frame in both halves of the recording
  /// Markers that last as long as the recording: the sum of squared lengths of stretches without
  /// gap or jump, by the frames squared. Two halves of a track count half of it; what is missed
  /// counts nothing, and short false tracks next to nothing.
  double lasting = 0;

  double score() const { return lasting * halves; }
};

/// Takes the final rows of all cameras: those of one track in their order. One thread.
class Rater {
 public:
  void add(uint16_t camera, const motion::TrackRow& row);
  /// `frames`: of each camera.
  Rating finish(const std::vector<uint64_t>& frames);

 private:
  struct Path {
    uint64_t measured = 0, missing = 0, stretch = 0, squares = 0;
    uint64_t last = 0;         // frame
    uint64_t consecutive = 0;  // rows, up to the last one
    double x = 0, y = 0, beforeX = 0, beforeY = 0;
  };

  std::map<std::pair<uint16_t, TrackId>, Path> paths_;
  std::vector<std::vector<uint32_t>> rows_;  // by camera and frame
  output::report::LogHistogram residuals_;
  uint64_t jumps_ = 0;
};

}  // namespace glint::study
