// Rates tracks without knowing the truth.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/output/report/histogram.h"

namespace glint::study {

/// The distance, px, from which a marker has jumped. It is measured from the middle between the
/// places of the marker in the frame before and in the next one. A track that jumps has most likely
/// taken over a second marker. Raising it counts fewer jumps.
inline constexpr double kJump = 5;

/// Figures of all tracks of a recording.
struct Rating {
  uint64_t tracks = 0;
  uint64_t rows = 0;  ///< The number of measured rows.
  /// The mean over all measured rows of the number of measured rows in their track.
  double length = 0;
  double gaps = 0;  ///< The share of the frames of tracks in which they were not measured.
  /// The median distance of a marker from the middle between its places in the frames before and
  /// after, px.
  double residual = 0;
  uint64_t jumps = 0;  ///< The number of such distances above kJump.
  /// 1 - |a - b| / (a + b), where a and b are the numbers of rows per frame in the first and in the
  /// second half of the recording.
  double halves = 0;
  /// The number of markers that last as long as the recording. A stretch is a part of a track
  /// without gap or jump; this is the sum of the squared lengths of all stretches, divided by the
  /// square of the number of frames. So a marker with two tracks of half the length counts one
  /// half. A missed marker counts nothing, and short false tracks next to nothing.
  double lasting = 0;

  /// Returns the score that a sweep maximises if it has no truth.
  double score() const { return lasting * halves; }
};

/// Collects the final rows of all cameras and rates them. Used by one thread.
class Rater {
 public:
  /// Adds a row. The rows of one track must come in the order of their frames.
  void add(uint16_t camera, const motion::TrackRow& row);
  /// Returns the rating of all rows. `frames`: the number of frames of each camera.
  Rating finish(const std::vector<uint64_t>& frames);

 private:
  // The path of a track so far. See Rating::lasting for stretches.
  struct Path {
    uint64_t measured = 0, missing = 0;  // Numbers of frames with and without a measurement.
    uint64_t stretch = 0;                // The length of the present stretch, frames.
    uint64_t squares = 0;                // The sum of the squared lengths of earlier stretches.
    uint64_t last = 0;                   // The last frame in which the track was measured.
    // The number of consecutive frames with a measurement, up to the last one.
    uint64_t consecutive = 0;
    double x = 0, y = 0, beforeX = 0, beforeY = 0;  // The last two places, px.
  };

  std::map<std::pair<uint16_t, TrackId>, Path> paths_;
  std::vector<std::vector<uint32_t>> rows_;  // The number of measured rows, by camera and frame.
  output::report::LogHistogram residuals_;
  uint64_t jumps_ = 0;
};

}  // namespace glint::study
