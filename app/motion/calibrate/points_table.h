// Reads tables of 2D points and finds which of their rows belong to one moment.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

// Minimum sigma, px. Below it, errors of the lens model dominate.
inline constexpr double kLeastSigma = 0.02;
inline constexpr size_t kMostCameras = 64;

/// A row of the table.
struct PointRow {
  size_t camera = 0;
  long frame = 0;
  double time = 0;  ///< s
  Dot dot;
  /// Number of the set, if the table has it.
  long set = 0;
  /// Line in the file.
  size_t line = 0;
  /// Index in PointTable::labels; -1: the row has no label.
  int label = -1;
};

struct PointTable {
  std::vector<PointRow> rows;
  bool timed = false, sigmasKnown = false;
  /// True if the table says which rows belong to one set.
  bool setsKnown = false;
  /// What the labels of rows say; empty if no row has one.
  std::vector<std::string> labels = {};
  /// What was left out while reading, a sentence each.
  std::vector<std::string> remarks = {};
};

/// Reads the columns camera, frame, x and y, and time_s, set, label, sigma_x and sigma_y if they
/// exist (the sigmas only together). Ignores other columns. If there is a column `state`, rows that
/// are not "measured" are left out. Sigmas below 0.02 px are raised to it. Throws Error naming the
/// file and the line if CsvReader refuses a value, a sigma is below 0, or there are too many
/// cameras.
PointTable readPoints(const std::string& path);

/// Groups the rows into moments. Without times, rows with the same frame number form a moment. With
/// times, each camera's frame joins the nearest moment that is at most half of the shortest median
/// frame interval away. `offsets` (camera to s) are added to the times first. A single size counts
/// for all cameras. `path` is used in messages. Throws Error naming it for a point outside its
/// image, a camera without a size, or a table without rows. Throws UsageError for offsets without
/// times or for a camera that does not exist.
LightRecording matchMoments(const PointTable& table, std::vector<FrameExtent> sizes,
                            const std::map<size_t, double>& offsets, const std::string& path);

/// Returns the index of the moment that contains frame `frame` of the first camera with points in
/// that frame, or nothing if no camera has any.
std::optional<size_t> momentOf(const PointTable& table, const LightRecording& recording,
                               const std::map<size_t, double>& offsets, long frame);

}  // namespace glint::motion
