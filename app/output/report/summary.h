// What a report shows of a run's tracks, gathered row by row. Its size grows with the frames
// and the tracks, not with the rows: an hour of 30 markers has millions of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "app/output/report/frame_times.h"
#include "app/output/report/histogram.h"

namespace glint::output::report {

/// A row of tracks.csv, as far as a report needs it.
struct TrackPoint {
  uint16_t camera = 0;
  uint32_t frame = 0;
  double time = 0;  ///< s
  uint64_t track = 0;
  bool measured = true;           ///< otherwise predicted
  double x = 0, y = 0;            ///< px
  double sigmaX = 0, sigmaY = 0;  ///< px
  double score = 0;               ///< of a picture that was sought, or 0
};

/// Least and most of something; empty at first.
struct Range {
  float least = std::numeric_limits<float>::infinity();
  float most = -std::numeric_limits<float>::infinity();

  bool empty() const { return least > most; }
  void add(const Range& other);
  void add(double value) { add({static_cast<float>(value), static_cast<float>(value)}); }
};

/// A stretch of frames of one track.
struct TrackBin {
  uint32_t at = 0;                       ///< it covers the frames of which frame >> shift is `at`
  Range x, y;                            ///< px
  uint32_t measured = 0, predicted = 0;  ///< rows

  void add(const TrackBin& other);
};

struct TrackSummary {
  uint64_t id = 0;
  uint32_t first = 0, last = 0;          ///< frames
  uint64_t measured = 0, predicted = 0;  ///< rows
  std::vector<TrackBin> bins;            ///< those that have rows, in order

  uint64_t rows() const { return measured + predicted; }
  /// Frames from the first to the last, both counted.
  uint64_t length() const { return uint64_t{last} - first + 1; }

  // The last measured row.
  uint32_t seenFrame = 0;
  double seenX = 0, seenY = 0;
};

/// One camera's tracks.
class CameraSummary {
 public:
  /// Time is cut into fewer bins than this, all 2^shift() frames long.
  static constexpr size_t kMostBins = 1024;

  /// False, and nothing is done, where the track has a row in this frame or a later one already.
  bool add(const TrackPoint& point);
  /// After the last row.
  void finish() { frames.finish(); }

  const std::vector<TrackSummary>& tracks() const { return tracks_; }
  unsigned shift() const { return shift_; }
  uint64_t rows() const { return measured_ + predicted_; }
  uint64_t predicted() const { return predicted_; }
  /// The median of the tracks' length(), the lower one of two; 0 without tracks.
  uint64_t medianLength() const;

  FrameTimes frames;
  LogHistogram steps;  ///< px from one frame to the next, where both rows are measured
  LogHistogram sigmaX, sigmaY;
  LogHistogram scores;  ///< of measured rows that have one
  PhaseHistogram phaseX, phaseY;
  /// Frames between two measured rows of a track -> how often; rows of a gap are predicted or
  /// missing.
  std::map<uint32_t, uint64_t> gaps;
  Range x, y;
  uint64_t gapCount() const;

 private:
  void makeRoom(uint32_t frame);
  void countMeasured(TrackSummary& track, const TrackPoint& point);

  std::vector<TrackSummary> tracks_;              // in the order of appearance
  std::unordered_map<uint64_t, size_t> indices_;  // id -> in tracks_
  unsigned shift_ = 0;
  uint32_t firstFrame_ = 0, lastFrame_ = 0;
  uint64_t measured_ = 0, predicted_ = 0;
};

}  // namespace glint::output::report
