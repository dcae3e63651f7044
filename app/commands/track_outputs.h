// The files that `glint track` writes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/capture/camera_groups.h"
#include "app/commands/track_options.h"
#include "app/export/exporter.h"
#include "config/settings.h"

namespace glint {

/// Settles what -o and --format leave open. Throws UsageError where they contradict.
void completeOutputs(TrackOptions& options);

/// Every file that the run writes, by its name; those beside them, such as .rows, too.
std::vector<std::string> outputFiles(const TrackOptions& options);

/// Throws UsageError where two things would be written to one file, or over what the run reads.
/// Devices such as /dev/null may be shared.
void checkOutputs(const TrackOptions& options, const Settings& settings);

/// One for every file, which it creates. `settings`: those in force. Throws Error naming the one
/// that it cannot.
std::vector<std::unique_ptr<Exporter>> makeExporters(const TrackOptions& options,
                                                     const CameraGroups& groups,
                                                     const Settings& settings);

/// A recording into one file, as its name tells: tracks, a video with what was found, or the frames
/// as they came (.raw.mkv), a file a camera. Throws
/// UsageError where the name tells nothing, or is read or written by this run, Error naming a file
/// that cannot be made.
std::vector<std::unique_ptr<Exporter>> makeRecording(const std::string& file,
                                                     const TrackOptions& options,
                                                     const CameraGroups& groups);

}  // namespace glint
