// Streams: a sink from what the user wrote.
#pragma once

#include <memory>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// `target` is "osc:[HOST:]PORT", "udp:[HOST:]PORT" or "-", standard output. Other machines are
/// refused unless `remote`. Throws UsageError or Error naming the target.
std::unique_ptr<Sink> makeStream(const std::string& target, bool remote);

/// JSON Lines into `file`, a descriptor of a pipe, a terminal or a file that stays the caller's. It
/// never blocks in a write: it waits for room, and gives up on request, in the middle of a line if
/// need be. SIGPIPE must be blocked, as it is on a NewestQueue's thread.
std::unique_ptr<Sink> makePipeSink(int file);

}  // namespace glint::output
