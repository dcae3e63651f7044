// The tracks of a run as a report shows them, gathered row by row. The size grows with the frames
// and the tracks, and not with the rows: an hour of 30 markers has millions of them.
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

/// A row of tracks.csv, with the values that a report needs.
struct TrackPoint {
  uint16_t camera = 0;
  uint32_t frame = 0;
  double time = 0;  ///< s
  uint64_t track = 0;
  bool measured = true;           ///< false: predicted
  double x = 0, y = 0;            ///< px
  double sigmaX = 0, sigmaY = 0;  ///< px
  double score = 0;               ///< match of a searched picture, or 0
};

/// The least and the greatest value of something; empty at first.
struct Range {
  float least = std::numeric_limits<float>::infinity();
  float most = -std::numeric_limits<float>::infinity();

  bool empty() const { return least > most; }
  void add(const Range& other);
  void add(double value) { add({static_cast<float>(value), static_cast<float>(value)}); }
};

/// A stretch of frames of one track.
struct TrackBin {
  uint32_t at = 0;  ///< the bin covers the frames for which frame >> shift is `at`
  Range x, y;       ///< px
  uint32_t measured = 0, predicted = 0;  ///< rows

  void add(const TrackBin& other);
};

/// The figures of one track.
struct TrackSummary {
  uint64_t id = 0;
  uint32_t first = 0, last = 0;          ///< frames
  uint64_t measured = 0, predicted = 0;  ///< rows
  std::vector<TrackBin> bins;            ///< bins that have rows, in order

  uint64_t rows() const { return measured + predicted; }
  /// Returns the number of frames from the first to the last, both included.
  uint64_t length() const { return uint64_t{last} - first + 1; }

  // The last measured row, its frame and place, px.
  uint32_t seenFrame = 0;
  double seenX = 0, seenY = 0;
};

/// The tracks of one camera.
class CameraSummary {
 public:
  /// Time is divided into fewer bins than this, all 2^shift() frames long.
  static constexpr size_t kMostBins = 1024;

  /// Adds a row. Does nothing and returns false if the track already has a row in this frame or a
  /// later one.
  bool add(const TrackPoint& point);
  /// Completes the summary after the last row.
  void finish() { frames.finish(); }

  const std::vector<TrackSummary>& tracks() const { return tracks_; }
  unsigned shift() const { return shift_; }
  uint64_t rows() const { return measured_ + predicted_; }
  uint64_t predicted() const { return predicted_; }
  /// Returns the median of the tracks' length(), the lower one of two; 0 without tracks.
  uint64_t medianLength() const;

  FrameTimes frames;
  LogHistogram steps;  ///< px, steps from one frame to the next if both rows are measured
  LogHistogram sigmaX, sigmaY;
  LogHistogram scores;  ///< scores of the measured rows that have one
  PhaseHistogram phaseX, phaseY;
  /// Number of gaps for each length. The length is the number of frames between two measured rows
  /// of a track, whose rows are predicted or missing.
  std::map<uint32_t, uint64_t> gaps;
  Range x, y;
  uint64_t gapCount() const;

 private:
  void makeRoom(uint32_t frame);
  void countMeasured(TrackSummary& track, const TrackPoint& point);

  std::vector<TrackSummary> tracks_;              // tracks in the order in which they appear
  std::unordered_map<uint64_t, size_t> indices_;  // index in tracks_ for each id
  unsigned shift_ = 0;
  uint32_t firstFrame_ = 0, lastFrame_ = 0;
  uint64_t measured_ = 0, predicted_ = 0;
};

}  // namespace glint::output::report
