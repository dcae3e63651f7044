// The scenes there are; one file each.
#pragma once

#include <memory>

#include "app/capture/synth/scene.h"

namespace glint::capture {

/// Throws UsageError when the markers of `spots` do not fit into the image, or those of `board` not
/// into its squares or their dictionary.
std::unique_ptr<Scene> makeScene(const SynthOptions& options);

std::unique_ptr<Scene> makeDancer(const SynthOptions& options);
std::unique_ptr<Scene> makeSpots(const SynthOptions& options);
std::unique_ptr<Scene> makeCrossing(const SynthOptions& options);
std::unique_ptr<Scene> makeWand(const SynthOptions& options);
std::unique_ptr<Scene> makeBoard(const SynthOptions& options);

}  // namespace glint::capture
