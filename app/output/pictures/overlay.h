// An annotated video of a session: every frame with its markers, their ids and their trails.
#pragma once

#include <memory>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// Writes `path`, a video of a kind that VideoWriter knows, of frames of `format`: all cameras side
/// by side, as MarkerPainter draws them. Frames keep their times, those of the first camera that
/// has not ended; AVI rounds them. Throws UsageError for a suffix that is no video's, Error when
/// the file cannot be written.
std::unique_ptr<Sink> makeOverlay(const std::string& path);

}  // namespace glint::output
