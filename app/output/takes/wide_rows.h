// The parts that the wide text formats share: a line for every frame, three fields for every
// marker. Internal to takes/.
#pragma once

#include <string>
#include <vector>

#include "app/output/sinks/row_file.h"
#include "app/output/takes/survey.h"
#include "app/output/takes/take.h"
#include "app/output/takes/text_lines.h"

namespace glint::output {

/// Reads the place of a marker from three fields, beginning at `first`; returns false where they
/// are empty. Throws Error where only some are, or a field is missing.
bool readPlace(const LineReader& lines, const std::vector<std::string>& fields, size_t first,
               double mmPerUnit, Eigen::Vector3d& at);

/// The rows of a frame by the columns of a wide file.
class WideRow {
 public:
  explicit WideRow(const TakeSurvey& survey);

  /// Finds the rows of another frame.
  void set(const TakeFrame& frame);
  /// Returns the position of marker `index`, or null if it has none.
  const motion::SpaceRow* point(size_t index) const { return points_[index]; }
  /// Returns the pose of body `index`, or null if it has none.
  const motion::PoseRow* pose(size_t index) const { return poses_[index]; }

  size_t markers() const { return points_.size(); }
  size_t bodies() const { return poses_.size(); }

 private:
  TakeColumns columns_;
  const std::vector<std::string>& bodies_;  ///< of the survey, which outlives the row
  std::vector<const motion::SpaceRow*> points_;
  std::vector<const motion::PoseRow*> poses_;
};

/// Numbers the frames of a file whose lines must count up; throws Error where they do not.
class RisingFrames {
 public:
  void check(const LineReader& lines, uint64_t frame) {
    if (any_ && frame <= last_) lines.refuse("frame {} comes after frame {}", frame, last_);
    any_ = true;
    last_ = frame;
  }
  uint64_t next() const { return any_ ? last_ + 1 : 0; }

 private:
  bool any_ = false;
  uint64_t last_ = 0;
};

/// The columns of markers in a wide file.
struct MarkerColumns {
  const std::vector<TakeMarker>& markers;
  const std::vector<size_t>& places;  ///< index of each marker's first field
  double mmPerUnit = 1;
};

/// Returns the time in a field, s. Throws Error if there is none.
double timeOf(const LineReader& lines, const std::string& field);

/// Reads the frame's number, its time and the points of all markers from the fields of a row, into
/// `frame`, which loses what it held. The first two fields are the number, from 0, and the time.
/// Throws Error if one is missing, or if the number is not above the one before.
void readMarkers(const LineReader& lines, const std::vector<std::string>& fields,
                 const MarkerColumns& columns, RisingFrames& frames, TakeFrame& frame);

}  // namespace glint::output
