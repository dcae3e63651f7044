// Ctrl-C as a wish to finish, not as an end.
#pragma once

#include <atomic>

namespace glint {

/// Becomes true at the first SIGINT or SIGTERM after the first call; a second one ends the program
/// the hard way.
const std::atomic<bool>& stopOnSignal();

}  // namespace glint
