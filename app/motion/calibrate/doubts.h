// What was told of cameras, wands and boards, where it does not agree with what was seen.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Of a fitted bundle: lenses whose centres were found far from where they were expected, as of
/// images whose size is not what was told, a wand of two that has a third light, and one of three
/// whose middle light is elsewhere. Throws Error where it must be another wand.
std::vector<Doubt> doubtsOf(const Bundle& bundle, const LightRecording& recording,
                            const Target& target);

/// Of a ChArUco board, markers of another size.
std::optional<Doubt> doubtOfMarkers(const BoardRecording& recording, const Board& board);

}  // namespace glint::motion
