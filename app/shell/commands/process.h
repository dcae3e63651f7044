// What a process is given and gives back: its standard streams and the signals that would kill it.
#pragma once

namespace glint::shell {

/// To be called before anything is opened. Standard streams that are closed are opened on nothing,
/// so that no output file takes their numbers; writing to them still fails. What would kill the
/// program in the middle of a write (a reader that leaves, a limit on the size of files) becomes an
/// error of that write.
void prepareProcess();

/// Throws Error when what was printed did not all arrive; a reader that has left is no failure.
void finishStandardOutput();

}  // namespace glint::shell
