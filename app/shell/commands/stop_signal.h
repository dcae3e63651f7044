// Ctrl-C finishes a run instead of ending the program.
#pragma once

#include <atomic>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

/// Becomes true at the first SIGINT, SIGTERM or SIGHUP (unless that is ignored, as under nohup)
/// after the first call. If the program has not ended a second later, it says on standard error
/// what it waits for. Signals before that change nothing; one after it ends the program at once.
const std::atomic<bool>& stopOnSignal();

/// Set by the same signals, for sources that wait.
capture::Interrupt& interruptOnSignal();

}  // namespace glint::shell
