// Reads SLEAP's CSV.
#pragma once

#include <string>

#include "app/motion/calibrate/points_table.h"

namespace glint::motion {

/// Returns true if the file begins like SLEAP's CSV. Returns false if it cannot be read.
bool isSleapCsv(const std::string& path);

/// Reads the CSV that SLEAP exports for the video of one camera: the columns track, frame_idx and
/// instance.score, and x, y and score of each node, such as "nose.x". Each row is an instance.
/// Throws Error naming the file and the line.
PointTable readSleapCsv(const std::string& path);

/// Makes the labels of instances: "track:node", or the node alone if there is one track.
class InstanceLabels {
 public:
  /// Takes the names of the tracks and of the nodes. Throws Error without a file's name if two
  /// labels would be equal.
  InstanceLabels(const std::vector<std::string>& tracks, const std::vector<std::string>& nodes);

  const std::vector<std::string>& all() const { return all_; }
  /// Returns the index of a label among all().
  int of(size_t track, size_t node) const { return static_cast<int>(track * nodes_ + node); }

 private:
  std::vector<std::string> all_;
  size_t nodes_;
};

}  // namespace glint::motion
