// Compares tracks with the truth, by the usual figures of multi-object tracking, for points.
//
// CLEAR MOT: K. Bernardin and R. Stiefelhagen, "Evaluating Multiple Object Tracking Performance:
// The CLEAR MOT Metrics", EURASIP J. Image and Video Processing (2008).
// IDF1: E. Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera
// Tracking", ECCV workshops (2016).
// HOTA: J. Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking", IJCV
// 129 (2021), with the similarity max(0, 1 - distance / radius) in place of overlap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/motion/track/samples.h"
#include "app/study/eval/tracked_frames.h"

namespace glint::study {

/// The range of ScoreOptions::radius, px.
inline constexpr double kLeastRadius = 1e-3, kMostRadius = 1e6;

struct ScoreOptions {
  /// The largest distance between a row of a track and its marker, px, from kLeastRadius to
  /// kMostRadius. The default is larger than any error of position of a right marker. It is smaller
  /// than 6 px, the detector's default separation, so that a row on one marker does not count for
  /// its neighbour. Raising it counts more rows as right.
  double radius = 5;
};

/// The figures of one camera, or of all cameras. A ratio is NaN if there is nothing to count.
struct Score {
  uint64_t frames = 0;    ///< Frames in the truth or in the tracks.
  uint64_t truth = 0;     ///< Visible markers, summed over the frames.
  uint64_t rows = 0;      ///< Rows of tracks, without the ignored ones.
  uint64_t ignored = 0;   ///< Rows on a hidden marker, which are neither right nor wrong.
  uint64_t matched = 0;   ///< True positives: rows that are matched to a visible marker.
  uint64_t missed = 0;    ///< False negatives: visible markers without a row.
  uint64_t spurious = 0;  ///< False positives: rows without a marker.
  uint64_t switches = 0;  ///< Matches of a marker to another track than in its last match.
  /// Matches of a marker that was visible without a match since its last match.
  uint64_t fragments = 0;
  double recall = 0;       ///< matched / truth.
  double precision = 0;    ///< matched / rows.
  double mota = 0;         ///< 1 - (missed + spurious + switches) / truth.
  double idf1 = 0;         ///< 2 IDTP / (truth + rows); IDTP is IdentityCounts::idTruePositives.
  double hota = 0;         ///< The mean over the limits of similarity 0.05, 0.10 ... 0.95.
  double rmse = 0;         ///< Root mean square distance of matched pairs, px.
  double medianError = 0;  ///< Median distance of matched pairs, px.
};

struct CameraScore {
  uint16_t camera = 0;
  Score score;
};

struct Scores {
  ScoreOptions options;
  /// The number of rows of the truth that do not count, because their frames were not tracked.
  uint64_t leftOut = 0;
  /// The source of what was tracked; see TrackedFrames.
  TrackedFrames tracked;
  /// The scores of all cameras of the truth or of the tracks, by number.
  std::vector<CameraScore> cameras;
  Score all;  ///< Computed from the counts of all cameras together, not as a mean of ratios.
};

/// Compares tracks with the truth. Both must be sorted by camera, frame and id, as the readers
/// return them.
///
/// Pairs that were matched in the frame before stay matched while they are within the radius. The
/// other visible markers and rows are matched so that there are as many pairs as possible, and so
/// that their summed distance is as small as possible. A remaining row within the radius of a
/// hidden marker is ignored in all figures. The ids of different cameras have nothing to do with
/// each other. Time and memory grow with the number of pairs within the radius. Throws UsageError
/// if the radius is out of range. Throws Error if so many markers and rows are within the radius of
/// each other that they cannot be matched.
Scores score(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
             const ScoreOptions& options = {});

/// Compares tracks with the truth of the frames that were tracked, as score() does.
Scores scoreTracked(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
                    TrackedFrames tracked, const ScoreOptions& options = {});

/// Returns a line of figures for each camera, and one for all if there are several; a figure is "-"
/// if there is nothing to count. If a part of the truth does not count, a line at the end says so.
std::string toTable(const Scores& scores);

/// Returns `{"radius", "truth_left_out", "tracked_known_from", "all": {...}, "cameras": [{"camera",
/// ...}]}`; a figure is null if there is nothing to count. "tracked_known_from" is "record",
/// "tracks", or null if all of the truth counts anyway.
std::string toJson(const Scores& scores);

}  // namespace glint::study
