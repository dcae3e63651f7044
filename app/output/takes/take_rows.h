// Tables with a row for each point or body of a frame, as takes. Internal to takes/.
#pragma once

#include <memory>
#include <string>

#include "app/output/takes/take.h"

namespace glint::output {

/// A row of a table: a point, a pose, or nothing but a frame and its time.
struct TakeRow {
  enum class Kind { point, pose, moment } kind = Kind::moment;
  uint64_t frame = 0;
  double time = 0;  ///< s
  motion::SpaceRow point = {};
  motion::PoseRow pose = {};
};

/// Reads a table row by row.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Returns false after the last row. Throws Error.
  virtual bool next(TakeRow& row) = 0;
  /// The file and the line that next() has read, for messages.
  virtual std::string place() const = 0;
  /// True if rows have times.
  virtual bool timed() const = 0;
};

/// Makes a take of a table whose rows are in the order of frames. `open` opens the table from its
/// beginning. With `passesLate`, only rows of the same kind need to be in order: the table is read
/// once for each kind, and rows that come late are left out and counted. Otherwise they are
/// refused.
std::unique_ptr<TakeReader> readRows(std::unique_ptr<RowSource> (*open)(const std::string& path),
                                     const std::string& path, bool passesLate);

/// The columns of the rows that wait on disk while a take is measured.
inline constexpr std::string_view kSpoolHeader =
    "frame,time_s,point,state,x_mm,y_mm,z_mm,sigma_x,sigma_y,sigma_z,cameras,body,label,qx,qy,qz,"
    "qw,"
    "residual_mm\n";

/// Appends a row of that table.
void appendSpooled(std::string& text, const motion::SpaceRow& row);
void appendSpooled(std::string& text, const motion::PoseRow& row);
void appendSpooled(std::string& text, uint64_t frame, double time);

}  // namespace glint::output
