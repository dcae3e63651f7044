// How well tracks agree with the truth: the usual figures of multi-object tracking, for points.
//
// CLEAR MOT: K. Bernardin and R. Stiefelhagen, "Evaluating Multiple Object Tracking Performance:
// The
//   CLEAR MOT Metrics", EURASIP J. Image and Video Processing (2008).
// IDF1: E. Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera
//   Tracking", ECCV workshops (2016).
// HOTA: J. Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking",
//   IJCV 129 (2021), with the similarity max(0, 1 - distance / radius) in place of overlap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/motion/track/samples.h"

namespace glint::study {

/// px, of ScoreOptions::radius.
inline constexpr double kLeastRadius = 1e-3, kMostRadius = 1e6;

struct ScoreOptions {
  /// px, kLeastRadius to kMostRadius: a track's row is at most this far from its marker. The
  /// default is more than any error of position that is not a wrong marker, and less than 6 px, the
  /// detector's default separation, so that a row on one marker does not count for its neighbour.
  double radius = 5;
};

/// The figures of one camera or of all. Ratios with nothing to count are NaN.
struct Score {
  uint64_t frames = 0;     ///< in the truth or in the tracks
  uint64_t truth = 0;      ///< visible markers, summed over frames
  uint64_t rows = 0;       ///< track rows, less those ignored
  uint64_t ignored = 0;    ///< rows on a hidden marker: neither right nor wrong
  uint64_t matched = 0;    ///< true positives
  uint64_t missed = 0;     ///< false negatives
  uint64_t spurious = 0;   ///< false positives
  uint64_t switches = 0;   ///< a marker is matched to another track than when it was last matched
  uint64_t fragments = 0;  ///< a marker is matched again after it was visible and missed
  double recall = 0;       ///< matched / truth
  double precision = 0;    ///< matched / rows
  double mota = 0;         ///< 1 - (missed + spurious + switches) / truth
  double idf1 = 0;         ///< 2 IDTP / (truth + rows)
  double hota = 0;         ///< mean over the thresholds 0.05, 0.10 ... 0.95
  double rmse = 0;         ///< px, root mean square distance of matched pairs
  double medianError = 0;  ///< px, median distance of matched pairs
};

struct CameraScore {
  uint16_t camera = 0;
  Score score;
};

struct Scores {
  ScoreOptions options;
  std::vector<CameraScore> cameras;  ///< each camera of the truth or of the tracks, by number
  Score all;                         ///< counts of all cameras together, no mean of ratios
};

/// Scores tracks against truth, both sorted by camera, frame and id as the readers return them.
///
/// In each frame the pairs matched in the frame before stay matched while they are within the
/// radius; the other visible markers and rows are matched so that most pairs, then the least summed
/// distance, result. A row that is left over and lies within the radius of a hidden marker is
/// ignored, in every figure. Across cameras ids are independent. Time and memory grow with the
/// pairs within the radius. Throws UsageError for a radius out of range, Error where so many are
/// within the radius of each other that it cannot tell them apart.
Scores score(std::span<const motion::Sample> tracks, std::span<const motion::Sample> truth,
             const ScoreOptions& options = {});

/// A line a camera, and one of all where there are several; "-" where a figure has nothing to
/// count.
std::string toTable(const Scores& scores);

/// `{"radius", "all": {...}, "cameras": [{"camera", ...}]}`; null where a figure has nothing to
/// count.
std::string toJson(const Scores& scores);

}  // namespace glint::study
