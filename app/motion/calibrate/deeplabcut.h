// Reads the positions of body parts that DeepLabCut has found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/motion/calibrate/points_table.h"

namespace glint::motion {

/// Returns true if the file begins as the CSV of DeepLabCut does. A file that cannot be read is
/// none.
bool isDeepLabCut(const std::string& path);

/// Collects the positions of a table of DeepLabCut, whose columns are x, y and likelihood of each
/// body part.
class DeepLabCutRows {
 public:
  /// Takes the names above each column; `individuals` may be empty. Throws Error without a file's
  /// name if the columns are not as above.
  DeepLabCutRows(const std::vector<std::string>& individuals, const std::vector<std::string>& parts,
                 const std::vector<std::string>& coords);

  /// Returns the number of values in a row.
  size_t width() const { return 3 * table_.labels.size(); }
  /// Adds the values of a frame, NaN where there is none. Positions whose likelihood is below 0.6,
  /// DeepLabCut's own limit, are left out.
  void add(long frame, size_t line, std::span<const double> values);
  /// Returns the table, with remarks that name the file `path`.
  PointTable take(const std::string& path);

 private:
  PointTable table_;
  uint64_t unlikely_ = 0;  // positions that were left out
};

/// Reads the CSV that DeepLabCut writes for the video of one camera: the lines scorer,
/// (individuals,) bodyparts and coords, and then a line for each frame with x, y and likelihood of
/// each body part. A label is the body part, or "individual:bodypart". Positions whose likelihood
/// is below 0.6, DeepLabCut's own limit, are left out. Throws Error naming the file and the line.
PointTable readDeepLabCut(const std::string& path);

}  // namespace glint::motion
