// Reads tracks and truth from files for scoring.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::motion {

/// One marker in one frame of one camera: a row of tracks.csv or of truth.csv.
struct Sample {
  double x = 0, y = 0;  ///< px
  /// Id of the track, or of the marker in the truth.
  uint64_t id = 0;
  uint32_t frame = 0;
  uint16_t camera = 0;
  /// In the truth, false if the marker cannot be seen. Rows of tracks are always visible.
  bool visible = true;
};

/// Returns the samples sorted by camera, frame and id. Throws Error if an id appears twice in a
/// frame. The message names the file `where` and the column `id`.
std::vector<Sample> sorted(std::vector<Sample> samples, const std::string& where,
                           std::string_view id);

/// Reads the columns `camera,frame,track,x,y` of a tracks.csv. Measured and predicted rows are
/// treated alike. Columns are found by their names in the header line, in any order; others are
/// ignored. Returns the samples sorted by camera, frame and id. Throws Error naming the file, and
/// the line if there is one, for a file that cannot be read, a missing column, an invalid line, or
/// an id that appears twice in a frame.
std::vector<Sample> readTracks(const std::string& path);

/// Reads the columns `camera,frame,id,x,y,visible` (0 or 1) of a truth.csv, like readTracks().
std::vector<Sample> readTruth(const std::string& path);

}  // namespace glint::motion
