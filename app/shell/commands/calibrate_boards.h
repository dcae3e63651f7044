// Boards in recordings, and shown to cameras.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "config/settings.h"

namespace glint::shell {

/// Looks for the board in the sources, a camera each, in at most five frames a second of long or
/// live ones. Live sources end with Ctrl-C; with them all run in a session with these settings.
/// `offsets` (s) are added to cameras' times; frames less than half an interval apart belong to one
/// moment. Throws Error or UsageError naming a source that breaks.
motion::BoardRecording boardsOfSources(const std::vector<std::string>& sources, Settings settings,
                                       const motion::Board& board,
                                       const std::map<size_t, double>& offsets);

}  // namespace glint::shell
