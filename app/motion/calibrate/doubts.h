// Doubts: stated facts about cameras, wands and boards that disagree with the recording.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Checks a fitted bundle and returns its doubts. A lens centre far from where it was expected
/// suggests that the stated image size is wrong. A wand stated to have two lights may show a third
/// one. The middle light of a wand of three may be elsewhere. Throws Error if the wand must be a
/// different one.
std::vector<Doubt> doubtsOf(const Bundle& bundle, const LightRecording& recording,
                            const Target& target);

/// Returns a doubt if the markers of a ChArUco board have another size than stated.
std::optional<Doubt> doubtOfMarkers(const BoardRecording& recording, const Board& board);

}  // namespace glint::motion
