// The outputs of `glint track`.
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

/// Completes the outputs where -o and --format leave something open, and sets what outputs need of
/// other options. If `always`, tracks are written even if no -o asks for them. Throws UsageError if
/// options contradict each other.
void completeOutputs(TrackOptions& options, bool always);

/// See checkOutputs() of app/output/catalog/outputs.h. Throws UsageError.
void checkOutputs(const TrackOptions& options, const Settings& settings);

/// Opens the sinks that a session begins with: one recording of all files, which are created, and
/// each stream. `length` is the number of frames of the recording, if known. `space` is the
/// session's rig and bodies. Throws Error naming the output that cannot be created or reached.
std::vector<session::command::AddSink> openOutputs(const TrackOptions& options,
                                                   const capture::CameraGroups& groups,
                                                   std::optional<uint64_t> length,
                                                   const output::StreamedSpace& space);

/// Opens a recording of `session`: see recordingSpec(). If `below` is not null, files may be made
/// only in that folder, and must be new. Throws UsageError for a file that this run reads or
/// writes, or if points or poses are asked for that the session does not have. Throws Error naming
/// a file that cannot be made.
session::command::AddSink openRecording(output::OutputSpec spec, const TrackOptions& options,
                                        const session::Session& session,
                                        const output::NewFileFolder* below = nullptr);
/// Opens a stream to a target, as makeStream() takes it. `space` is the session's rig and bodies.
/// Throws as makeStream().
session::command::AddSink openStream(const std::string& target, const TrackOptions& options,
                                     const output::StreamedSpace& space);

}  // namespace glint::shell
