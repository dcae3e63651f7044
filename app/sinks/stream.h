// Streams: a sink from what the user wrote.
#pragma once

#include <memory>
#include <string>

#include "app/sinks/sink.h"

namespace glint {

/// `target` is "osc:[HOST:]PORT", "udp:[HOST:]PORT" or "-", standard output. Other machines are
/// refused unless `remote`. Throws UsageError or Error naming the target.
std::unique_ptr<Sink> makeStream(const std::string& target, bool remote);

}  // namespace glint
