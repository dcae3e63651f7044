// Boards in recordings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/calibrate/board.h"

namespace glint {

/// Looks for the board in the sources, a camera each, in at most five frames a second of long ones.
/// `offsets` (s) are added to cameras' times; frames less than half an interval apart belong to one
/// moment. Throws Error or UsageError naming a source that is live, or that breaks.
BoardRecording boardsOfSources(const std::vector<std::string>& sources, const Board& board,
                               const std::map<size_t, double>& offsets);

}  // namespace glint
