// Points and bodies in space on their way between the file formats of motion capture: a take, frame
// by frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/motion/space/space_row.h"
#include "app/output/takes/take_options.h"

namespace glint::output {

/// One moment of a take. Lengths are in mm. A covariance or velocity that is not known is NaN.
struct TakeFrame {
  uint64_t frame = 0;  ///< from 0
  double time = 0;     ///< s
  std::vector<motion::SpaceRow> points;
  std::vector<motion::PoseRow> poses;
};

/// A marker as a column of a wide file.
struct TakeMarker {
  std::string name;                   ///< unique in its take: see columnName()
  uint64_t point = 0;                 ///< id
  std::string body = {}, label = {};  ///< whose marker it is; or empty
  int occurrence = 1;                 ///< 2 for the second marker of this label in one frame, ...
};

/// The facts about the whole take that a file states before its first frame.
struct TakeInfo {
  std::optional<double> rate = {};  ///< Hz
  UpAxis up = UpAxis::z;
  std::vector<TakeMarker> markers =
      {};  ///< in the order of the file; empty if it does not list them
  std::vector<std::string> bodies = {};  ///< the same
  std::optional<uint64_t> first = {};    ///< frame
  uint64_t frames = 0;                   ///< 0: not known
  bool timed = true;                     ///< frames have times; otherwise they follow from the rate
};

/// Reads a file of a take.
class TakeReader {
 public:
  virtual ~TakeReader() = default;
  TakeReader() = default;
  TakeReader(const TakeReader&) = delete;
  TakeReader& operator=(const TakeReader&) = delete;

  virtual const TakeInfo& info() const = 0;
  /// Replaces `frame` by the next one, in rising order; returns false after the last one. Throws
  /// Error naming the file, and the line or the frame, if the file is damaged.
  virtual bool next(TakeFrame& frame) = 0;
  /// Returns what the file holds and the take does not, a sentence each. Complete after the last
  /// frame.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// Returns what was changed while reading, or contradicts itself in the file, a sentence each.
  /// Complete after the last frame.
  virtual std::vector<std::string> doubts() const { return {}; }
};

/// Writes a file of a take.
class TakeWriter {
 public:
  virtual ~TakeWriter() = default;
  TakeWriter() = default;
  TakeWriter(const TakeWriter&) = delete;
  TakeWriter& operator=(const TakeWriter&) = delete;

  /// Takes every frame from the first to the last one, also those without a point. Throws Error
  /// naming the file.
  virtual void add(const TakeFrame& frame) = 0;
  /// Nothing follows. Throws Error naming the file.
  virtual void finish() = 0;
};

/// Returns the name of a marker's column: "tool:tip" of a body's marker, a label alone, or
/// "point7".
std::string columnName(const motion::SpaceRow& row);

/// Makes markers of the column names of a file. Where names are missing or not unique, they are
/// replaced or numbered. Ids are those of the names "point7", otherwise the lowest free ones.
std::vector<TakeMarker> markersOf(const std::vector<std::string>& names);

/// Returns a row of a marker, without a place, whose velocity and covariance are not known.
motion::SpaceRow rowOf(const TakeMarker& marker, const TakeFrame& frame);

/// Returns a pose of a body, without a place, whose covariance and residual are not known.
motion::PoseRow poseOf(const std::string& body, const TakeFrame& frame);

/// Sets the attitude from a quaternion x, y, z, w, of unit length to 1 %; returns false if it is
/// not.
bool setAttitude(motion::PoseRow& row, const Eigen::Vector4d& quaternion);

/// Turns positions and attitudes of a frame from axes with `from` up into axes with `to` up: of
/// (x, y, z) with z up, (x, z, -y) has y up. A body's own axes are turned with the world's, so a
/// body that stands as it was defined keeps the attitude of no turn.
void turn(TakeFrame& frame, UpAxis from, UpAxis to);

}  // namespace glint::output
