// The file formats that tracks can be written in: the one table that the help, the errors and the
// sinks are made of.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::output {

struct TrackFormat {
  std::string_view name;                   ///< for --format
  std::vector<std::string_view> suffixes;  ///< of files that are of this format
  std::string_view about;                  ///< one line
  bool allCameras;  ///< whether one file holds them all; otherwise each camera has its own
  bool spools;      ///< whether rows wait in FILE.rows until the run ends
  /// Of camera `camera`, or of all.
  std::unique_ptr<Sink> (*make)(const std::string& path, size_t camera);
};

/// Every format, the usual one first.
std::span<const TrackFormat> trackFormats();

/// The format called `name`, or, if that is empty, the one of the longest suffix that `path` ends
/// in; the first for devices and pipes. Throws UsageError listing the formats there are.
const TrackFormat& chooseTrackFormat(const std::string& path, const std::string& name);

/// The files that `path` stands for: itself, or of several cameras in a format that holds one
/// "tracks_cam0.trackpy.csv" and so on for "tracks.trackpy.csv".
std::vector<std::string> trackFiles(const std::string& path, const TrackFormat& format,
                                    size_t cameras);

/// A line for each format: its name, its suffixes, what it is.
std::string describeTrackFormats();

}  // namespace glint::output
