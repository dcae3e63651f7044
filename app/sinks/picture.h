// One picture of a session: a frame of every camera with its markers, their ids and their trails.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/sinks/sink.h"

namespace glint {

/// Writes `path` (.png or .jpg) when frame number `frame` of the session has passed, or the last
/// one when `frame` is empty, or when the session ends before, which finish() then tells. Throws
/// UsageError for a suffix that is no picture's.
std::unique_ptr<Sink> makePicture(const std::string& path, std::optional<SetIndex> frame);

}  // namespace glint
