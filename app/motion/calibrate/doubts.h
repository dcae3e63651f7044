// Doubts: stated facts about cameras, wands and boards that disagree with the recording.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns a doubt for each lens centre that is far from where it was expected. The usual reason is
/// that the stated size of the image is wrong.
std::vector<Doubt> doubtsOfCentres(const std::vector<BundleCamera>& cameras,
                                   const std::vector<FrameExtent>& sizes);

/// Dots or corners that the fit used, px, for each camera.
using UsedPixels = std::vector<std::vector<Eigen::Vector2d>>;

/// Returns a doubt if cameras have fisheye lenses: they show something far from their axes, and
/// much nearer to the centre than a lens without distortion would. Polynomials follow such a lens
/// only where something was seen.
std::optional<Doubt> doubtOfFisheyes(const std::vector<BundleCamera>& cameras,
                                     const UsedPixels& pixels);

/// Checks a fitted bundle and returns its doubts: those of doubtsOfCentres(), and others. A wand
/// stated to have two lights may show a third one. The middle light of a wand of three may be
/// elsewhere. Hardly any dot of a camera may fit at the beginning or at the end. Throws Error if
/// the wand must be a different one.
std::vector<Doubt> doubtsOf(const Bundle& bundle, const LightRecording& recording,
                            const Target& target);

/// Returns a doubt if the markers of a ChArUco board have another size than stated.
std::optional<Doubt> doubtOfMarkers(const BoardRecording& recording, const Board& board);

}  // namespace glint::motion
