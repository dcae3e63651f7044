// The file formats of tracks, in one table from which the help, the errors and the sinks are made.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// A format of files of tracks.
struct TrackFormat {
  std::string_view name;                   ///< name for --format
  std::vector<std::string_view> suffixes;  ///< suffixes of the format's files
  std::string_view about;                  ///< one line
  bool allCameras;  ///< true if one file holds all cameras; otherwise each camera has its own
  bool spools;      ///< true if rows wait in FILE.rows until the run ends
  /// Makes the sink for camera `camera`, or for all.
  std::unique_ptr<Sink> (*make)(const std::string& path, size_t camera);
};

/// Returns every format, the default one first.
std::span<const TrackFormat> trackFormats();

/// Returns the format called `name`. If `name` is empty, returns the one with the longest suffix in
/// which `path` ends; the first format for devices and pipes. Throws UsageError listing the
/// formats.
const TrackFormat& chooseTrackFormat(const std::string& path, const std::string& name);

/// Returns the files for `path`: the path itself or, with several cameras in a format that holds
/// one, "tracks_cam0.trackpy.csv" and so on for "tracks.trackpy.csv".
std::vector<std::string> trackFiles(const std::string& path, const TrackFormat& format,
                                    size_t cameras);

/// Returns a line for each format: its name, its suffixes, and a description.
std::string describeTrackFormats();

}  // namespace glint::output
