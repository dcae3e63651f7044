// Reads tables of 2D points and finds which of their rows belong to one moment.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::base {
class CsvReader;
}  // namespace glint::base

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
  /// The labels, in the order in which they first appear. PointRow::label is an index in this list.
  std::vector<std::string> labels = {};
  /// A sentence for each thing that was left out while the table was read.
  std::vector<std::string> remarks = {};
};

/// Reads a table row by row, as readPoints() does, without keeping the rows.
class PointReader {
 public:
  /// Throws Error as readPoints() does.
  explicit PointReader(const std::string& path);
  ~PointReader();

  // See PointTable.
  bool timed() const;
  bool sigmasKnown() const;
  bool setsKnown() const;
  /// Returns the labels of the rows that were read so far.
  const std::vector<std::string>& labels() const { return labels_; }

  /// Returns the next row; empty at the end. Throws Error as readPoints() does.
  std::optional<PointRow> next();

 private:
  int labelOf(std::string_view text);

  std::unique_ptr<base::CsvReader> csv_;
  std::vector<std::string> labels_;
  std::map<std::string, int, std::less<>> labelIndex_;  // index in labels_
};

/// Reads the columns camera, frame, x and y, and time_s, set, label, sigma_x and sigma_y if they
/// exist (the sigmas only together). Ignores other columns. If there is a column `state`, rows that
/// are not "measured" are left out. Sigmas below 0.02 px are raised to it. Throws Error naming the
/// file and the line if CsvReader refuses a value, a sigma is below 0, or there are too many
/// cameras.
PointTable readPoints(const std::string& path);

/// Returns a size for each camera of a table. A single size counts for all of them.
std::vector<FrameExtent> sizesOfAll(const PointTable& table, std::vector<FrameExtent> sizes);

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
