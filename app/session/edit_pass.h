// Edits of tracks found in a recording, before it is tracked for its outputs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/capture/source/source.h"
#include "app/output/sinks/edited_sink.h"
#include "app/session/session.h"

namespace glint::session {

/// Throws UsageError naming the first that can be read only once.
void checkReadTwice(const capture::SourceList& sources);

/// Tracks the recording once, without outputs, as `options` say, and applies the edits to its
/// tracks: an edit may concern rows before its own frame. `sources`: opened for this. `tell` is
/// called a few times a second. A recording that breaks has its last frame there.
output::SharedEdits applyToRecording(const output::TrackEdits& edits,
                                     std::shared_ptr<const gpu::Device> device,
                                     capture::SourceList sources, SessionOptions options,
                                     const std::function<void(const SessionState&)>& tell = {});

}  // namespace glint::session
