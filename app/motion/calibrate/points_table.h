// A table of 2D points, and which of its rows belong to one moment.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

inline constexpr double kLeastSigma = 0.02;  // px: below it lens models, not images, set the limit
inline constexpr size_t kMostCameras = 64;

struct PointRow {
  size_t camera = 0;
  long frame = 0;
  double time = 0;  ///< s
  Dot dot;
  long set = 0;     ///< where the table has it
  size_t line = 0;  ///< of the table
};

struct PointTable {
  std::vector<PointRow> rows;
  bool timed = false, sigmasKnown = false;
  bool setsKnown = false;  ///< which rows were put together
};

/// Reads the columns camera, frame, x and y, and where they are there time_s, set, sigma_x and
/// sigma_y (the sigmas only together); others are passed over. Where there is a column
/// `state`, rows that are not "measured" are left out. A sigma below 0.02 px counts as that. Throws
/// Error naming the file and the line, for what CsvReader refuses and for a sigma below 0.
PointTable readPoints(const std::string& path);

/// Puts the rows of `path` together by moments: by the number of the frame, or, where there are
/// times, each camera's frame with the nearest moment, at most half of the shortest median interval
/// away. `offsets` (s) are added to the times of their cameras first. One size counts for all
/// cameras. Throws Error naming the path for a point outside its image, a camera without a size, or
/// a table without rows; UsageError for offsets without times or of a camera that is not there.
LightRecording matchMoments(const PointTable& table, std::vector<FrameExtent> sizes,
                            const std::map<size_t, double>& offsets, const std::string& path);

/// The moment of frame `frame` of the first camera that has points in it.
std::optional<size_t> momentOf(const PointTable& table, const LightRecording& recording,
                               const std::map<size_t, double>& offsets, long frame);

}  // namespace glint::motion
