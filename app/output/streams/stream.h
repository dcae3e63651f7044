// Makes the sink of a stream from the user's text.
#pragma once

#include <memory>
#include <string>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// Makes the sink of a stream. `target` is "osc:[HOST:]PORT", "udp:[HOST:]PORT" or "-", standard
/// output. Other machines are refused unless `remote`. Throws UsageError or Error naming the
/// target.
std::unique_ptr<Sink> makeStream(const std::string& target, bool remote);

/// Makes a sink that writes JSON Lines into `file`, a descriptor of a pipe, a terminal or a file.
/// The descriptor stays the caller's. The sink never blocks in a write. It waits for room, and
/// gives up on request, if necessary in the middle of a line. SIGPIPE must be blocked, as it is on
/// a NewestQueue's thread.
std::unique_ptr<Sink> makePipeSink(int file);

}  // namespace glint::output
