// Tracks and truth as read from their files for scoring.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::motion {

/// One marker in one frame of one camera: a row of tracks.csv or of truth.csv.
struct Sample {
  double x = 0, y = 0;  ///< px
  uint64_t id = 0;      ///< track or truth id
  uint32_t frame = 0;
  uint16_t camera = 0;
  bool visible = true;  ///< truth: could be seen; a track's rows are always visible
};

/// Sorted by camera, frame and id. Throws Error for an id twice in a frame; `where` and `id`, the
/// column's name, stand in its message.
std::vector<Sample> sorted(std::vector<Sample> samples, const std::string& where,
                           std::string_view id);

/// Reads `camera,frame,track,x,y` of a tracks.csv; both states, measured and predicted, count
/// alike. Columns are found by their names in the header line, in any order; others are passed
/// over. Sorted by camera, frame and id. Throws Error naming the file, and the line where there is
/// one, for a file that cannot be read, a missing column, a malformed line, or an id twice in a
/// frame.
std::vector<Sample> readTracks(const std::string& path);

/// The same for `camera,frame,id,x,y,visible` (0 or 1) of a truth.csv.
std::vector<Sample> readTruth(const std::string& path);

}  // namespace glint::motion
