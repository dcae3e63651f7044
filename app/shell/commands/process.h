// The standard streams and the signals of the process. Ctrl-C finishes a run instead of ending the
// program.
#pragma once

#include <atomic>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

/// To be called before anything is opened. Standard streams that are closed are opened on nothing,
/// so that no output file takes their numbers; writing to them still fails. What would kill the
/// program in the middle of a write (a reader that leaves, a limit on the size of files) becomes an
/// error of that write. From then on SIGINT, SIGTERM and SIGHUP, unless they are ignored, end the
/// program at once, with a sentence and status 1. That is right for every command that writes its
/// results at its end.
void prepareProcess();

/// Throws Error when what was printed did not all arrive; a reader that has left is no failure.
void finishStandardOutput();

/// For a command that keeps what it has done until a signal. Becomes true at the first SIGINT,
/// SIGTERM or SIGHUP (unless that is ignored, as under nohup) after the first call. If the program
/// has not ended a second later, it says on standard error what it waits for. Signals before that
/// change nothing; one after it ends the program at once. The caller looks at it at least five
/// times a second.
const std::atomic<bool>& stopOnSignal();

/// Set by the same signals, for sources that wait.
capture::Interrupt& interruptOnSignal();

/// Lets signals end the program at once again, as after prepareProcess(), where nobody will look at
/// stopOnSignal() any more. A signal that comes less than a second after the first one still
/// changes nothing.
void endOnSignal();

}  // namespace glint::shell
