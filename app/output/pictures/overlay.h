// An annotated video of a session: every frame with its markers, their ids and their trails.
#pragma once

#include <memory>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// Writes a video of a kind that VideoWriter knows to `path`, with all cameras side by side as
/// MarkerPainter draws them, and with the rows that tracks.csv has. Frames keep the times of the
/// first camera that has not ended; AVI rounds them. Throws UsageError if the suffix is not that of
/// a video, and Error if the file cannot be written.
std::unique_ptr<Sink> makeOverlay(const std::string& path);

}  // namespace glint::output
