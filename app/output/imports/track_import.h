// Tracks in the image as other programs' tables hold them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/motion/track/observation.h"

namespace glint::output {

/// All tracks of a file. Quantities that the file does not hold are NaN.
struct ImportedTracks {
  std::vector<std::vector<motion::TrackRow>>
      cameras;                           ///< rows by frame and track, one list for each
  std::map<TrackId, std::string> names;  ///< of tracks that have one
  double rate = 0;                       ///< Hz; 0: times do not tell it
  std::vector<std::string> remarks;      ///< what was left out or assumed, a sentence each
};

/// A table of tracks that can be read.
struct TrackImport {
  std::string_view name;
  /// Throws Error naming the file and the line.
  ImportedTracks (*read)(const std::string& path);
};

/// Returns the format of a table of tracks in the image, by its name and its first lines; null if
/// it is none. Throws Error if the file cannot be read.
const TrackImport* recognizeTracks(const std::string& path);

/// Sorts the rows by frame and track, numbers the frames of a table that has times alone, and gives
/// times to one that has frames alone. Changes names that no track can have. `rate`: Hz, instead of
/// what the table tells; 0: none. Throws Error naming the file for a track that is there twice in a
/// frame, or ids that are no ids.
void completeTracks(ImportedTracks& tracks, const std::string& path, double rate);

/// Writes tracks in the format that the suffix of `to` shows. Returns what the format cannot hold,
/// a sentence each. Throws Error and UsageError.
std::vector<std::string> exportTracks(const ImportedTracks& tracks, const std::string& to);

/// The suffixes that exportTracks() knows.
std::vector<std::string_view> trackExportSuffixes();

/// The files that exportTracks() would write.
std::vector<std::string> trackExportFiles(const std::string& to, size_t cameras);

// The formats.
ImportedTracks importGlintTracks(const std::string& path);
ImportedTracks importTrackpy(const std::string& path);
ImportedTracks importTrackMate(const std::string& path);
ImportedTracks importTrackMateXml(const std::string& path);
ImportedTracks importKinovea(const std::string& path);
ImportedTracks importQtmTracks(const std::string& path);
/// The labelled points of DeepLabCut and SLEAP: each label is a track with that name.
ImportedTracks importPoses(const std::string& path);

/// Writes the measured rows of one camera as TrackMate's XML. Returns how many tracks have a single
/// row: there they have no edge, which makes a spot a part of its track. Throws Error naming the
/// file.
size_t writeTrackMateXml(const std::string& path, const std::vector<motion::TrackRow>& rows,
                         const std::map<TrackId, std::string>& names, double rate);

}  // namespace glint::output
