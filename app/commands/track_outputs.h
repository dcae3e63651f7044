// The outputs that `glint track` was asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/capture/camera_groups.h"
#include "app/commands/track_options.h"
#include "app/session/command.h"
#include "config/settings.h"

namespace glint {

/// Settles what -o and --format leave open, and what outputs need of other options. `always`:
/// tracks are written even where no -o asks for them. Throws UsageError where they contradict.
void completeOutputs(TrackOptions& options, bool always);

/// Every file that the run writes, by its name; those beside them, such as .rows, too.
std::vector<std::string> outputFiles(const TrackOptions& options);

/// Throws UsageError where two things would be written to one file, or over what the run reads.
/// Devices such as /dev/null may be shared.
void checkOutputs(const TrackOptions& options, const Settings& settings);

/// What a session begins with: one recording of all files, which are created, and each stream.
/// Throws Error naming what it cannot create or reach.
std::vector<command::AddSink> openOutputs(const TrackOptions& options, const CameraGroups& groups);

/// A recording into one file, as its name tells: see outputNamed(). Throws UsageError where the
/// name tells nothing, or is read or written by this run, Error naming a file that cannot be made.
command::AddSink openRecording(const std::string& file, const TrackOptions& options,
                               const CameraGroups& groups);
command::AddSink openStream(const std::string& target, const TrackOptions& options);

}  // namespace glint
