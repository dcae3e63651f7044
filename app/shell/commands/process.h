// The standard streams and the signals of the process. Ctrl-C finishes a run instead of ending the
// program.
#pragma once

#include <atomic>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

/// Prepares the standard streams and signals. Call it before anything is opened. Opens closed
/// standard streams on nothing, so that no output file takes their numbers; writing to them still
/// fails. Signals that would kill the program in the middle of a write, because a reader has left
/// or a file has reached a limit, become errors of that write.
void prepareProcess();

/// Throws Error if not all of the printed text arrived. A reader that has left is no failure.
void finishStandardOutput();

/// Returns a flag that becomes true at the first SIGINT, SIGTERM or SIGHUP (unless that is ignored,
/// as under nohup) after the first call of this function. If the program has not ended a second
/// after the signal, it tells on standard error what it waits for. Further signals within that
/// second change nothing; one after it ends the program at once.
const std::atomic<bool>& stopOnSignal();

/// Returns an interrupt for sources that wait, which the same signals set.
capture::Interrupt& interruptOnSignal();

/// Lets signals end the program at once again, as after prepareProcess(), where nobody will look at
/// stopOnSignal() any more. A signal that comes less than a second after the first one still
/// changes nothing.
void endOnSignal();

}  // namespace glint::shell
