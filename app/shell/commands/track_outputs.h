// The outputs that `glint track` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/sets/frame_set.h"
#include "app/output/sinks/new_files.h"
#include "app/session/session.h"
#include "app/shell/commands/track_options.h"
#include "config/settings.h"

namespace glint::shell {

/// Settles what -o and --format leave open, and what outputs need of other options. `always`:
/// tracks are written even where no -o asks for them. Throws UsageError where they contradict.
void completeOutputs(TrackOptions& options, bool always);

/// See checkOutputs() of app/output/catalog/outputs.h. Throws UsageError.
void checkOutputs(const TrackOptions& options, const Settings& settings);

/// What a session begins with: one recording of all files, which are created, and each stream.
/// `length`: frames of the recording, where known. Throws Error naming what it cannot create or
/// reach.
std::vector<session::command::AddSink> openOutputs(const TrackOptions& options,
                                                   const capture::CameraGroups& groups,
                                                   std::optional<uint64_t> length);

/// A recording of `session` into one file: see recordingSpec(). Throws UsageError for an unknown
/// suffix, or a file that this run reads or writes; Error naming a file that cannot be made.
/// `below`: where alone it may make files, all new; or null.
session::command::AddSink openRecording(const std::string& file, const TrackOptions& options,
                                        const session::Session& session,
                                        const output::NewFileFolder* below = nullptr);
session::command::AddSink openStream(const std::string& target, const TrackOptions& options);

}  // namespace glint::shell
