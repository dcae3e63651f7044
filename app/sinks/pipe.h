// Frames as JSON Lines into a pipe, a terminal or a file that is already open.
#pragma once

#include <memory>

#include "app/sinks/sink.h"

namespace glint {

/// Writes to `file`, a file descriptor that stays the caller's, with SIGPIPE blocked, and never
/// blocks in a write: it waits for room, and gives up when it is told to, in the middle of a line
/// if need be.
std::unique_ptr<Sink> makePipeSink(int file);

}  // namespace glint
