// Finds the tracks of a recording that edits apply to, before it is tracked for its outputs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/capture/source/source.h"
#include "app/output/sinks/edited_sink.h"
#include "app/session/session.h"

namespace glint::session {

/// Throws UsageError naming the first source that can be read only once.
void checkReadTwice(const capture::SourceList& sources);

/// Tracks the recording once with `options`, without outputs, and applies the edits to its tracks.
/// This is necessary because an edit may change rows before its own frame. `sources` must have been
/// opened for this purpose. `report` is called several times a second with the state. If the
/// recording cannot be read to its end, it counts as ended at its last readable frame.
output::SharedEdits applyToRecording(const output::TrackEdits& edits,
                                     std::shared_ptr<const gpu::Device> device,
                                     capture::SourceList sources, SessionOptions options,
                                     const std::function<void(const SessionState&)>& report = {});

}  // namespace glint::session
